/**
 * The cookies of a session: the token, for the gate alone, and the name, for the pages' header. Browsers
 * treat http://localhost as secure, so they are the same on one machine.
 */
export const sessionCookie = 'sluice_session'
export const whoCookie = 'sluice_who'

/** How long a session lasts, s, unless the settings say otherwise. */
export const defaultSessionSeconds = 8 * 3600

/** The cookies of a new session; with 0 s and empty texts they end it. `name` is what the header shows. */
export function sessionCookieTexts(token: string, name: string, maxAgeSeconds: number): string[] {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
  return [
    `${sessionCookie}=${token}; ${attributes}; HttpOnly`,
    `${whoCookie}=${encodeURIComponent(name)}; ${attributes}`,
  ]
}
