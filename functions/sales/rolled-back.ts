/**
 * Tells a stock that has lost its latest state from one that was not told of it yet. Both are behind the table. The
 * second is brought up to date; the first would sell again what is sold, and is for `recover`.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { SaleOrders } from '../orders/order-ledger.ts'
import type { GateSnapshot, StockSnapshot } from './snapshots.ts'

export type RollbackPorts = { saleOrders: Pick<SaleOrders, 'totals'> }

/**
 * True when `stock` cannot be what was last put on the shelf of `sale`. `gate` is what the gate had been told before the
 * stock was read, undefined when it knows nothing or was not asked.
 */
export async function isRolledBack(
  ports: RollbackPorts,
  { saleId, epoch }: Sale,
  stock: StockSnapshot,
  gate: GateSnapshot | undefined,
): Promise<boolean> {
  if (epoch === 0 || stock.frozen) return false
  if (gate !== undefined && isBehind(stock, gate)) return true
  // A warming from before the first start puts all units on the shelf, however late it comes. Only while nobody can have
  // bought any may that stock be the one to open.
  return stock.epoch === 0 && (gate === undefined || (await hasSold(ports, saleId)))
}

/**
 * The gate hears of everything after the stock. The stock's revision never falls, and rises when units come to one that
 * was sold out: none has units in the very revision that was sold out.
 */
function isBehind({ version, stockRevision, available }: StockSnapshot, gate: GateSnapshot): boolean {
  const { soldOutRevision, restockedRevision } = gate
  if (gate.version > version || Math.max(soldOutRevision, restockedRevision) > stockRevision) return true
  return soldOutRevision === stockRevision && available > 0
}

async function hasSold({ saleOrders }: RollbackPorts, saleId: SaleId): Promise<boolean> {
  return ((await saleOrders.totals(saleId))?.orders ?? 0) > 0
}
