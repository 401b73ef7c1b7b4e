/** Compares Redis with the table (I4): booked units equal those of active orders once no message is in flight. */
import type { SaleId } from '../../../core/ids.ts'
import { ownValue } from '../../../core/lib/own-value.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { holdPages } from '../../../redis/orders/holds.ts'
import { outboxSize } from '../../../redis/orders/outbox.ts'
import { readStock, type StockFacts } from '../../../redis/stock/stock.ts'
import { messagesIn, type QueueDepth } from '../../lib/shop/shop.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { SaleTotals } from '../../table/stock/cap-item.ts'
import type { RepairPorts } from '../ports.ts'

/** Messages of the sale in its outbox, and of all sales in the queue. */
export type InFlight = { outbox: number; queue: QueueDepth }

/**
 * Returns booked − sold without held-back units; null while that is unknown. Booked units that are not sold may be in flight as
 * long as the outbox or the queue, of any sale, has messages. Units that are sold and not booked never are, because Redis books
 * before anything is sent.
 */
export function driftOf(
  stock: Pick<StockFacts, 'booked' | 'heldBack' | 'variants'>,
  totals: Pick<SaleTotals, 'sold' | 'variants'>,
  inFlight: InFlight,
): number | null {
  const drift = unitDifference(stock, totals)
  const isAtRest = inFlight.outbox === 0 && (drift === 0 || messagesIn(inFlight.queue) === 0)
  return drift < 0 || isAtRest ? drift : null
}

/** Returns the difference in units, or the units counted in a wrong variant when the total is right. */
function unitDifference(
  { booked, heldBack, variants = {} }: Pick<StockFacts, 'booked' | 'heldBack' | 'variants'>,
  totals: Pick<SaleTotals, 'sold' | 'variants'>,
): number {
  const drift = booked - heldBack - totals.sold
  if (drift !== 0 || totals.variants === undefined) return drift
  const apart = Object.entries(variants).map(
    ([id, { total, left, heldBack: held }]) => total - left - held - (ownValue(totals.variants, id)?.sold ?? 0),
  )
  return apart.reduce((sum, units) => sum + Math.max(0, units), 0)
}

/**
 * Reads booked − sold in units; null while it is unknown. `ageMs` is how long a reservation may be in flight: while the queue
 * is busy, maybe with other sales, only units that are held for longer count as drift. The counters are read one after the
 * other, so the first is read again at the end: if it has changed, the others belong to another moment.
 * @throws when Redis or the table is unavailable
 */
export async function readDrift(ports: RepairPorts, saleId: SaleId, ageMs: number): Promise<number | null> {
  const { orderQueue, table, log } = ports
  const before = await readStock(ports.stock, saleId)
  const waiting = await outboxSize(ports.stock, saleId)
  if (before === undefined) return null
  const queue = await orderQueue.depth().catch((error) => {
    log.warn('the order queue does not answer; Redis and the table are not compared', errorFacts(error))
    return undefined
  })
  const totals = await saleTotals(table, saleId)
  if (queue === undefined || totals === undefined) return null
  const lastSentAt = Math.max(before.resentAt, totals.redrivenAt ?? 0)
  const isOld = async () => waiting === 0 && (await areAllOlder(ports, saleId, lastSentAt, ageMs))
  const drift =
    driftOf(before, totals, { outbox: waiting, queue }) ?? ((await isOld()) ? unitDifference(before, totals) : null)
  const after = await readStock(ports.stock, saleId)
  return after?.booked === before.booked ? drift : null
}

/** True when no reservation of the sale was made or resent within the last `ageMs`, so that none is in flight. */
async function areAllOlder(
  { stock, clock }: RepairPorts,
  saleId: SaleId,
  lastSentAt: number,
  ageMs: number,
): Promise<boolean> {
  const oldest = clock() - ageMs
  if (lastSentAt > oldest) return false
  for await (const page of holdPages(stock, saleId, maxOrdersPerCall)) {
    if (page.some(({ reservedAt }) => reservedAt > oldest)) return false
  }
  return true
}
