/**
 * The key that signed a session, by its id: the `kid` of the key in the settings of the gate, which is its
 * thumbprint (RFC 7638) unless the stage has named it otherwise.
 */

/** The header in which the gate forwards the id of a verified session's key to the control API. */
export const sessionKeyHeader = 'x-session-key'

/** An id that fits into one part of a path. */
const keyIdPattern = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}$/

export function isSessionKeyId(text: string): boolean {
  return keyIdPattern.test(text)
}
