/** Finds the session token in a request's headers, unverified. A request with two tokens has none. */
import { sessionCookie } from '../core/people/session.ts'
import { cookiesIn, type EdgeHeaders, headerOf } from './cloudfront.ts'

/** `from` matters for calls that change state: browsers add cookies by themselves, but no bearer token. */
export type SessionToken = { text: string; from: 'bearer' | 'cookie' }

const bearer = /^bearer (.+)$/i
/** Only the canonical spelling (RFC 4648, section 3.5): the unused bits of the last character are zero. */
const base64url = '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048]|[A-Za-z0-9_-][AQgw])'
const compactJwt = new RegExp(`^${base64url}\\.${base64url}\\.${base64url}$`)

/** Browsers keep at most this much in one cookie. */
const maxTokenLength = 4096

/** The token in `Authorization`, or without that header in the `sluice_session` cookie, if it looks like a JWT. */
export function findSessionToken(headers: EdgeHeaders): SessionToken | undefined {
  const authorization = headerOf(headers, 'authorization')
  if (authorization.kind === 'repeated') return undefined
  if (authorization.kind === 'one') return token(bearer.exec(authorization.value)?.[1], 'bearer')
  const [first, ...others] = cookiesIn(headers, sessionCookie)
  return others.length === 0 ? token(first, 'cookie') : undefined
}

/** Half of `r`, the first number of an ES256 signature. */
const keyLength = 24

/**
 * A short key for a session token, for counters that must not cost a signature check. No two tokens share a key, and it
 * cannot be guessed without the token. All valid signatures of one token have the same key: negating `s`, the second
 * number of an ES256 signature, makes another valid signature, but `r` stays.
 */
export function tokenKey({ text }: SessionToken): string {
  const at = text.lastIndexOf('.') + 1
  // A copy: a slice would keep the whole token in memory.
  return Buffer.from(text.slice(at, at + keyLength)).toString()
}

export function tokenKeyIn(headers: EdgeHeaders): string | undefined {
  const token = findSessionToken(headers)
  return token && tokenKey(token)
}

function token(text: string | undefined, from: SessionToken['from']): SessionToken | undefined {
  const isToken = text !== undefined && text.length <= maxTokenLength && compactJwt.test(text)
  return isToken ? { text, from } : undefined
}
