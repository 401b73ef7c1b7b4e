/**
 * Publishes to the gate how many requests it may still admit (G4, G5, G7). The gate knows no more
 * of the stock, so every change of what can be bought is published here before waiting shoppers
 * learn of it.
 */
import type { SaleId } from '../../core/ids.ts'
import type { RedisStores } from '../../redis/command.ts'
import { replenish, type StockTruth } from '../../redis/replenish.ts'
import { isSplit } from '../../redis/shards.ts'
import { readReachable, readStock, type StockFacts } from '../../redis/stock.ts'
import type { BankBook } from './bank-book.ts'
import { lookAt, unitsIn, wholeStock } from './split-look.ts'

export type AdmissionPorts = RedisStores & { banks: Pick<BankBook, 'find'>; clock: () => number }

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
  const { stock, units } = await readUnits(ports, saleId)
  await replenish(ports.gate, saleId, { ...units, asOf, ...(ratio === undefined ? {} : { ratio }) })
  return stock
}

type Units = Pick<StockTruth, 'total' | 'booked' | 'stockRevision' | 'epoch'>

/** A shard that cannot be read has nothing to sell, and does not keep the others from selling. */
async function readUnits(
  { stock: stocks, banks }: AdmissionPorts,
  saleId: SaleId,
): Promise<{ stock: StockFacts | undefined; units: Units }> {
  if (!(await isSplit(stocks, saleId))) {
    const stock = await readStock(stocks, saleId)
    return { stock, units: unitsOf(stock) }
  }
  const look = await lookAt({ stock: stocks, banks }, saleId)
  // Red packets have no bank.
  const stock = look === undefined ? await readReachable(stocks, saleId) : wholeStock(look)
  if (look === undefined || stock === undefined) return { stock, units: unitsOf(stock) }
  const { total, available } = unitsIn(look)
  const counts = { total, booked: total - available, stockRevision: look.bank.revision, epoch: stock.epoch }
  return { stock, units: stock.frozen ? unitsOf(undefined) : counts }
}

/**
 * A lost or frozen stock sells nothing (I6). What was booked before is then known to the gate
 * alone, so it must not be overwritten.
 */
function unitsOf(stock: StockFacts | undefined): Units {
  if (stock === undefined || stock.frozen) return { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }
  const { total, booked, stockRevision, epoch } = stock
  return { total, booked, stockRevision, epoch }
}
