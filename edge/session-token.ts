/**
 * Finds the session token in a request's headers. Where a client sends two, nobody can say which one the next
 * reader would take, so neither counts.
 */
import { type EdgeHeaders, headerOf } from './cloudfront.ts'

/** `from` matters for state-changing calls: browsers add cookies by themselves, they never add a bearer token. */
export type SessionToken = { text: string; from: 'bearer' | 'cookie' }

const bearer = /^bearer (.+)$/i
/** One spelling for the same bytes (RFC 4648, section 3.5): the spare bits of a last letter are zero. */
const base64url =
  '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])'
const compactJwt = new RegExp(`^${base64url}\\.${base64url}\\.${base64url}$`)
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

/** Half of `r`, the first number of an ES256 signature. */
const keyLength = 24

/**
 * A short name of the session token, for counters that must not cost a signature; undefined where there is no token. Two
 * tokens do not share it, it cannot be guessed without the token, and every spelling that verifies has the same one: whoever
 * has a signature can negate its second number `s` and has another good one, but `r` stays.
 */
export function tokenKey(headers: EdgeHeaders): string | undefined {
  const token = sessionTokenOf(headers)
  if (token === undefined) return undefined
  const at = token.text.lastIndexOf('.') + 1
  // A copy: a part of a text would keep all of the text in memory.
  return Buffer.from(token.text.slice(at, at + keyLength)).toString()
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
