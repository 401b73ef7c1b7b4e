/** Finds an e-mail address in the table without storing it. */
import { createHmac, hkdfSync } from 'node:crypto'

/**
 * The digests of `email`, in any case of its letters: one for each of the `keys` (32 bytes in base64). The
 * first one is stored, and all are searched, so that a new key loses no contact. A plain hash would not do:
 * addresses can be guessed.
 */
export function emailDigests(keys: readonly string[], email: string): string[] {
  const text = email.normalize('NFC').toLowerCase()
  return keys.map((key) => {
    const own = hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'e-mail digest', 32)
    return createHmac('sha256', Buffer.from(own)).update(text).digest('base64url')
  })
}
