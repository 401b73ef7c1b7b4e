/**
 * Records what each function asks of AWS, for the test that compares it with the rights of its role. Only the
 * deployed code makes signed requests by Node's client inside of a function: pollers of queues and streams are
 * the platform's work, and use another one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FunctionName } from '../../system/functions.ts'
import { type AwsCall, type AwsRequest, callsOf, callsOfMissing } from '../lambda/aws-calls.ts'
import type { Handler, LoadedFunction } from '../lambda/invoke.ts'

/** The variable with the folder of records. Without it nothing is recorded. */
export const recordVariable = 'SLUICE_RECORD_CALLS'

type Load = (name: FunctionName) => Promise<LoadedFunction>

/** `load`, but what the functions call is written to a file in `folder`, each call once, at once. */
export function recording(folder: string, load: Load): Load {
  const running = new AsyncLocalStorage<string>()
  const file = join(folder, `${process.pid}.txt`)
  const known = new Set<string>()
  const keep = (name: string, calls: readonly AwsCall[]) => {
    for (const line of calls.map((call) => `${name} ${call}`)) {
      if (known.has(line)) continue
      known.add(line)
      appendFileSync(file, `${line}\n`)
    }
  }
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    const name = running.getStore()
    const authorization = request.getHeader('authorization')
    if (name === undefined || typeof authorization !== 'string' || !authorization.startsWith('AWS4-')) return
    observe(request, authorization, (calls) => keep(name, calls))
  })
  return (name) =>
    running.run(name, async () => {
      const fn = await load(name)
      const handler: Handler = (event, context) => running.run(name, () => fn.handler(event, context))
      return { ...fn, handler }
    })
}

/** Reports the calls of a request when it is sent, and those that follow from its answer. */
function observe(request: ClientRequest, authorization: string, keep: (calls: AwsCall[]) => void): void {
  const { method, path } = request
  const target = request.getHeader('x-amz-target')
  const chunks: Buffer[] = []
  const asked = (): AwsRequest => ({
    authorization,
    method,
    path,
    ...(typeof target === 'string' && { target }),
    body: Buffer.concat(chunks).toString(),
  })
  const { write, end } = request
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  request.write = (...given: unknown[]) => {
    collect(given[0])
    return Reflect.apply(write, request, given)
  }
  request.end = (...given: unknown[]) => {
    collect(given[0])
    keep(callsOf(asked()))
    return Reflect.apply(end, request, given)
  }
  request.prependListener('response', ({ statusCode }: IncomingMessage) => {
    if (statusCode === 404) keep(callsOfMissing(asked()))
  })
}
