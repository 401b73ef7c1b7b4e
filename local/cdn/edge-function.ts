/**
 * The deployed bundle for Lambda@Edge, run as CloudFront runs it: one event in, an answer or the
 * changed request out.
 */
import type { CloudFrontRequest, CloudFrontRequestEvent, CloudFrontResultResponse } from 'aws-lambda'
import { loadHandler } from '../lambda/invoke.ts'

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
export function loadEdgeFile(file: string): Promise<LoadedEdgeFunction> {
  instances += 1
  return loadHandler(file, `?instance=${instances}`)
}

/**
 * True when the function answered by itself; otherwise its result is the request for the origin.
 */
export function isResponse(result: EdgeResult): result is CloudFrontResultResponse {
  return 'status' in result
}
