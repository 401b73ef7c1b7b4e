/**
 * The deployed bundle for Lambda@Edge, run as CloudFront runs it: one event in, an answer or the
 * changed request out.
 */
import { pathToFileURL } from 'node:url'
import type { CloudFrontRequest, CloudFrontRequestEvent, CloudFrontResultResponse } from 'aws-lambda'

export type EdgeResult = CloudFrontResultResponse | CloudFrontRequest
export type LoadedEdgeFunction = (event: CloudFrontRequestEvent) => EdgeResult | Promise<EdgeResult>

let instances = 0

/**
 * A new instance of the gate with its own memory, like each of CloudFront's environments.
 * @throws when it has no handler, or one with a callback, which Lambda's Node 24 rejects
 */
export const loadEdgeFunction = (dist: string): Promise<LoadedEdgeFunction> => loadEdgeFile(`${dist}/edge/handler.mjs`)

/**
 * The same for another file with its handler.
 * @throws as above
 */
export const loadEdgeFile = (file: string): Promise<LoadedEdgeFunction> => load(file)

type Handler = (event: never) => unknown

async function load<H extends Handler>(file: string): Promise<H> {
  instances += 1
  const module: { handler?: unknown } = await import(`${pathToFileURL(file).href}?instance=${instances}`)
  if (!isHandler<H>(module.handler)) throw new Error(`${file} does not export a function named handler`)
  if (module.handler.length > 2) throw new Error(`${file}: Node 24 on Lambda refuses handlers with a callback`)
  return module.handler
}

function isHandler<H extends Handler>(value: unknown): value is H {
  return typeof value === 'function'
}

/**
 * True when the function answered by itself; otherwise its result is the request for the origin.
 */
export function isResponse(result: EdgeResult): result is CloudFrontResultResponse {
  return 'status' in result
}
