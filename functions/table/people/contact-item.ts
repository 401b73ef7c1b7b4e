/** The attributes of a contact's item beside its key. */

import type { ShopperId } from '../../../core/ids.ts'
import type { Contact } from '../../../core/people/contact.ts'
import { emailDigests } from '../../lib/email-digest.ts'
import type { Sealer } from '../../lib/sealer.ts'
import { contactListKey } from '../keys.ts'
import { sealedItem } from './sealed-item.ts'

/** `keys` are those of `sealer`. `clock` gives epoch ms. */
export type PersonalDataPorts = { sealer: Sealer; keys: readonly string[]; clock: () => number }

export const contactPurpose = (shopperId: ShopperId) => ({ purpose: 'contact', owner: shopperId }) as const

/** Content and address are encrypted or digested; `expiresAt` is epoch ms. */
export async function contactAttributes(
  { sealer, keys }: PersonalDataPorts,
  shopperId: ShopperId,
  { email, language }: Contact,
  expiresAt: number,
) {
  const [digest = ''] = emailDigests(keys, email)
  return {
    ...contactListKey(digest, shopperId),
    ...(await sealedItem(sealer, contactPurpose(shopperId), { email, language }, expiresAt)),
  }
}
