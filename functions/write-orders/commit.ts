/**
 * Brings one chunk of orders to its final state, whatever the table says to it. The transaction is tried as a
 * whole; when it is refused, the reasons name who is in the way: a duplicate is dropped (it is already
 * written), an order over its shopper's limit or over the cap of its sale becomes a rejected order that its
 * shopper can see, and the rest is tried again.
 *
 * Every transaction of a sale updates the sale's one cap item, and of two that overlap there the table cancels one.
 * The queue's consumer runs at least two writers, so this is daily business: the cancelled one comes back after a
 * random pause, for as long as its invocation has time.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { backOffMs } from '../back-off.ts'
import { rejected } from '../order-life/new-order.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Entry } from './entry.ts'

/**
 * Why a transaction was refused. `caps` holds, for each sale whose cap did not suffice, the units it still had.
 * An order that is already written is only in `duplicates`.
 */
export type Refusal = {
  kind: 'refused'
  duplicates: ReadonlySet<OrderId>
  overLimit: ReadonlySet<OrderId>
  caps: ReadonlyMap<SaleId, number>
}

/** `busy`: nothing was written, the same may go through in a moment. `dark`: the table gave no usable answer. */
export type Written = { kind: 'written' } | { kind: 'busy' } | { kind: 'dark'; cause: unknown } | Refusal

/** One transaction: all of the chunk or nothing. Rejected orders use neither cap nor limit. */
export type OrderBook = { write: (chunk: readonly Entry[]) => Promise<Written> }

type Ports = {
  book: OrderBook
  clock: () => number
  sleep: (milliseconds: number) => Promise<void>
} & Telemetry

/** The table is dark, or there was no time left to wait for a gap. Nothing is wrong with the orders. */
export class TableUnavailable extends Error {
  override name = 'TableUnavailable'
}

/**
 * Resolves when every entry is in the table, with those whose order may be waiting for its payment there: what was
 * written, and the duplicates. No transaction is begun after `deadline` (epoch ms). Throws TableUnavailable when the
 * messages need only come again, or what the book throws.
 */
export async function commitChunk(
  ports: Ports,
  chunk: readonly Entry[],
  deadline: number,
): Promise<readonly Entry[]> {
  let entries = chunk
  let refusals = 0
  while (entries.length > 0) {
    if (ports.clock() >= deadline) {
      throw new TableUnavailable(`no time is left; the table was busy ${refusals} times`)
    }
    const result = await ports.book.write(entries)
    if (result.kind === 'written') {
      ports.meter.count('TransactionsWritten')
      break
    }
    if (result.kind === 'dark') throw new TableUnavailable('the table is dark', { cause: result.cause })
    if (result.kind === 'busy') {
      ports.meter.count('TransactionsRefused')
      refusals += 1
      await ports.sleep(backOffMs(refusals))
    } else {
      entries = withoutTheRefused(entries, result)
    }
  }
  const refused = entries.map(({ order }) => order).filter(({ status }) => status === 'rejected')
  ports.meter.count('DuplicatesDropped', chunk.length - entries.length)
  ports.meter.count('OrdersWritten', entries.length - refused.length)
  ports.meter.count('OrdersRejected', refused.length)
  for (const order of refused) tell(ports, order)
  const refusedIds = new Set(refused.map(({ orderId }) => orderId))
  return chunk.filter(({ order }) => order.status === 'awaiting-payment' && !refusedIds.has(order.orderId))
}

/** An order over the cap was admitted by a Redis that had forgotten others: somebody must look. */
function tell({ log }: Telemetry, { orderId, saleId, reason }: Order): void {
  const line = reason === 'over-cap' ? log.error : log.warn
  line('order rejected', { orderId, saleId, reason })
}

/**
 * Duplicates and limits first: as long as they are in the chunk they ask for units of the cap that they will
 * not use, so what the cap says counts only when nothing else was in the way.
 */
function withoutTheRefused(entries: readonly Entry[], refusal: Refusal): readonly Entry[] {
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
