/**
 * Publishes to the gate how many requests it may still admit (G4, G5, G7). The gate knows no more
 * of the stock, so every change of what can be bought is published here before waiting shoppers
 * learn of it.
 */
import type { SaleId } from '../../core/ids.ts'
import type { RedisStores } from '../../redis/command.ts'
import { replenish, type StockTruth } from '../../redis/replenish.ts'
import { readStock, type StockFacts } from '../../redis/stock.ts'

export type AdmissionPorts = RedisStores & { clock: () => number }

/**
 * Recalculates the admissions of a sale and resolves with the stock they follow from. `ratio` is
 * the sale's; without it the gate keeps the one it has. @throws when Redis or the gate is
 * unavailable
 */
export async function replenishAdmissions(
  ports: AdmissionPorts,
  saleId: SaleId,
  ratio?: number,
): Promise<StockFacts | undefined> {
  const { clock } = ports
  // Before the stock is read: what happens while that takes may or may not be in the numbers.
  const asOf = clock()
  const stock = await readStock(ports.stock, saleId)
  await replenish(ports.gate, saleId, { ...unitsOf(stock), asOf, ...(ratio === undefined ? {} : { ratio }) })
  return stock
}

/**
 * A lost or frozen stock sells nothing (I6). What was booked before is then known to the gate
 * alone, so it must not be overwritten.
 */
function unitsOf(
  stock: StockFacts | undefined,
): Pick<StockTruth, 'total' | 'booked' | 'stockRevision' | 'epoch'> {
  if (stock === undefined || stock.frozen) return { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }
  const { total, booked, stockRevision, epoch } = stock
  return { total, booked, stockRevision, epoch }
}
