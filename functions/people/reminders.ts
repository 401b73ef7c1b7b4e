/**
 * A shopper asks to be reminded of a sale or of units that come back, takes it back, or follows a link of the e-mail.
 * Reading the link "Unsubscribe" has no effect, because scanners of mail follow every link: the page has a button,
 * and mail programs send the same request for one click (RFC 8058).
 */
import type { ContactView } from '../../core/api/delivery.ts'
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import { keptAfterSaleMs, type ReminderRequest, takesReminders } from '../../core/people/reminder.ts'
import { reminderConsent } from '../../static/mails/content.ts'
import { renderUnsubscribe, renderUnsubscribed, renderUnsubscribeInvalid } from '../../static/pages/plain-page.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import { unsubscribeSeal } from '../lib/sealer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findContact, recordUnsubscribed } from '../table/people/contacts.ts'
import {
  addReminder,
  deleteReminder,
  deleteRemindersOf,
  recordOpened,
  remindersOfShopper,
} from '../table/people/reminders.ts'
import { findSale } from '../table/sale/sales.ts'

export type ReminderPorts = Pick<Shop, 'table' | 'sealer' | 'personalKeys' | 'clock' | 'sendsMails'>

/**
 * `no-mail`: this stage sends no e-mails. `too-late`: not at this time of the sale, or not of such a sale.
 * `no-address`: no address is known that the shopper's sign-in has verified. An e-mail that was asked for goes to no
 * other: it could be another person's.
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

/** `GET`: the page that asks, in `language`; `token` is that of the address. */
export async function askToUnsubscribe(
  ports: Pick<Shop, 'table' | 'sealer'>,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  return shopperId === undefined ? invalidLink(language) : page(200, renderUnsubscribe(language))
}

/**
 * `POST`: unsubscribes the token's shopper, and deletes the shopper's reminders. Safe to repeat, and also answers 200
 * when no contact is kept.
 * @throws when the table is unavailable
 */
export async function unsubscribe(
  ports: Pick<Shop, 'table' | 'sealer'>,
  token: string | null,
  language: Language,
): Promise<HttpAnswer> {
  const shopperId = await shopperIn(ports, token)
  if (shopperId === undefined) return invalidLink(language)
  await recordUnsubscribed(ports.table, shopperId)
  await deleteRemindersOf(ports.table, shopperId)
  return page(200, renderUnsubscribed(language))
}

async function shopperIn({ sealer }: Pick<Shop, 'sealer'>, token: string | null): Promise<ShopperId | undefined> {
  const content = token === null ? undefined : await sealer.open(unsubscribeSeal, token)
  return parseShopperId(content?.shopperId)
}

const invalidLink = (language: Language) => page(400, renderUnsubscribeInvalid(language))

/** `no-referrer`: the token is in the address. */
function page(statusCode: number, body: string): HttpAnswer {
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
    body,
  }
}
