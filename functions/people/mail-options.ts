/** Collects the options that send emails. */
import type { ShopperId } from '../../core/ids.ts'
import { joined } from '../../core/lib/fold.ts'
import { people } from '../../options/registry/people.ts'
import type { Table } from '../lib/shop/shop.ts'
import type { MailOption } from '../table/people/mail-option.ts'

export const mailOptions: readonly MailOption[] = /* @__PURE__ */ joined(people, 'mails')

/** Deletes the shopper's requests for emails. Repeatable. @throws when the table is unavailable; some may be deleted */
export async function forgetRequestedMails(table: Table, shopperId: ShopperId): Promise<void> {
  for (const { forget } of mailOptions) await forget?.(table, shopperId)
}
