/**
 * Brings one group of orders to its final state: a duplicate is dropped, an order over its
 * shopper's limit or over the sale's cap becomes a rejected order that its shopper can see, and the
 * others are written.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { type Committed, commitGroup, type GroupPorts } from '../lib/group-commit.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import { rejected } from './new-order.ts'
import type { OrderEntry } from './order-entry.ts'

/**
 * Why a transaction was refused. `caps` holds the units left in each cap that did not suffice. An
 * order that is already written is only in `duplicates`.
 */
export type CommitRefusal = {
  kind: 'refused'
  duplicates: ReadonlySet<OrderId>
  overLimit: ReadonlySet<OrderId>
  caps: ReadonlyMap<SaleId, number>
}

export type Written = Committed<CommitRefusal>

/**
 * One transaction: all of the chunk or nothing. Rejected orders use neither cap nor limit. The
 * others take their units from the part of the cap that they name, all of a sale from the same.
 */
export type OrderBook = { write: (chunk: readonly OrderEntry[]) => Promise<Written> }

export type CommitPorts = { book: OrderBook } & GroupPorts

/**
 * `written`: by this call, in their final form. `unpaid` may be waiting for payment: the written
 * ones and the duplicates.
 */
export type ChunkCommitted = { written: readonly OrderEntry[]; unpaid: readonly OrderEntry[] }

/**
 * Resolves when every entry is in the table. Begins no transaction after `deadline` (epoch ms).
 * @throws TableUnavailable when the messages only need a retry, or what the order book throws
 */
export async function commitChunk(
  ports: CommitPorts,
  chunk: readonly OrderEntry[],
  deadline: number,
): Promise<ChunkCommitted> {
  const { book, meter } = ports
  const group = { write: (some: readonly OrderEntry[]) => book.write(some), withoutRefused }
  const entries = await commitGroup(ports, chunk, group, deadline)
  const refused = entries.map(({ order }) => order).filter(({ status }) => status === 'rejected')
  meter.count('DuplicatesDropped', chunk.length - entries.length)
  meter.count('OrdersWritten', entries.length - refused.length)
  meter.count('OrdersRejected', refused.length)
  for (const order of refused) report(ports, order)
  const refusedIds = new Set(refused.map(({ orderId }) => orderId))
  const unpaid = chunk.filter(
    ({ order }) => order.status === 'awaiting-payment' && !refusedIds.has(order.orderId),
  )
  return { written: entries, unpaid }
}

/**
 * Over the cap: Redis admitted this order after losing others, which an operator must investigate.
 */
function report({ log }: Telemetry, { orderId, saleId, reason }: Order): void {
  const line = reason === 'over-cap' ? log.error : log.warn
  line('order rejected', { orderId, saleId, reason })
}

/**
 * Duplicates and limits first: while they are in the chunk they ask for units of the cap that they
 * will not use, so the cap's answer counts only when nothing else was refused.
 */
function withoutRefused(entries: readonly OrderEntry[], refusal: CommitRefusal): readonly OrderEntry[] {
  const { duplicates, overLimit, caps } = refusal
  if (duplicates.size > 0 || overLimit.size > 0) {
    return entries
      .filter(({ order }) => !duplicates.has(order.orderId))
      .map((entry) => {
        const { order } = entry
        return overLimit.has(order.orderId) ? { ...entry, order: rejected(order, 'over-limit') } : entry
      })
  }
  const left = new Map(caps)
  return entries.map((entry) => {
    const { saleId, quantity, status } = entry.order
    const remaining = left.get(saleId)
    if (status === 'rejected' || remaining === undefined) return entry
    if (quantity > remaining) return { ...entry, order: rejected(entry.order, 'over-cap') }
    left.set(saleId, remaining - quantity)
    return entry
  })
}
