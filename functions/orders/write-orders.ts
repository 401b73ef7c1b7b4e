/**
 * Writes orders from messages, many in one transaction (group commit). SQS may deliver a message twice, late, or together
 * with one that can never succeed. Still, an order is written once (O6), the cap of its sale is final (I1), and a bad
 * message fails alone. Order, buyer's total and cap change together or not at all (O3).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { type AcknowledgedOrder, type AcknowledgePorts, acknowledgeBatch } from '../lib/acknowledge.ts'
import { commitEach, commitGroup, type GroupPorts } from '../lib/group-commit.ts'
import type { QueueMessage } from '../lib/queue-consumer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { refreshSales } from '../sales/publishing/shopfront.ts'
import { chunksOf, type OrderEntry } from '../table/orders/order-entry.ts'
import type { CommitRefusal, OrderWriter } from '../table/orders/order-writer.ts'
import { otherCounters } from '../table/stock/cap-item.ts'
import { type Deadlines, setTimers } from './deadlines.ts'
import { toRejected } from './new-order.ts'
import { type ReadPorts, readMessages } from './read-messages.ts'

export type WriterPorts = ReadPorts &
  CommitPorts &
  Pick<ShopContext, 'shopfront' | 'clock' | 'meter' | 'log'> &
  AcknowledgePorts & { deadlines: Deadlines }

/**
 * Writes the orders and resolves with the ids of the messages to redeliver. Starts no transaction after `deadline`
 * (epoch ms), and then waits neither for the terms of a sale, nor for its published units, nor for a timer.
 *
 * Refreshes the shopfront last, after the messages were removed from the outbox, so that the batch that empties the
 * outbox publishes the final count.
 */
export async function writeOrders(
  ports: WriterPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { entries, deadLettered, redeliver } = await readMessages(ports, messages, deadline)
  const [unfinished] = await Promise.all([
    writeWithTimers(ports, entries, deadline),
    // The dead-letter queue has these now, so they leave the outbox, or `reconcile` would send them again. Their units stay
    // held (O7).
    acknowledgeBatch(
      ports,
      deadLettered.map(({ saleId, orderId, shopperId }) => ({ saleId, orderId, shopperId })),
    ),
  ])
  await refreshSales(ports, new Set(entries.map(({ order }) => order.saleId)), deadline)
  redeliver.push(...unfinished.flatMap(({ messageIds }) => messageIds))
  ports.meter.count('MessagesFailed', redeliver.length)
  return redeliver
}

/**
 * Resolves with the entries whose messages must be redelivered. If a timer could not be set, the message of its
 * order is redelivered too, because an order without a timer would stay unpaid for ever. The duplicate then sets it (O8).
 */
