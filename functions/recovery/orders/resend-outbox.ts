/**
 * Resends the messages in an outbox (O5): their first sending failed, or their sender died between the script and the queue. A
 * message leaves the outbox when its order is in the table, so one that still waits in the queue may be sent twice; the writer
 * drops the duplicate. A message that the queue keeps refusing becomes a rejected order: its shopper sees the rejection, and
 * the units are for sale again (O7).
 */
import type { OrderId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../../core/orders/order-message.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Commander } from '../../../redis/command.ts'
import { type HeldOrder, readHolds } from '../../../redis/orders/holds.ts'
import {
  acknowledge,
  claimAllDue,
  messagesPerPage,
  outboxPages,
  type PendingMessage,
  recordRefused,
} from '../../../redis/orders/outbox.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { lazyLoad } from '../../lib/lazy-load.ts'
import { tryEach } from '../../lib/retry.ts'
import { messagesIn } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { rejectedOrder } from '../../orders/new-order.ts'
import { releaseUnits } from '../../orders/release.ts'
import { rejectOrder } from '../../table/orders/change-orders.ts'
import type { RepairPorts } from '../ports.ts'

/** Younger messages are probably being sent for the first time, even if the queue is empty (O5). */
export const minAgeMs = 10_000

/**
 * While the queue is not empty, a message is probably in it. It is resent after this time, ms, and then each time its age has
 * doubled, so that resending does not lengthen a long queue.
 */
const queuedResendMs = 120_000

/** Half an hour at a sending a minute. A message sent so often to an empty or refusing queue never becomes an order (O7). */
export const maxSends = 30

/** The minimum age of a message that is given up, ms, because a repair on demand also counts as a sending. */
const minGiveUpAgeMs = maxSends * 60_000

/**
 * `resent` messages went to the queue again. `waiting` counts the messages whose orders are not in the table, `resent`
 * included; `oldestAgeMs` is the age of the oldest one; `givenUp` messages are not sent any more.
 */
export type OutboxResent = { resent: number; waiting: number; oldestAgeMs: number; givenUp: number }

/** An entry of the outbox; `message` is undefined when it cannot be parsed. */
type Entry = PendingMessage & { message: OrderMessage | undefined }

/**
 * Resends every message of `sale` that is older than `ageMs` and was not sent within that time; while the queue is busy, only
 * those that have waited long. An unavailable queue is logged and changes nothing. A shard that does not answer does not stop
 * the others.
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

/** The outbox of one shard. Messages older than `ageMs` are resent. */
type ShardOutbox = RepairPorts & { sale: Sale; shard: Commander; ageMs: number }

/** Resends the messages of one shard and adds the counts to `sum`. */
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

/** True when the message is probably in the queue, which is not empty. */
function isLikelyQueued({ message, sentAt, isRefused }: Entry, now: number): boolean {
  if (message === undefined || isRefused) return false
  const { reservedAt } = message
  const last = sentAt ?? reservedAt
  return now - last < Math.max(queuedResendMs, last - reservedAt)
}

/** Reads the state of the queue at most once. An unavailable queue must not count against a message. */
const readQueueOnce = ({ orderQueue, log }: RepairPorts) =>
  lazyLoad(async () => {
    try {
      return messagesIn(await orderQueue.depth()) === 0 ? 'empty' : 'busy'
    } catch (error) {
      log.warn('the order queue does not answer; nothing was sent again', errorFacts(error))
      return 'unavailable'
    }
  })

async function sendDue(
  outbox: ShardOutbox,
  due: readonly Entry[],
  queue: 'empty' | 'busy',
): Promise<Pick<OutboxResent, 'resent' | 'givenUp'>> {
  const { clock, shard, sale, ageMs } = outbox
  const ids = due.map(({ orderId }) => orderId)
  const now = clock()
  const sends = await claimAllDue(shard, sale.saleId, ids, { now, minAgeMs: ageMs })
  const oldest = now - minGiveUpAgeMs
  const claimed = due.flatMap((entry) => {
    const count = sends.get(entry.orderId)
    return count === undefined ? [] : [{ ...entry, sends: count }]
  })
  // A busy queue may still hold messages that it has accepted.
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

/** Resends the messages and returns their number. An unreadable message counts as refused. */
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
  await recordRefused(shard, saleId, [...refused], now)
  const resent = entries.length - refused.size
  if (resent > 0) log.info('outbox sent again', { saleId, messages: resent })
  return resent
}

/**
 * Rejects the orders of messages that were sent too often; a hold has all the facts, also for unreadable messages. Skips holds
 * younger than `oldest` (epoch ms).
 */
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
  // The order is written, or its units are not held, so nothing is left to send.
  await acknowledge(shard, sale.saleId, orderIds)
  return orderIds.length
}

/** Parses a message. Our own script writes the outbox, so an unreadable message is a defect: log it every time. */
function readPending({ log }: RepairPorts, pending: PendingMessage): Entry {
  const message = readJson(orderMessage, pending.body)
  if (message.ok) return { ...pending, message: message.value }
  const { orderId } = pending
  log.error('a message in the outbox cannot be parsed', { orderId, reason: message.detail })
  return { ...pending, message: undefined }
}

/**
 * Writes each hold as a rejected order unless its order exists, and releases the units. Resolves with the newly rejected
 * orders. The table arbitrates: a later message of theirs finds the record and is a duplicate.
 * @throws when a part is unavailable; an unfinished release stays due
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
