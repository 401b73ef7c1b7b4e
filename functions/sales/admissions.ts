/**
 * Publishes to the gate how many requests it may still admit (G4, G5, G7). The gate knows no more
 * of the stock, so every change of what can be bought is published here before waiting shoppers
 * learn of it.
 */
import type { SaleId } from '../../core/ids.ts'
import type { StockTruth } from '../../redis/replenish.ts'
import type { Gate } from './ports.ts'
import type { StockReader, StockSnapshot } from './snapshots.ts'

export type AdmissionPorts = {
  stockReader: StockReader
  gate: Pick<Gate, 'replenish'>
  clock: () => number
}

/**
 * Recalculates the admissions of a sale and resolves with the stock they follow from. `ratio` is
 * the sale's; without it the gate keeps the one it has. @throws when Redis or the gate is
 * unavailable
 */
export async function replenish(
  { stockReader, gate, clock }: AdmissionPorts,
  saleId: SaleId,
  ratio?: number,
): Promise<StockSnapshot | undefined> {
  // Before the stock is read: what happens while that takes may or may not be in the numbers.
  const asOf = clock()
  const stock = await stockReader.read(saleId)
  await gate.replenish(saleId, { ...unitsOf(stock), asOf, ...(ratio === undefined ? {} : { ratio }) })
  return stock
}

/**
 * A lost or frozen stock sells nothing (I6). What was booked before is then known to the gate
 * alone, so it must not be overwritten.
 */
function unitsOf(
  stock: StockSnapshot | undefined,
): Pick<StockTruth, 'total' | 'booked' | 'stockRevision' | 'epoch'> {
  if (stock === undefined || stock.frozen) return { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }
  const { total, booked, stockRevision, epoch } = stock
  return { total, booked, stockRevision, epoch }
}
