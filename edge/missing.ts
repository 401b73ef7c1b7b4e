/**
 * The Lambda@Edge function of the pages' behaviour (origin-response). For a missing object the
 * bucket answers with XML about S3; this function replaces it by a page, or by a problem document
 * for paths that end in `.json`. CloudFront's own error pages apply to the whole distribution and
 * would replace the API's problem documents too.
 *
 * CloudFront calls it for every page that is not cached, so it passes on every response that is not
 * certainly a missing object: an error here would replace all pages.
 */

import { problem } from '../core/outcome.ts'

/** The page as HTML, inserted by the build. */
declare const MISSING_PAGE: string

const missingObject = {
  contentType: 'application/problem+json',
  body: JSON.stringify(problem('not-found', 'No such object.')),
}

/** CloudFront answers 502 when a function removes these. All other headers describe the XML. */
const untouchable = ['transfer-encoding', 'via']

/** Always returns a promise, because Lambda ignores plain values. It never rejects. */
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
    // A response to HEAD has no body.
    ...(at(request, 'method') !== 'HEAD' && { bodyEncoding: 'text', body }),
  }
}

/** The bucket answers 403 when the caller may not list its objects. */
const isMissing = (status: unknown): boolean => status === '404' || status === '403'

const missingPage = () => ({ contentType: 'text/html; charset=utf-8', body: MISSING_PAGE })

const asksForJson = (uri: unknown): boolean => typeof uri === 'string' && uri.endsWith('.json')

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const at = (value: unknown, key: string): unknown => (isObject(value) ? Reflect.get(value, key) : undefined)
