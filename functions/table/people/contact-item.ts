/** The attributes of a contact's item beside its key; its address is found by a digest and not stored. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { ShopperId } from '../../../core/ids.ts'
import type { Contact } from '../../../core/people/contact.ts'
import type { Sealer } from '../../lib/sealer.ts'
import type { Table } from '../../lib/shop/table.ts'
import { contactListKey } from '../keys.ts'
import { sealedItem } from './sealed-item.ts'

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

/** `personalKeys` are those of `sealer`. `clock` gives epoch ms. */
export type PersonalKeys = { sealer: Sealer; personalKeys: readonly string[]; clock: () => number }

/** The table, with what seals and opens the personal data in it. */
export type PersonalTable = PersonalKeys & { table: Table }

export const contactPurpose = (shopperId: ShopperId) => ({ purpose: 'contact', owner: shopperId }) as const

/** Content and address are encrypted or digested; `expiresAt` is epoch ms. */
export async function contactAttributes(
  { sealer, personalKeys }: PersonalKeys,
  shopperId: ShopperId,
  { email, language, verified }: Contact,
  expiresAt: number,
) {
  const [digest = ''] = emailDigests(personalKeys, email)
  const content = { email, language, ...(verified && { verified }) }
  return {
    ...contactListKey(digest, shopperId),
    ...(await sealedItem(sealer, contactPurpose(shopperId), content, expiresAt)),
  }
}
