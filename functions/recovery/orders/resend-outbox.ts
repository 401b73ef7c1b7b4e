/**
 * Sends again what stays in an outbox (O5): messages whose first sending failed, or whose sender died between the
 * script and the queue. A message leaves the outbox when its order is in the table, so one that is only waiting in the
 * queue may be sent twice; the writer drops the duplicate. A message that the queue keeps refusing, or that the writer
 * can never write, becomes a rejected order: its shopper sees that, and its units are for sale again (O7).
 */
import type { OrderId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../../core/orders/order-message.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Commander } from '../../../redis/command.ts'
import { type HeldOrder, readHolds } from '../../../redis/orders/holds.ts'
import {
  acknowledge,
  messagesPerPage,
  noteRefused,
  outboxPages,
  type PendingMessage,
  takeAllDue,
} from '../../../redis/orders/outbox.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { tryEach } from '../../lib/retry.ts'
import { messagesIn } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { rejectedOrder } from '../../orders/new-order.ts'
import { releaseUnits } from '../../orders/release.ts'
import { rejectOrder } from '../../table/orders/change-orders.ts'
import type { RepairPorts } from '../ports.ts'

/** With an empty queue, a message younger than this is most likely just being sent (O5). */
export const minAgeMs = 10_000

/**
 * While the queue is not empty, a message is most likely in it. It is sent again after this time,
 * and then each time that its age has doubled: a long queue must not grow because it is long.
 */
const queuedResendMs = 120_000

/**
 * At one sending a minute this is half an hour: a message that was sent so often, to a queue that was empty
 * again each time, or that refused it, never becomes an order (O7).
 */
export const maxSends = 30

/** A message is given up no sooner than this, because a repair on demand also counts as a sending. */
const minGiveUpAgeMs = maxSends * 60_000

/**
 * `resent` went to the queue again. `waiting` counts the messages whose orders are not in the table, `resent` included;
 * `oldestAgeMs` is the age of the oldest message seen; `givenUp` counts messages that are not sent any more.
 */
export type OutboxResent = { resent: number; waiting: number; oldestAgeMs: number; givenUp: number }

/** An entry of the outbox; `message` is undefined when it cannot be parsed. */
type Entry = PendingMessage & { message: OrderMessage | undefined }

/**
 * Sends every message of `sale` again that is older than `ageMs` and was not sent within that time;
 * while messages are in the queue, only those that wait for long. An unavailable queue is logged
 * and changes nothing. A shard that does not answer keeps no other from sending.
 * @throws when Redis or the table is unavailable
 */
export async function resendOutbox(ports: RepairPorts, sale: Sale, ageMs: number): Promise<OutboxResent> {
  const sum: OutboxResent = { resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0 }
  const queueState = readQueueOnce(ports)
  await tryEach(await shardsOf(ports.stock, sale.saleId), (shard) =>
    resendShard({ ...ports, sale, shard, ageMs }, queueState, sum),
  )
  return sum
}

/** The outbox of one shard, of which messages are sent that are older than `ageMs`. */
type ShardOutbox = RepairPorts & { sale: Sale; shard: Commander; ageMs: number }

/** Adds what it did to `sum`. */
async function resendShard(
  outbox: ShardOutbox,
  queueState: ReturnType<typeof readQueueOnce>,
  sum: OutboxResent,
): Promise<void> {
  const { shard, ageMs } = outbox
  const { saleId } = outbox.sale
  const now = outbox.clock()
  for await (const page of outboxPages(shard, saleId, messagesPerPage)) {
    const entries = page.map((pending) => readPending(outbox, pending))
    const ages = entries.flatMap(({ message }) => (message === undefined ? [] : [now - message.reservedAt]))
    sum.waiting += page.length
    sum.oldestAgeMs = Math.max(sum.oldestAgeMs, ...ages)
    const old = entries.filter(({ message }) => message === undefined || now - message.reservedAt >= ageMs)
    if (old.length === 0) continue
    const queue = await queueState()
    if (queue === 'unavailable') continue
    const due = queue === 'empty' ? old : old.filter((entry) => !isLikelyQueued(entry, now))
    const { resent, givenUp } = await sendDue(outbox, due, queue)
    sum.resent += resent
    sum.givenUp += givenUp
    sum.waiting -= givenUp
  }
}

/** Whether the message is probably in the queue, which is not empty. */
function isLikelyQueued({ message, sentAt, isRefused }: Entry, now: number): boolean {
  if (message === undefined || isRefused) return false
  const { reservedAt } = message
  const last = sentAt ?? reservedAt
  return now - last < Math.max(queuedResendMs, last - reservedAt)
}

