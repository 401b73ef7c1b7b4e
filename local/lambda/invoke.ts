/** Loads the deployed handlers and runs them like Lambda: one context per call, with the function's timeout. */
import { randomBytes } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type { Context } from 'aws-lambda'
import * as z from 'zod/mini'

export type Handler = (event: unknown, context: Context) => unknown

/** `timeoutMs` is the function's own timeout; `invocations` counts the calls so far. */
export type LoadedFunction = { name: string; handler: Handler; timeoutMs: number; invocations: number }

class FunctionTimedOut extends Error {
  override name = 'FunctionTimedOut'
}

/** Calls the handler and returns its result. Rejects with its error, or with FunctionTimedOut. */
export async function invoke(fn: LoadedFunction, event: unknown): Promise<unknown> {
  fn.invocations += 1
  const result = fn.handler(event, invocationContext(fn.name, fn.timeoutMs))
  if (!(result instanceof Promise)) return result
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new FunctionTimedOut(`${fn.name} did not answer within ${fn.timeoutMs} ms`))
    }, fn.timeoutMs)
  })
  try {
    return await Promise.race([result, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const boot = randomBytes(8).toString('hex')
let invocations = 0

/** Returns the context of an invocation, the second argument of every handler. */
function invocationContext(functionName: string, timeoutMs: number): Context {
  const endsAt = Date.now() + timeoutMs
  invocations += 1
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '256',
    awsRequestId: `${boot}-${invocations.toString(16).padStart(8, '0')}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: boot,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => endsAt - Date.now(),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  }
}

// Node 24 on Lambda rejects handlers that use callbacks; so does this context.
function unsupported(): never {
  throw new Error('context.done, fail and succeed do not exist on Node 24: return a promise')
}

/**
 * Imports the function in `dist/functions/<name>/handler.mjs`, which reads its environment once, at import.
 * @throws as `loadHandler`
 */
export async function loadFunction(dist: string, name: string, timeoutMs: number): Promise<LoadedFunction> {
  const handler = await loadHandler<Handler>(`${dist}/functions/${name}/handler.mjs`)
  return { name, handler, timeoutMs, invocations: 0 }
}

/**
 * Loads the handler of a bundle; each new `query` loads the module again.
 * @throws when the file has no handler, or one with a callback, which Lambda's Node 24 rejects
 */
export async function loadHandler<H extends (...given: never[]) => unknown>(file: string, query = ''): Promise<H> {
  const { handler }: { handler?: H } = await import(pathToFileURL(file).href + query)
  if (typeof handler !== 'function') throw new Error(`${file} does not export a function named handler`)
  if (handler.length > 2) throw new Error(`${file}: Node 24 on Lambda refuses handlers with a callback`)
  return handler
}

/**
 * The result of a batch, by the rules of Lambda's ReportBatchItemFailures: an empty report means success; an empty or
 * unknown id makes the report invalid, and then all messages failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
const report = z.object({
  batchItemFailures: z.nullish(z.array(z.nullish(z.object({ itemIdentifier: z.nullish(z.string()) })))),
})

/** Returns the ids from `messageIds` that must be redelivered, given the handler's result. */
export function failedMessages(result: unknown, messageIds: readonly string[]): Set<string> {
  if (result === undefined || result === null) return new Set()
  const parsed = report.safeParse(result)
  if (!parsed.success) return new Set(messageIds)
  const ids = (parsed.data.batchItemFailures ?? []).map((failure) => failure?.itemIdentifier ?? '')
  const batch = new Set(messageIds)
  return ids.every((id) => batch.has(id)) ? new Set(ids) : batch
}
