/** Runs a handler as Lambda does: one context per call, and an end after the function's timeout. */
import type { Context } from 'aws-lambda'
import { invocationContext } from './context.ts'

export type Handler = (event: unknown, context: Context) => unknown

/** `timeoutMs` is the function's own timeout; `invocations` counts the calls so far. */
export type LoadedFunction = { name: string; handler: Handler; timeoutMs: number; invocations: number }

class FunctionTimedOut extends Error {
  override name = 'FunctionTimedOut'
}

/** The handler's result. Rejects with its error, or with FunctionTimedOut. */
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
