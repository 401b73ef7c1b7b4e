/** Checks whether Redis and the gate hold a sale as the table has it: every field that they store, not only its version. */
import { isDeepStrictEqual } from 'node:util'
import { ownValue } from '../../core/lib/own-value.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type GateFacts, gateFactsOf, latestRevisionOf } from '../../redis/gate/gate.ts'
import type { StockFacts } from '../../redis/stock/stock.ts'
import { stockDefinition } from '../../redis/stock/stock-definition.ts'
import type { Table } from '../lib/shop/shop.ts'
import { saleTotals } from '../table/sale/sale-orders.ts'

/** True when the definition in Redis is that of `sale`. Units are compared elsewhere. */
export function isPublishedToStock(sale: Sale, stock: StockFacts | undefined): boolean {
  return stock !== undefined && isDeepStrictEqual(stock.definition, stockDefinition(sale))
}

/** True when the total in Redis, and that of each variant, is that of the sale. */
export function hasUnitsOf({ stock, variants = [] }: Sale, { total, variants: counted }: StockFacts): boolean {
  return total === stock && variants.every((variant) => ownValue(counted, variant.id)?.total === variant.stock)
}

/** True when the gate holds all of `sale`, and whether `stock` is frozen. */
export function isPublishedToGate(sale: Sale, gate: GateFacts | undefined, stock: StockFacts | undefined): boolean {
  if (gate === undefined) return false
  const { saleId, ...expected } = gateFactsOf(sale, { frozen: stock?.frozen ?? false })
  const { soldOut, soldOutRevision, restockedRevision, soldOutVariants, freezes, ...published } = gate
  return isDeepStrictEqual(published, expected)
}

/**
 * True when `stock` cannot be the last warmed state of `sale`: it was rolled back, would sell the same units again, and needs
 * `recover`. A stock that has not received the state yet is updated instead. `gate` was read before, undefined if unknown.
 */
export async function isRolledBack(
  ports: { table: Table },
  { saleId, epoch }: Sale,
  stock: StockFacts,
  gate: GateFacts | undefined,
): Promise<boolean> {
  if (epoch === 0 || stock.frozen) return false
  if (gate !== undefined && isBehind(stock, gate)) return true
  // A late warming from before the first start sets all units. Opening that stock is safe only while no shopper can have bought
  // any.
  return stock.epoch === 0 && (gate === undefined || ((await saleTotals(ports.table, saleId))?.orders ?? 0) > 0)
}

/**
 * True when the gate knows of a later stock. It learns of every change after the stock has it. The stock's revision never
 * falls, and rises when units return to a sold-out stock or variant, so neither has units in the revision that was sold out.
 */
function isBehind({ version, stockRevision, available, variants = {} }: StockFacts, gate: GateFacts): boolean {
  if (gate.version > version || latestRevisionOf(gate) > stockRevision) return true
  if (gate.soldOutRevision === stockRevision && available > 0) return true
  const { revision, ids } = gate.soldOutVariants ?? { revision: -1, ids: [] }
  return revision === stockRevision && ids.some((id) => (ownValue(variants, id)?.left ?? 0) > 0)
}
