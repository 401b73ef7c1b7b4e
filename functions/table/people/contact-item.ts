/** The item of a contact, whose address is found by a digest and not stored. The sign-in writes the first one. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { ShopperId } from '../../../core/ids.ts'
import type { Contact } from '../../../core/people/contact.ts'
import type { Sealer } from '../../lib/sealer.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { contactKey, contactListKey } from '../keys.ts'
import { openPut, type TableAccess } from '../put-item.ts'
import { sealedItem } from './sealed-item.ts'

/**
 * Returns the digests of `email`, ignoring case: one for each of the `keys` (32 bytes in base64). The first one is stored, and
 * all are searched, so that a new key loses no contact. A plain hash would not do, because addresses can be guessed.
 */
export function emailDigests(keys: readonly string[], email: string): string[] {
  const text = email.normalize('NFC').toLowerCase()
  return keys.map((key) => {
    const own = hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'email digest', 32)
    return createHmac('sha256', Buffer.from(own)).update(text).digest('base64url')
  })
}

/** `personalKeys` are those of `sealer`. `clock` gives epoch ms. */
export type PersonalKeys = { sealer: Sealer; personalKeys: readonly string[]; clock: () => number }

/** The table, with the sealer of the personal data in it. */
export type PersonalTable = PersonalKeys & { table: Table }

export const contactPurpose = (shopperId: ShopperId) => ({ purpose: 'contact', owner: shopperId }) as const

/** Returns the attributes of a contact, with content encrypted and address digested; `expiresAt` is epoch ms. */
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

/** For the sign-in, which has no AWS client because shoppers wait for its import. */
export type FirstContacts = {
  /** Puts a contact if none is stored; false when one is. @throws when the table is unavailable */
  putIfAbsent: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<boolean>
}

export function dynamoFirstContacts(access: TableAccess, parts: PersonalKeys): FirstContacts {
  const put = openPut(access)
  return {
    async putIfAbsent(shopperId, contact, expiresAt) {
      const attributes = await contactAttributes(parts, shopperId, contact, expiresAt)
      return put(
        { ...contactKey(shopperId), ...attributes },
        {
          expression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          values: { ':now': Math.floor(parts.clock() / 1000) },
        },
      )
    },
  }
}
