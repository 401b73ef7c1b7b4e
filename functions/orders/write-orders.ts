/**
 * Writes orders from messages, many in one transaction (group commit). SQS may deliver a message
 * twice, late, or beside one that can never succeed; still, an order is written once (O6), the cap
 * of its sale is final (I1), and a bad message fails alone. Order, buyer's total and cap change
 * together or not at all (O3).
 */

import type { FinalOrder } from '../../core/orders/order.ts'
import { type AcknowledgePorts, acknowledgeBatch, type Done } from '../lib/acknowledge.ts'
import { commitEach } from '../lib/group-commit.ts'
import type { QueueMessage } from '../lib/reject-to-dlq.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { refreshSales } from '../sales/publishing/shopfront.ts'
import { chunksOf, type OrderEntry } from '../table/orders/order-entry.ts'
import { type CommitPorts, commitChunk } from './commit.ts'
import { type Deadlines, setTimers } from './deadlines.ts'
import { type BatchPorts, readMessages } from './order-messages.ts'

export type WriterPorts = BatchPorts &
  CommitPorts &
  Pick<Shop, 'shopfront' | 'clock' | 'meter' | 'log'> &
  AcknowledgePorts<FinalOrder> & { deadlines: Deadlines }

/**
 * The ids of the messages that must be redelivered; every other message is done. After `deadline`
 * (epoch ms) no transaction begins, and no offer, shopfront or timer is waited for.
 *
 * The shopfront comes last, when the messages have left their outbox: so the batch that empties it
 * publishes the final count.
 */
export async function writeOrders(
  ports: WriterPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { entries, putAside, comeAgain } = await readMessages(ports, messages, deadline)
  const [unfinished] = await Promise.all([
    writeWithTimers(ports, entries, deadline),
    acknowledgeBatch(
      ports,
      putAside.map(({ saleId, orderId, shopperId }) => ({ saleId, id: { orderId, shopperId } })),
    ),
  ])
  await refreshSales(ports, new Set(entries.map(({ order }) => order.saleId)), deadline)
  comeAgain.push(...unfinished.flatMap(({ messageIds }) => messageIds))
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

/**
 * The entries whose messages must be redelivered. An order without a timer would stay unpaid for
 * ever, so its message is redelivered too, as a duplicate that only sets the timer; for the same
 * reason every duplicate sets one (O8).
 */
async function writeWithTimers(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<OrderEntry[]> {
  const { failed, unpaid, done } = await writeAll(ports, entries, deadline)
  const timers = unpaid.map(({ order }) => ({ orderId: order.orderId, at: order.cancelAt }))
  const [isSet] = await Promise.all([setTimers(ports, timers, deadline), acknowledgeBatch(ports, done)])
  return isSet ? failed : [...failed, ...unpaid]
}

/**
 * `failed` were not written. `unpaid` may be waiting for payment: the written ones and the
 * duplicates. `done` are in the table.
 */
async function writeAll(
  ports: WriterPorts,
  entries: readonly OrderEntry[],
  deadline: number,
): Promise<{ failed: OrderEntry[]; unpaid: OrderEntry[]; done: Done<FinalOrder>[] }> {
  const unpaid: OrderEntry[] = []
  const done: Done<FinalOrder>[] = []
  const failed = await commitEach(
    chunksOf(entries),
    async (chunk) => {
      const committed = await commitChunk(ports, chunk, deadline)
      unpaid.push(...committed.unpaid)
      const writtenNow = new Set(committed.written.map(({ order }) => order.orderId))
      done.push(...chunk.map((entry) => doneOf(entry, writtenNow)))
    },
    (left, error) => {
      const orderIds = left.map(({ order }) => order.orderId)
      ports.log.error('orders not written', { orderIds, ...errorFacts(error) })
    },
  )
  return { failed, unpaid, done }
}

/** The gate learns of an order from the call that wrote it. */
function doneOf({ order, admitted }: OrderEntry, writtenNow: ReadonlySet<string>): Done<FinalOrder> {
  const { saleId, orderId, shopperId } = order
  return { saleId, id: { orderId, shopperId }, admitted: writtenNow.has(orderId) ? admitted : undefined }
}
