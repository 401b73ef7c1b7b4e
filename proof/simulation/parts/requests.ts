/** Requests as the gate forwards them. */
import type { HttpRequest } from '../../../functions/lib/http/request.ts'

/** A request of shopper `who`, with the headers that only the gate can set. */
export function requestOf(
  who: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): HttpRequest {
  const [pathname = '', query = ''] = path.split('?')
  return {
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: {
      ...(who === undefined ? {} : { 'x-shopper-id': who }),
      'x-request-id': 'request-1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  }
}
