/**
 * The Lambda@Edge function of the pages' behaviour (origin-response): what the bucket says of an object that it does not have is
 * XML about S3. A person gets a page instead, and whoever asks for JSON a problem document. CloudFront's own error pages could not do
 * it: they are for the whole distribution, and would take the place of the API's problem documents.
 *
 * CloudFront calls it for every page that no cache has, so whatever is not known to be a missing object is passed on as it came:
 * an error in here would stand in the place of all pages.
 */

import { problem } from '../core/outcome.ts'

/** The page, as HTML; the build puts it in. */
declare const MISSING_PAGE: string

const missingObject = {
  contentType: 'application/problem+json',
  body: JSON.stringify(problem('not-found', 'No such object.')),
}

/** CloudFront answers 502 for a function that takes these away. All others are about the XML. */
const untouchable = ['transfer-encoding', 'via']

/** Always a promise, for Lambda's Node takes a plain value for no answer. It never rejects. */
export async function handler(event: unknown): Promise<unknown> {
  const cf = at(at(at(event, 'Records'), '0'), 'cf')
  const response = at(cf, 'response')
  const headers = at(response, 'headers')
  if (!isMissing(at(response, 'status')) || !isObject(headers)) return response
  const request = at(cf, 'request')
  const { contentType, body } = asksForJson(at(request, 'uri')) ? missingObject : missingPage()
  return {
    status: '404',
    statusDescription: 'Not Found',
    headers: {
      ...Object.fromEntries(
        untouchable.filter((name) => name in headers).map((name) => [name, at(headers, name)]),
      ),
      'content-type': [{ key: 'Content-Type', value: contentType }],
      'cache-control': [{ key: 'Cache-Control', value: 'no-store' }],
    },
    // What answers HEAD has no body, and a function that names none leaves that as it is.
    ...(at(request, 'method') !== 'HEAD' && { bodyEncoding: 'text', body }),
  }
}

/** Where the bucket may not tell whether it has an object, it says 403. */
const isMissing = (status: unknown): boolean => status === '404' || status === '403'

const missingPage = () => ({ contentType: 'text/html; charset=utf-8', body: MISSING_PAGE })

const asksForJson = (uri: unknown): boolean => typeof uri === 'string' && uri.endsWith('.json')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const at = (value: unknown, key: string): unknown => (isObject(value) ? Reflect.get(value, key) : undefined)
