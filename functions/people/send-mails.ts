/**
 * Sends the emails that a batch of changes causes. The stream delivers each change at least once and in the order of its
 * item. It redelivers a failed change with all later ones of the batch. Bulk emails belong to different items, so a batch
 * sends them concurrently, after the first.
 */
import { offeredLanguages } from '../../core/brand.ts'
import type { SaleId } from '../../core/ids.ts'
import { chooseLanguage } from '../../core/language.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import type { Contact } from '../../core/people/contact.ts'
import { unsubscribePath } from '../../core/people/mail.ts'
import { textIn } from '../../core/sale/sale.ts'
import { variantNamesIn } from '../../core/sale/variants.ts'
import { renderMail } from '../../templates/mails/render.ts'
import { unsubscribeSeal } from '../lib/sealer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts, type LogFacts, type MetricName } from '../lib/telemetry.ts'
import type { Change } from '../table/change-stream.ts'
import { findContact } from '../table/people/contacts.ts'
import type { MailLog } from '../table/people/mail-log.ts'
import type { DueMail, MailedSale, MailRule } from '../table/people/mail-option.ts'
import { findBrand } from '../table/sale/brand.ts'
import { mailDueFor } from './mail-due.ts'
import { type Mailer, MailerBusy, MailerFault, type MailSettings, type OutgoingMail } from './mailer.ts'

export type SendMailsPorts = Pick<ShopContext, 'table' | 'sealer' | 'personalKeys' | 'clock' | 'meter' | 'log'> & {
  /** Resolves with undefined when the sale was deleted. */
  saleOf: (saleId: SaleId) => Promise<MailedSale | undefined>
  mailLog: MailLog
  mailer: Mailer
  settings: Pick<MailSettings, 'timeZone'>
  /** The origin of the shop. */
  shopUrl: string
}

/** The emails about orders are part of the contract. */
const orderRule: MailRule = { mayRepeat: true, toUnsubscribed: true, besideCheckout: false }
const creditRule: MailRule = { ...orderRule, toUnsubscribed: false }

/** Resolves with the sequence numbers of the changes to redeliver. Starts no email after `deadline` (epoch ms). */
export async function sendMails(
  ports: SendMailsPorts,
  changes: readonly Change[],
  deadline: number,
): Promise<string[]> {
  const failed: string[] = []
  const process = async (change: Change) => {
    const result = ports.clock() < deadline ? await handle(ports, change) : 'again'
    if (result === 'again') failed.push(change.sequenceNumber)
    return result
  }
  const isBulk = (change: Change) => change.kind === 'option' && change.isMany
  const [first, ...others] = changes.filter(isBulk)
  // When the service does not answer, the outcome of every concurrent email is unknown, so the first one goes alone.
  if (first !== undefined && (await process(first)) === 'silent')
    failed.push(...others.map(({ sequenceNumber }) => sequenceNumber))
  else await Promise.all(others.map(process))
  for (const change of changes.filter((one) => !isBulk(one))) await process(change)
  ports.meter.count('MailsFailed', failed.length)
  return failed
}

/** `again`: the change must be redelivered. `silent`: it is done, but the email service did not answer. */
type Handled = 'done' | 'again' | 'silent'

async function handle(ports: SendMailsPorts, change: Change): Promise<Handled> {
  const due = dueOf(ports, change)
  if (due === undefined) return 'done'
  try {
    return await sendOnce(ports, due)
  } catch (error) {
    ports.log.warn('email not sent yet', { ...idsOf(due), ...errorFacts(error) })
    return 'again'
  }
}

function dueOf({ clock, log, meter }: SendMailsPorts, change: Change): DueMail | undefined {
  if (change.kind === 'unreadable') {
    // A retry would fail again and block all later changes.
    meter.count('MailsRejected')
    log.error('change not readable', { detail: change.detail })
    return undefined
  }
  if (change.kind === 'credit') {
    const { credit } = change
    const id = { packetId: packetIdOf(credit.saleId, credit.packet) }
    return { id, mail: { ...credit, kind: 'packet-credited' }, rule: creditRule }
  }
  if (change.kind === 'option') return change.dueAt(clock())
  const { orderId, revision } = change.order
  const mail = mailDueFor(change.order, clock())
  return mail === undefined ? undefined : { id: { orderId, revision }, mail, rule: orderRule }
}

