/** One look at a running sale: what is on the shelf, what is on its way, what is written. */
import type { SaleId } from '../../core/ids.ts'
import { type Phase, phaseAt } from '../../core/phase.ts'
import type { Sale } from '../../core/sale.ts'
import { inStep, type StockTold } from '../sales/repair.ts'
import type { CapReader, SaleBook } from '../sales/sale-book.ts'

export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/**
 * `stock` is null while none is on the shelf; `available` and `total` are -1 for an unlimited one. A part named
 * in `dark` did not answer, and what it would have told is null: an outage is when this page is needed most.
 * `inStep` is true when Redis is known to hold the flag and version of the sale; otherwise the last action is
 * worth asking for again.
 */
export type Live = {
  sale: Sale
  phase: Phase
  inStep: boolean
  stock: { total: number; booked: number; available: number } | null
  orders: { sold: number }
  outbox: number | null
  queue: QueueDepth | null
  deadLetters: number | null
  dark: readonly ('redis' | 'sqs')[]
  now: number
}

/** Counters of the stock, and what it was last told. */
export type LiveStock = StockTold & { total: number; booked: number }

export type LivePorts = {
  sales: SaleBook
  cap: CapReader
  stockReader: {
    read: (saleId: SaleId) => Promise<LiveStock | undefined>
    outboxSize: (saleId: SaleId) => Promise<number>
  }
  queues: { orders: () => Promise<QueueDepth>; deadLetters: () => Promise<number> }
  clock: () => number
}

/** The numbers of a sale, each read at about the same time, or undefined when there is no such sale. */
export async function readLive(ports: LivePorts, saleId: SaleId): Promise<Live | undefined> {
  const { sales, cap, stockReader, queues, clock } = ports
  const record = await sales.find(saleId)
  if (record === undefined) return undefined
  const [sold, redis, sqs] = await Promise.all([
    cap.sold(saleId),
    orDark(() => Promise.all([stockReader.read(saleId), stockReader.outboxSize(saleId)])),
    orDark(() => Promise.all([queues.orders(), queues.deadLetters()])),
  ])
  const [facts, outbox] = redis ?? [undefined, null]
  const [queue, deadLetters] = sqs ?? [null, null]
  const dark = [...(redis === null ? (['redis'] as const) : []), ...(sqs === null ? (['sqs'] as const) : [])]
  const now = clock()
  const { sale } = record
  const stock =
    facts === undefined ? null : { total: facts.total, booked: facts.booked, available: facts.available }
  // Nothing is left of a stock that was lost; of one that cannot be asked nobody knows, so flag and clock decide.
  const available = redis === null ? -1 : (facts?.available ?? 0)
  return {
    sale,
    phase: phaseAt(sale, now, available),
    inStep: redis !== null && inStep(sale, facts),
    stock,
    orders: { sold },
    outbox,
    queue,
    deadLetters,
    dark,
    now,
  }
}

/** Any failure counts: the functions that cannot do without the part say in their logs what is wrong with it. */
function orDark<T>(ask: () => Promise<T>): Promise<T | null> {
  return ask().catch(() => null)
}
