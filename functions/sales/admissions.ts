/**
 * Tells the gate how many clicks may still be let through (G4, G5, G7). It knows no more of the stock than that, so
 * whoever changes what can be bought tells it anew, before those hear of it who wait.
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
 * Counts the admissions of a sale anew and resolves with the stock that they follow from. `ratio` is the sale's, and may
 * be left out by whoever does not know it: the gate keeps the one it has. Throws when Redis or the gate is unavailable.
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
 * Of a stock that is lost, or frozen while it is rebuilt, nobody can have anything (I6). What was booked of it before is then
 * known to the gate alone, so it must not be overwritten.
 */
function unitsOf(
  stock: StockSnapshot | undefined,
): Pick<StockTruth, 'total' | 'booked' | 'stockRevision' | 'epoch'> {
  if (stock === undefined || stock.frozen) return { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }
  const { total, booked, stockRevision, epoch } = stock
  return { total, booked, stockRevision, epoch }
}
