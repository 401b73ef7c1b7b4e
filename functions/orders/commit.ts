/**
 * Brings one group of orders to its final state: a duplicate is dropped, an order over its
 * shopper's limit or over the sale's cap becomes a rejected order that its shopper can see, and the
 * others are written.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import { commitGroup, type GroupPorts } from '../lib/group-commit.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { CommitRefusal, OrderBook } from '../table/orders/order-book.ts'
import type { OrderEntry } from '../table/orders/order-entry.ts'
import { rejected } from './new-order.ts'

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
  const unpaid = chunk.filter(({ order }) => order.status === 'awaiting-payment' && !refusedIds.has(order.orderId))
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
  const { duplicates, overLimit, caps, variants = new Map<SaleId, VariantUnits>() } = refusal
  if (duplicates.size > 0 || overLimit.size > 0) {
    return entries
      .filter(({ order }) => !duplicates.has(order.orderId))
      .map((entry) => {
        const { order } = entry
        return overLimit.has(order.orderId) ? { ...entry, order: rejected(order, 'over-limit') } : entry
      })
  }
  const left = new Map<string, number>(caps)
  for (const [saleId, units] of variants) {
    for (const [id, count] of Object.entries(units)) left.set(counterOf(saleId, id), count)
  }
  const leftIn = (counter: string) => left.get(counter) ?? Number.POSITIVE_INFINITY
  return entries.map((entry) => {
    if (entry.order.status === 'rejected') return entry
    const wanted = countersOf(entry.order)
    if (wanted.some(([counter, units]) => units > leftIn(counter))) {
      return { ...entry, order: rejected(entry.order, 'over-cap') }
    }
    for (const [counter, units] of wanted) left.set(counter, leftIn(counter) - units)
    return entry
  })
}

/** The counters that an order takes its units from: of its sale, and of its variant. */
function countersOf({ saleId, quantity, variant }: Order): [counter: string, units: number][] {
  return [saleId, ...(variant === undefined ? [] : [counterOf(saleId, variant)])].map((counter) => [counter, quantity])
}

const counterOf = (saleId: SaleId, variant: string) => `${saleId}/${variant}`
