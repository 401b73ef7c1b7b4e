/** The attributes of a contact's item beside its key. */

import type { ShopperId } from '../../../core/ids.ts'
import type { Contact } from '../../../core/people/contact.ts'
import { emailDigests } from '../../lib/email-digest.ts'
import type { Sealer } from '../../lib/sealer.ts'
import type { Table } from '../../lib/shop/table.ts'
import { contactListKey } from '../keys.ts'
import { sealedItem } from './sealed-item.ts'

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
