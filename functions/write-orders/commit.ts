/**
 * Brings one chunk of orders to its final state, whatever the table says to it. The transaction is tried as a
 * whole; when it is refused, the reasons name who is in the way: a duplicate is dropped (it is already
 * written), an order over its shopper's limit or over the cap of its sale becomes a rejected order that its
 * shopper can see, and the rest is tried again.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { RejectReason } from '../../core/order.ts'
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

export type Written = { kind: 'written' } | { kind: 'busy' } | Refusal

/** One transaction: all of the chunk or nothing. Rejected orders use neither cap nor limit. */
export type OrderBook = { write: (chunk: readonly Entry[]) => Promise<Written> }

type Ports = { book: OrderBook; pause: (milliseconds: number) => Promise<void> } & Telemetry

/** Tries against throttling and other writers: waits of up to 25, 50, 100 ... ms, under 2 s in all. */
const maxBusyTries = 7
const firstPauseMs = 25

/** Thrown when other writers or throttling left no gap; the messages come again. */
export class TableBusy extends Error {
  constructor() {
    super(`the table was busy ${maxBusyTries} times`)
    this.name = 'TableBusy'
  }
}

/** The entries this call wrote, duplicates left out. Throws TableBusy, or what the book throws. */
export async function commitChunk(ports: Ports, chunk: readonly Entry[]): Promise<readonly Entry[]> {
  let entries = chunk
  let busy = 0
  while (entries.length > 0) {
    const result = await ports.book.write(entries)
    if (result.kind === 'written') break
    if (result.kind === 'busy') {
      busy += 1
      if (busy === maxBusyTries) throw new TableBusy()
      await ports.pause(firstPauseMs * 2 ** (busy - 1) * Math.random())
    } else {
      entries = withoutTheRefused(entries, result)
    }
  }
  const rejected = entries.filter(({ order }) => order.status === 'rejected')
  ports.meter.count('DuplicatesDropped', chunk.length - entries.length)
  ports.meter.count('OrdersWritten', entries.length - rejected.length)
  ports.meter.count('OrdersRejected', rejected.length)
  for (const { order } of rejected) {
    ports.log.warn('order rejected', { orderId: order.orderId, reason: order.reason })
  }
  return entries
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
      .map((entry) => (overLimit.has(entry.order.orderId) ? reject(entry, 'over-limit') : entry))
  }
  const left = new Map(caps)
  return entries.map((entry) => {
    const { saleId, quantity, status } = entry.order
    const remaining = left.get(saleId)
    if (status === 'rejected' || remaining === undefined) return entry
    if (quantity > remaining) return reject(entry, 'over-cap')
    left.set(saleId, remaining - quantity)
    return entry
  })
}

function reject(entry: Entry, reason: RejectReason): Entry {
  return { ...entry, order: { ...entry.order, status: 'rejected', reason } }
}
