/** Requests as the gate forwards them, and what functions answer. */
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import type { HttpApp } from '../../../functions/lib/http/app.ts'
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

/**
 * What `app` answers.
 * @throws what its ports throw
 */
export async function answerTo(
  app: HttpApp,
  { method, path, query, ...rest }: HttpRequest,
): Promise<HttpAnswer> {
  const { headers = {}, cookies = [], body } = rest
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value)
  if (cookies.length > 0) sent.set('cookie', cookies.join('; '))
  const init = { method, headers: sent, ...(body !== '' && { body }) }
  const answer = await app.fetch(new Request(`https://shop.test${path}?${query}`, init))
  const { 'set-cookie': _, ...others } = Object.fromEntries(answer.headers)
  return {
    ...{ statusCode: answer.status, headers: others, body: await answer.text() },
    cookies: answer.headers.getSetCookie(),
  }
}
