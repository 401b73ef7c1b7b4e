/**
 * Distinguishes a stock that lost its latest state from one that has not received it yet. Both are behind the table.
 * The second is updated; the first would sell the same units again, and needs `recover`.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type GateFacts, latestRevisionOf } from '../../redis/gate/gate.ts'
import type { StockFacts } from '../../redis/stock/stock.ts'
import type { Table } from '../lib/shop/table.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'

/** True when `stock` cannot be the last warmed state of `sale`. `gate` was read before, undefined if unknown. */
export async function isRolledBack(
  ports: { table: Table },
  { saleId, epoch }: Sale,
  stock: StockFacts,
  gate: GateFacts | undefined,
): Promise<boolean> {
  if (epoch === 0 || stock.frozen) return false
  if (gate !== undefined && isBehind(stock, gate)) return true
  // A late warming from before the first start sets all units. Opening that stock is safe only
  // while no shopper can have bought any.
  return stock.epoch === 0 && (gate === undefined || (await hasSold(ports, saleId)))
}

/**
 * The gate learns of every change after the stock has it. The stock's revision never falls, and rises when units return
 * to a sold-out stock or variant, so neither has units in the revision that was sold out.
 */
function isBehind({ version, stockRevision, available, variants = {} }: StockFacts, gate: GateFacts): boolean {
  if (gate.version > version || latestRevisionOf(gate) > stockRevision) return true
  if (gate.soldOutRevision === stockRevision && available > 0) return true
  const { revision, ids } = gate.soldOutVariants ?? { revision: -1, ids: [] }
  return revision === stockRevision && ids.some((id) => (variants[id]?.left ?? 0) > 0)
}

async function hasSold({ table }: { table: Table }, saleId: SaleId): Promise<boolean> {
  return ((await saleTotals(table, saleId))?.orders ?? 0) > 0
}
