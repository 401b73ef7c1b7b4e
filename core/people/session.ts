/**
 * The cookies of a session: the token for the gate, and the name for the header of pages. Browsers treat http://localhost as
 * secure, so the cookies are the same on one machine. The id of the key that signed a session is the `kid` in the settings
 * of the gate, by default the thumbprint of the key (RFC 7638).
 */

export const sessionCookie = 'sluice_session'
export const whoCookie = 'sluice_who'

/** Used unless the settings say otherwise. */
export const defaultSessionSeconds = 8 * 3600

/** Returns the cookies of a new session; 0 s and empty texts end it. The header shows `name`. */
export function sessionCookieTexts(token: string, name: string, maxAgeSeconds: number): string[] {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
  return [
    `${sessionCookie}=${token}; ${attributes}; HttpOnly`,
    `${whoCookie}=${encodeURIComponent(name)}; ${attributes}`,
  ]
}

/** The header in which the gate forwards the id of the key that signed the session to the control API. */
export const sessionKeyHeader = 'x-session-key'

/** Ids must fit into one path segment. */
const keyIdPattern = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}$/

export function isSessionKeyId(text: string): boolean {
  return keyIdPattern.test(text)
}
