/** The deployed edge bundle, run as CloudFront runs it: one event in, an answer or the changed request out. */
import { pathToFileURL } from 'node:url'
import type { CloudFrontRequest, CloudFrontRequestEvent, CloudFrontResultResponse } from 'aws-lambda'

export type EdgeResult = CloudFrontResultResponse | CloudFrontRequest
export type EdgeFunction = (event: CloudFrontRequestEvent) => EdgeResult | Promise<EdgeResult>

let instances = 0

/**
 * A fresh instance of the bundle, with its own memory, as each of CloudFront's environments has. Throws when
 * it has no handler, or one that Lambda's Node 24 would refuse because it takes a callback.
 */
export async function loadEdgeFunction(dist: string): Promise<EdgeFunction> {
  const file = `${dist}/edge/handler.mjs`
  instances += 1
  const module: { handler?: unknown } = await import(`${pathToFileURL(file).href}?instance=${instances}`)
  if (!isEdgeFunction(module.handler)) throw new Error(`${file} does not export a function named handler`)
  if (module.handler.length > 2)
    throw new Error(`${file}: Node 24 on Lambda refuses handlers with a callback`)
  return module.handler
}

function isEdgeFunction(value: unknown): value is EdgeFunction {
  return typeof value === 'function'
}

/** True when the function answered by itself; otherwise its result is the request for the origin. */
export function isResponse(result: EdgeResult): result is CloudFrontResultResponse {
  return 'status' in result
}
