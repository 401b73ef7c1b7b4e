/**
 * Finds the session token in a request's headers. Where a client sends two, nobody can say which one the next
 * reader would take, so neither counts.
 */
import { type EdgeHeaders, headerOf } from './cloudfront.ts'

/** `from` matters for state-changing calls: browsers add cookies by themselves, they never add a bearer token. */
export type SessionToken = { text: string; from: 'bearer' | 'cookie' }

const bearer = /^bearer (.+)$/i
const compactJwt = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const cookieName = 'sluice_session='

/** Browsers keep at most this much in one cookie. */
const maxTokenLength = 4096

/** The token in `Authorization`, or without that header in the `sluice_session` cookie, if it looks like one. */
export function sessionTokenOf(headers: EdgeHeaders): SessionToken | undefined {
  const authorization = headerOf(headers, 'authorization')
  if (authorization.kind === 'repeated') return undefined
  if (authorization.kind === 'one') return token(bearer.exec(authorization.value)?.[1], 'bearer')
  const [first, ...others] = sessionCookies(headers)
  return others.length === 0 ? token(first, 'cookie') : undefined
}

function token(text: string | undefined, from: SessionToken['from']): SessionToken | undefined {
  const isToken = text !== undefined && text.length <= maxTokenLength && compactJwt.test(text)
  return isToken ? { text, from } : undefined
}

/** HTTP/2 lets a browser split its cookies over several headers, so here repetition is no sign of a trick. */
function sessionCookies(headers: EdgeHeaders): string[] {
  return (headers.cookie ?? [])
    .flatMap(({ value }) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(cookieName))
    .map((pair) => pair.slice(cookieName.length))
}
