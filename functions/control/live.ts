/** One look at a running sale: what is on the shelf, what is on its way, what is written. */
import type { SaleId } from '../../core/ids.ts'
import { type Phase, phaseAt } from '../../core/phase.ts'
import type { Sale } from '../../core/sale.ts'
import type { CapReader, SaleShelf } from './sale-shelf.ts'

export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/** `stock` is null while none is on the shelf; `available` and `total` are -1 for an unlimited one. */
export type Live = {
  sale: Sale
  phase: Phase
  stock: { total: number; booked: number; available: number } | null
  orders: { sold: number }
  outbox: number
  queue: QueueDepth
  deadLetters: number
  now: number
}

export type LivePorts = {
  shelf: SaleShelf
  cap: CapReader
  stockReader: {
    read: (saleId: SaleId) => Promise<{ total: number; booked: number; available: number } | undefined>
    outboxSize: (saleId: SaleId) => Promise<number>
  }
  queues: { orders: () => Promise<QueueDepth>; deadLetters: () => Promise<number> }
  clock: () => number
}

/** The numbers of a sale, each read at about the same time, or undefined when there is no such sale. */
export async function readLive(ports: LivePorts, saleId: SaleId): Promise<Live | undefined> {
  const { shelf, cap, stockReader, queues, clock } = ports
  const record = await shelf.find(saleId)
  if (record === undefined) return undefined
  const [facts, sold, outbox, queue, deadLetters] = await Promise.all([
    stockReader.read(saleId),
    cap.sold(saleId),
    stockReader.outboxSize(saleId),
    queues.orders(),
    queues.deadLetters(),
  ])
  const now = clock()
  const { sale } = record
  const stock =
    facts === undefined ? null : { total: facts.total, booked: facts.booked, available: facts.available }
  const phase = phaseAt(sale, now, stock?.available ?? 0)
  return { sale, phase, stock, orders: { sold }, outbox, queue, deadLetters, now }
}