async function writeWithTimers(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<OrderEntry[]> {
  const { failed, needTimer, done } = await writeAll(ports, entries, deadline)
  const timers = needTimer.map(({ order }) => ({ orderId: order.orderId, at: order.cancelAt }))
  const [isSet] = await Promise.all([setTimers(ports, timers, deadline), acknowledgeBatch(ports, done)])
  return isSet ? failed : [...failed, ...needTimer]
}

/** `failed` were not written. `needTimer` may await payment: written orders and duplicates. `done` are in the table. */
async function writeAll(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<{ failed: OrderEntry[]; needTimer: OrderEntry[]; done: AcknowledgedOrder[] }> {
  const needTimer: OrderEntry[] = []
  const done: AcknowledgedOrder[] = []
  const failed = await commitEach(
    chunksOf(entries),
    async (chunk) => {
      const committed = await commitChunk(ports, chunk, deadline)
      needTimer.push(...committed.needTimer)
      const writtenNow = new Set(committed.written.map(({ order }) => order.orderId))
      done.push(...chunk.map((entry) => toAcknowledged(entry, writtenNow)))
    },
    (left, error) => {
      const orderIds = left.map(({ order }) => order.orderId)
      ports.log.warn('orders not written', { orderIds, ...errorFacts(error) })
    },
  )
  return { failed, needTimer, done }
}

/** Only the call that wrote an order reports its admission to the gate. */
function toAcknowledged({ order, admitted }: OrderEntry, writtenNow: ReadonlySet<string>): AcknowledgedOrder {
  const { saleId, orderId, shopperId } = order
  return { saleId, orderId, shopperId, admitted: writtenNow.has(orderId) ? admitted : undefined }
}

export type CommitPorts = { writer: OrderWriter } & GroupPorts

/** `written`: by this call, in their final form. `needTimer` may await payment: written orders and duplicates. */
export type ChunkCommitted = { written: readonly OrderEntry[]; needTimer: readonly OrderEntry[] }

/**
 * Resolves when every entry is in the table. Starts no transaction after `deadline` (epoch ms).
 * @throws TableUnavailable when the messages only need a retry, or what `writer` throws
 */
export async function commitChunk(
  ports: CommitPorts,
  chunk: readonly OrderEntry[],
  deadline: number,
): Promise<ChunkCommitted> {
  const { writer, meter } = ports
  const group = { write: (some: readonly OrderEntry[]) => writer.write(some), nextAttempt }
  const entries = await commitGroup(ports, chunk, group, deadline)
  const rejected = entries.map(({ order }) => order).filter(({ status }) => status === 'rejected')
  meter.count('DuplicatesDropped', chunk.length - entries.length)
  meter.count('OrdersWritten', entries.length - rejected.length)
  meter.count('OrdersRejected', rejected.length)
  for (const order of rejected) report(ports, order)
  const rejectedIds = new Set(rejected.map(({ orderId }) => orderId))
  const needTimer = chunk.filter(({ order }) => order.status === 'awaiting-payment' && !rejectedIds.has(order.orderId))
  return { written: entries, needTimer }
}

/** Logs a rejected order. Over the cap is an error: Redis booked its units after it had lost other orders; an operator must act. */
function report({ log }: Telemetry, { orderId, saleId, reason }: Order): void {
  const logAs = reason === 'over-cap' ? log.error : log.warn
  logAs('order rejected', { orderId, saleId, reason })
}

/**
 * Returns the entries that `commitGroup` tries next. Removes duplicates and rejects orders over a limit first: their units
 * may be all that exceeded the cap, so a refusal of the cap counts only when nothing else was refused.
 */
function nextAttempt(entries: readonly OrderEntry[], refusal: CommitRefusal): readonly OrderEntry[] {
  const { duplicates, overLimit, packetTaken, caps, counters } = refusal
  if (duplicates.size + overLimit.size + packetTaken.size > 0) {
    return entries
      .filter(({ order }) => !duplicates.has(order.orderId))
      .map((entry) => {
        const { order } = entry
        // Another order has the red packet, so this one would exceed the budget.
        if (packetTaken.has(order.orderId)) return { ...entry, order: toRejected(order, 'over-cap') }
        return overLimit.has(order.orderId) ? { ...entry, order: toRejected(order, 'over-limit') } : entry
      })
  }
  // A counter without an entry here was not refused, so it has enough.
  const left = new Map<string, number>(caps)
  for (const [saleId, counts] of counters) {
    for (const [name, count] of Object.entries(counts)) left.set(counterOf(saleId, name), count)
  }
  const leftIn = (counter: string) => left.get(counter) ?? Number.POSITIVE_INFINITY
  return entries.map((entry) => {
    if (entry.order.status === 'rejected') return entry
    const wanted = countersOf(entry.order)
    if (wanted.some(([counter, units]) => units > leftIn(counter))) {
      return { ...entry, order: toRejected(entry.order, 'over-cap') }
    }
    for (const [counter, units] of wanted) left.set(counter, leftIn(counter) - units)
    return entry
  })
}

/** Returns the counters that an order takes from: the units of its sale, and its other counters. */
function countersOf(order: Order): [counter: string, count: number][] {
  const { saleId, quantity } = order
  const beside = Object.entries(otherCounters(order))
  return [[saleId, quantity], ...beside.map(([name, count]): [string, number] => [counterOf(saleId, name), count])]
}

const counterOf = (saleId: SaleId, name: string) => `${saleId}/${name}`
