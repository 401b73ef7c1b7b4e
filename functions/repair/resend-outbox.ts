/**
 * Sends again what stayed in an outbox (O5): messages whose first sending failed, or whose sender
 * died between the script and the queue. If the message had arrived after all, the writer drops the
 * duplicate. A message that the queue keeps refusing becomes a rejected order: its shopper sees
 * that, and its units are for sale again (O7).
 */
import type { OrderId } from '../../core/ids.ts'
import { type OrderMessage, orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'
import type { Sale } from '../../core/sale.ts'
import {
  acknowledge,
  messagesPerPage,
  outboxPages,
  type PendingMessage,
  takeAllDue,
} from '../../redis/outbox.ts'
import { readHold } from '../../redis/stock.ts'
import { errorFacts } from '../lib/telemetry.ts'
import type { RepairPorts } from './ports.ts'
import { rejectHolds } from './reject-holds.ts'

/** A message younger than this is most likely just being sent (O5). */
export const minAgeMs = 10_000

/**
 * At one sending a minute this is half an hour: what the queue refuses for so long, it will never
 * take (O7).
 */
export const maxSends = 30

/**
 * A message is given up no sooner than this, because a repair on demand also counts as a sending.
 */
const leastAgeMs = maxSends * 60_000

/**
 * `waiting` counts what is left; `oldestAgeMs` is the age of the oldest message seen, sent again or
 * not; `givenUp` counts messages that are not sent any more.
 */
export type OutboxResent = { resent: number; waiting: number; oldestAgeMs: number; givenUp: number }

/** An entry of the outbox; `message` is undefined when it cannot be parsed. */
type Entry = { orderId: OrderId; message: OrderMessage | undefined }

/**
 * Sends every message of `sale` again that is older than `ageMs` and was not sent within that time,
 * and removes what is queued from the outbox. An unavailable queue is logged and changes nothing.
 * @throws when Redis or the table is unavailable
 */
export async function resendOutbox(ports: RepairPorts, sale: Sale, ageMs: number): Promise<OutboxResent> {
  const { clock } = ports
  const { saleId } = sale
  const now = clock()
  const sum: OutboxResent = { resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0 }
  const queueAnswers = askOnce(ports)
  for await (const page of outboxPages(ports.stock, saleId, messagesPerPage)) {
    const entries = page.map((pending) => readPending(ports, pending))
    const ages = entries.flatMap(({ message }) => (message === undefined ? [] : [now - message.reservedAt]))
    sum.waiting += page.length
    sum.oldestAgeMs = Math.max(sum.oldestAgeMs, ...ages)
    const due = entries.filter(({ message }) => message === undefined || now - message.reservedAt >= ageMs)
    if (due.length === 0 || !(await queueAnswers())) continue
    const { resent, givenUp } = await sendDue(ports, sale, due, ageMs)
    sum.resent += resent
    sum.givenUp += givenUp
    sum.waiting -= resent + givenUp
  }
  return sum
}

/**
 * A queue that does not answer says nothing about a message, so its silence must not count against
 * one.
 */
function askOnce({ queues, log }: RepairPorts): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  const ask = () =>
    queues.orders().then(
      () => true,
      (error) => {
        log.warn('the order queue does not answer; nothing was sent again', errorFacts(error))
        return false
      },
    )
  return () => {
    answer ??= ask()
    return answer
  }
}

async function sendDue(
  ports: RepairPorts,
  sale: Sale,
  due: readonly Entry[],
  ageMs: number,
): Promise<Pick<OutboxResent, 'resent' | 'givenUp'>> {
  const { clock } = ports
  const ids = due.map(({ orderId }) => orderId)
  const now = clock()
  const sends = await takeAllDue(ports.stock, sale.saleId, ids, now, ageMs)
  const oldest = now - leastAgeMs
  const isPast = ({ orderId, message }: Entry) =>
    (sends.get(orderId) ?? 0) > maxSends && (message === undefined || message.reservedAt <= oldest)
  const ours = due.filter(({ orderId }) => sends.has(orderId))
  const hopeless = ours.filter(isPast).map(({ orderId }) => orderId)
  const messages = ours.flatMap((entry) =>
    entry.message === undefined || isPast(entry) ? [] : [entry.message],
  )
  return { resent: await resend(ports, sale, messages), givenUp: await giveUp(ports, sale, hopeless, oldest) }
}

async function resend(
  { stock, queue, log }: RepairPorts,
  { saleId }: Sale,
  messages: readonly OrderMessage[],
): Promise<number> {
  if (messages.length === 0) return 0
  const errors = await queue.sendAll(messages)
  const sent = messages.filter((_, index) => errors[index] === undefined).map(({ orderId }) => orderId)
  const failed = errors.find((error) => error !== undefined)
  if (failed !== undefined) {
    const facts = { saleId, messages: messages.length - sent.length, ...errorFacts(failed) }
    log.warn('messages stay in the outbox', facts)
  }
  await acknowledge(stock, saleId, sent)
  if (sent.length > 0) log.info('outbox sent again', { saleId, messages: sent.length })
  return sent.length
}

/**
 * The hold has all that a rejected order needs, its age included, so that an unreadable message can
 * be given up too. Reservations after `oldest` (epoch ms) are kept.
 */
async function giveUp(
  ports: RepairPorts,
  sale: Sale,
  pastIds: readonly OrderId[],
  oldest: number,
): Promise<number> {
  const { meter, log } = ports
  const looked = await Promise.all(
    pastIds.map(async (orderId) => ({ orderId, hold: await readHold(ports.stock, orderId) })),
  )
  const found = looked.filter(({ hold }) => hold === undefined || hold.reservedAt <= oldest)
  if (found.length === 0) return 0
  const orderIds = found.map(({ orderId }) => orderId)
  const holds = found.flatMap(({ orderId, hold }) => (hold === undefined ? [] : [{ orderId, ...hold }]))
  const rejected = await rejectHolds(ports, sale, holds, 'undeliverable')
  meter.count('Undeliverable', rejected.length)
  log.error('messages given up: the queue never took them', { saleId: sale.saleId, orderIds, rejected })
  // The order is written, or its units are not held: there is nothing left to send.
  await acknowledge(ports.stock, sale.saleId, orderIds)
  return orderIds.length
}

/** Our script writes the outbox, so an unreadable message is a defect: log it every time. */
function readPending({ log }: RepairPorts, { orderId, body }: PendingMessage): Entry {
  const message = readJson(orderMessage, body)
  if (message.ok) return { orderId, message: message.value }
  log.error('the outbox holds a message nobody can read', { orderId, reason: message.detail })
  return { orderId, message: undefined }
}
