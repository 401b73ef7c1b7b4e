/**
 * Redis and the table side by side (I4): the units that are booked are those of standing orders, and each has a hold.
 * This holds whenever nothing is on its way between the two; while something is, nobody can say.
 */
import type { SaleId } from '../../core/ids.ts'
import type { SaleOrders, SaleTotals } from '../order-life/order-ledger.ts'
import type { StockReader, StockTold } from '../sales/told.ts'
import { errorFacts, type Log } from '../telemetry.ts'
import { type Depths, type Holdings, messagesIn, type Outbox, type QueueDepth } from './ports.ts'

export type DriftPorts = {
  stockReader: StockReader
  holdings: Pick<Holdings, 'count'>
  outbox: Pick<Outbox, 'size'>
  queues: Pick<Depths, 'orders'>
  saleOrders: Pick<SaleOrders, 'totals'>
  log: Log
}

/** `drift` is booked − sold in units, null while that is not known; `agrees` is false only when it is known. */
export type Compared = { drift: number | null; agrees: boolean }

const unknown: Compared = { drift: null, agrees: true }

/** Booked − sold, or null while reservations are on their way from one to the other. */
export function driftOf(
  { booked }: Pick<StockTold, 'booked'>,
  { sold }: Pick<SaleTotals, 'sold'>,
  onTheirWay: { outbox: number; queue: QueueDepth },
): number | null {
  return onTheirWay.outbox + messagesIn(onTheirWay.queue) > 0 ? null : booked - sold
}

/**
 * Compares the counters. They are read one after the other, so the first of them is read again at the end: had it
 * moved meanwhile, the others would belong to another moment. Throws when Redis or the table is dark.
 */
export async function compare(ports: DriftPorts, saleId: SaleId): Promise<Compared> {
  const { stockReader, holdings, outbox, queues, saleOrders, log } = ports
  const before = await stockReader.read(saleId)
  const holds = await holdings.count(saleId)
  const waiting = await outbox.size(saleId)
  if (before === undefined || waiting > 0) return unknown
  const queue = await queues.orders().catch((error) => {
    log.warn('the order queue does not answer; Redis and the table are not compared', errorFacts(error))
    return undefined
  })
  const totals = await saleOrders.totals(saleId)
  if (queue === undefined || totals === undefined) return unknown
  const drift = driftOf(before, totals, { outbox: waiting, queue })
  const after = await stockReader.read(saleId)
  if (drift === null || after?.booked !== before.booked) return unknown
  return { drift, agrees: drift === 0 && holds === totals.orders }
}