/** A queue that does not answer says nothing about a message, so its silence must not count against one. */
function readQueueOnce({ orderQueue, log }: RepairPorts): () => Promise<'empty' | 'busy' | 'unavailable'> {
  let answer: ReturnType<typeof ask> | undefined
  const ask = async () => {
    try {
      return messagesIn(await orderQueue.depth()) === 0 ? 'empty' : 'busy'
    } catch (error) {
      log.warn('the order queue does not answer; nothing was sent again', errorFacts(error))
      return 'unavailable'
    }
  }
  return () => {
    answer ??= ask()
    return answer
  }
}

async function sendDue(
  outbox: ShardOutbox,
  due: readonly Entry[],
  queue: 'empty' | 'busy',
): Promise<Pick<OutboxResent, 'resent' | 'givenUp'>> {
  const { clock, shard, sale, ageMs } = outbox
  const ids = due.map(({ orderId }) => orderId)
  const now = clock()
  const sends = await takeAllDue(shard, sale.saleId, ids, { now, minAgeMs: ageMs })
  const oldest = now - minGiveUpAgeMs
  const claimed = due.flatMap((entry) => {
    const count = sends.get(entry.orderId)
    return count === undefined ? [] : [{ ...entry, sends: count }]
  })
  // A busy queue may still hold the messages that it took.
  const isExhausted = ({ sends: count, isRefused, message }: Entry) =>
    count > maxSends &&
    (queue === 'empty' || isRefused || message === undefined) &&
    (message === undefined || message.reservedAt <= oldest)
  const exhausted = claimed.filter(isExhausted).map(({ orderId }) => orderId)
  const resent = await resend(
    outbox,
    claimed.filter((entry) => !isExhausted(entry)),
    now,
  )
  return { resent, givenUp: await giveUp(outbox, exhausted, oldest) }
}

/** An unreadable message counts as refused. */
async function resend(
  { orderQueue, log, shard, sale: { saleId } }: ShardOutbox,
  entries: readonly Entry[],
  now: number,
): Promise<number> {
  const readable = entries.filter(({ message }) => message !== undefined)
  const messages = readable.flatMap(({ message }) => message ?? [])
  const errors = messages.length === 0 ? [] : await orderQueue.sendAll(messages)
  const refused = new Set(entries.filter(({ message }) => message === undefined))
  for (const [index, entry] of readable.entries()) if (errors[index] !== undefined) refused.add(entry)
  const failed = errors.find((error) => error !== undefined)
  if (failed !== undefined) {
    log.warn('the queue refused messages', { saleId, messages: refused.size, ...errorFacts(failed) })
  }
  await noteRefused(shard, saleId, [...refused], now)
  const resent = entries.length - refused.size
  if (resent > 0) log.info('outbox sent again', { saleId, messages: resent })
  return resent
}

/** A hold has all that a rejected order needs, for unreadable messages too. Keeps those after `oldest` (epoch ms). */
async function giveUp(outbox: ShardOutbox, exhaustedIds: readonly OrderId[], oldest: number): Promise<number> {
  const { meter, log, shard, sale } = outbox
  if (exhaustedIds.length === 0) return 0
  const held = await readHolds(shard, sale.saleId, new Set(exhaustedIds))
  const orderIds = exhaustedIds.filter((orderId) => (held.get(orderId)?.reservedAt ?? oldest) <= oldest)
  if (orderIds.length === 0) return 0
  const holds = orderIds.flatMap((orderId) => held.get(orderId) ?? [])
  const rejected = await rejectHolds(outbox, sale, holds)
  meter.count('Undeliverable', rejected.length)
  log.error('messages given up: no order came of them', { saleId: sale.saleId, orderIds, rejected })
  // The order is written, or its units are not held: there is nothing left to send.
  await acknowledge(shard, sale.saleId, orderIds)
  return orderIds.length
}

/** Our script writes the outbox, so an unreadable message is a defect: log it every time. */
function readPending({ log }: RepairPorts, pending: PendingMessage): Entry {
  const message = readJson(orderMessage, pending.body)
  if (message.ok) return { ...pending, message: message.value }
  const { orderId } = pending
  log.error('a message in the outbox cannot be parsed', { orderId, reason: message.detail })
  return { ...pending, message: undefined }
}

/**
 * Records each hold as a rejected order unless its order is written, and gives the units back. Resolves with those that
 * were rejected now. The table arbitrates: a message of theirs that still comes finds the record and is a duplicate.
 * @throws when a part is unavailable; a release that was not made stays due
 */
async function rejectHolds(ports: RepairPorts, sale: Sale, holds: readonly HeldOrder[]): Promise<readonly OrderId[]> {
  const { saleId } = sale
  const rejected: HeldOrder[] = []
  for (const hold of holds) {
    const order = rejectedOrder({ ...hold, saleId }, sale, 'undeliverable', ports.clock())
    if ((await rejectOrder(ports.table, order)) === 'rejected') rejected.push(hold)
  }
  ports.meter.count('OrdersRejected', rejected.length)
  await releaseUnits(ports, saleId, rejected)
  return rejected.map(({ orderId }) => orderId)
}