async function sendOnce(ports: SendMailsPorts, due: DueMail): Promise<Handled> {
  const { mailLog, meter, table, clock } = ports
  const { id, mail, rule } = due
  const contact = await findContact(ports, mail.shopperId)
  if (contact === undefined || (contact.unsubscribed && !rule.toUnsubscribed)) {
    meter.count('MailsSkipped')
    return 'done'
  }
  const sale = await ports.saleOf(mail.saleId)
  if ('isStillDue' in due && !(await due.isStillDue(table, sale, clock()))) return 'done'
  if (sale?.checkoutUrl !== undefined && !rule.besideCheckout) return 'done'
  // Rendered before `begin`, so that a crash between `begin` and sending is unlikely.
  const outgoing = await render(ports, due, contact, sale)
  const begun = await mailLog.begin(id, rule.mayRepeat)
  if (begun === 'unknown') {
    // Mark first: without the mark the change is redelivered and counted again.
    await mailLog.finish(id, begun)
    recordAttempt(ports, due, { kind: begun, reason: 'crash' })
    return 'done'
  }
  if (begun !== 'begun') return begun === 'done' ? 'done' : 'again'
  const sent = await send(ports, due, outgoing)
  recordAttempt(ports, due, sent)
  await finish(ports, due, sent.kind)
  return sent.kind === 'unknown' ? 'silent' : 'done'
}

type Attempt = Awaited<ReturnType<Mailer['send']>> | { kind: 'unknown'; reason: string }

const metricOf = {
  sent: 'MailsSent',
  rejected: 'MailsRejected',
  unknown: 'MailsUnknown',
} as const satisfies Record<Attempt['kind'], MetricName>

function recordAttempt({ meter, log }: SendMailsPorts, due: DueMail, attempt: Attempt): void {
  meter.count(metricOf[attempt.kind])
  if (attempt.kind === 'sent') return
  const message = attempt.kind === 'rejected' ? 'email rejected' : 'not known whether the email left'
  log.warn(message, { ...idsOf(due), reason: attempt.reason })
}

/** Sends the email. @throws when it was not sent, or may be sent again */
async function send({ mailLog, mailer }: SendMailsPorts, due: DueMail, outgoing: OutgoingMail): Promise<Attempt> {
  try {
    return await mailer.send(outgoing)
  } catch (error) {
    const isBusy = error instanceof MailerBusy
    const isFault = error instanceof MailerFault
    if (!due.rule.mayRepeat && !isBusy && !isFault) {
      return { kind: 'unknown', reason: error instanceof Error ? error.name : 'not an Error' }
    }
    // After a fault the lease delays the retry. An email that may not repeat is never retried after its lease.
    if (isBusy || !due.rule.mayRepeat) await mailLog.release(due.id)
    throw error
  }
}

/** Marks the email. A failure is only logged: a redelivered change would send the email twice. */
async function finish({ mailLog, log }: SendMailsPorts, due: DueMail, outcome: Attempt['kind']): Promise<void> {
  try {
    await mailLog.finish(due.id, outcome)
  } catch (error) {
    log.warn('email sent but not marked', { ...idsOf(due), ...errorFacts(error) })
  }
}

async function render(ports: SendMailsPorts, due: DueMail, contact: Contact, sale: MailedSale | undefined) {
  const { mail } = due
  const { shopUrl, settings } = ports
  const { brand } = await findBrand(ports.table)
  // The contact's language may be one that the shop does not offer.
  const language = chooseLanguage(contact.language, [], offeredLanguages(brand))
  const title = sale === undefined ? mail.saleId : textIn(sale, language).title
  const unsubscribeUrl = 'orderId' in mail ? undefined : await unsubscribeUrlOf(ports, mail)
  const reader = {
    ...{ brand, language, title, shopUrl, unsubscribeUrl },
    variants: variantNamesIn(sale?.variants ?? [], language),
    timeZone: sale?.timeZone ?? settings.timeZone,
  }
  return { to: contact.email, unsubscribeUrl, ...renderMail(mail, reader, 'write' in due ? due.write : undefined) }
}

async function unsubscribeUrlOf({ sealer, shopUrl }: SendMailsPorts, { shopperId }: DueMail['mail']) {
  return shopUrl + unsubscribePath(await sealer.seal(unsubscribeSeal, { shopperId }))
}

/** Returns ids of sales and orders for the log, and no personal data. */
function idsOf({ id, mail: { kind } }: DueMail): LogFacts {
  if ('orderId' in id) return { kind, orderId: id.orderId }
  return { kind, ...('packetId' in id ? { packetId: id.packetId } : { saleId: id.saleId }) }
}
