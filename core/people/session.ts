/**
 * The cookies of a session: the token, for the gate alone, and the name, for the pages' header. Browsers treat
 * http://localhost as secure, so they are the same on one machine. The key that signed it is known by its id, the `kid`
 * in the settings of the gate: its thumbprint (RFC 7638) unless the stage has named it otherwise.
 */

export const sessionCookie = 'sluice_session'
export const whoCookie = 'sluice_who'

/** How long a session lasts, s, unless the settings say otherwise. */
export const defaultSessionSeconds = 8 * 3600

/** Returns the cookies of a new session; with 0 s and empty texts they end it. `name` is what the header shows. */
export function sessionCookieTexts(token: string, name: string, maxAgeSeconds: number): string[] {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
  return [
    `${sessionCookie}=${token}; ${attributes}; HttpOnly`,
    `${whoCookie}=${encodeURIComponent(name)}; ${attributes}`,
  ]
}

/** The header in which the gate forwards the id of a verified session's key to the control API. */
export const sessionKeyHeader = 'x-session-key'

/** An id that fits into one part of a path. */
const keyIdPattern = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}$/

export function isSessionKeyId(text: string): boolean {
  return keyIdPattern.test(text)
}
