/** A shopper asks to be reminded of a sale or of units that come back, takes it back, or follows the link of the e-mail. */
import type { ContactView } from '../../core/api/delivery.ts'
import type { ShopperId } from '../../core/ids.ts'
import { keptAfterSaleMs, type ReminderRequest, takesReminders } from '../../core/people/reminder.ts'
import { reminderConsent } from '../../static/mails/content.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findContact } from '../table/people/contacts.ts'
import { addReminder, deleteReminder, recordOpened, remindersOfShopper } from '../table/people/reminders.ts'
import { findSale } from '../table/sale/sales.ts'

export type ReminderPorts = Pick<Shop, 'table' | 'sealer' | 'personalKeys' | 'clock' | 'sendsMails'>

/**
 * `no-mail`: this stage sends no e-mails. `too-late`: not at this time of the sale, or not of such a sale. `no-address`: no address is known
 * that the shopper's sign-in has verified. An e-mail that was asked for goes to no other: it could be another person's.
 */
type ReminderChange = 'done' | 'no-mail' | 'no-sale' | 'too-late' | 'no-address'

/** Safe to repeat (I5). @throws when the table is unavailable */
export async function changeReminder(
  ports: ReminderPorts,
  shopperId: ShopperId,
  { saleId, about, what, language }: ReminderRequest,
): Promise<ReminderChange> {
  const { table, clock, sendsMails } = ports
  if (!sendsMails) return 'no-mail'
  if (what === 'forget') {
    await deleteReminder(table, shopperId, { saleId, about })
    return 'done'
  }
  const now = clock()
  if (what === 'opened') {
    const all = await remindersOfShopper(table, shopperId, now)
    const sent = all.find((one) => one.saleId === saleId && one.about === about)
    if (sent !== undefined) await recordOpened(table, shopperId, sent)
    return 'done'
  }
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return 'no-sale'
  if (!takesReminders(sale, about, now)) return 'too-late'
  if ((await findContact(ports, shopperId))?.verified !== true) return 'no-address'
  const expiresAt = sale.endsAt + keptAfterSaleMs
  const consent = reminderConsent(language, about)
  await addReminder(table, shopperId, sale, { saleId, about, askedAt: now, language, consent, expiresAt })
  return 'done'
}

/** What is kept of the shopper beside orders and their deliveries; reminders only where e-mails are sent. */
export async function viewContact(ports: ReminderPorts, shopperId: ShopperId): Promise<ContactView> {
  const { table, clock, sendsMails } = ports
  const [found, kept] = await Promise.all([
    findContact(ports, shopperId),
    sendsMails ? remindersOfShopper(table, shopperId, clock()) : undefined,
  ])
  return {
    contact: found === undefined ? null : { email: found.email, language: found.language },
    ...(kept && {
      reminders: kept.map(({ saleId, about, askedAt, language, consent, remindedFor }) => ({
        ...{ saleId, about, askedAt, language, consent, sent: remindedFor !== undefined },
      })),
    }),
  }
}
