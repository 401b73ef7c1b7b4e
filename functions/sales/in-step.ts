/** Whether Redis and the gate hold a sale as the table has it: every field that they keep, not only its version. */
import { isDeepStrictEqual } from 'node:util'
import type { Sale } from '../../core/sale.ts'
import { toldOf } from '../../redis/gate.ts'
import { stockDefinition } from '../../redis/stock-definition.ts'
import type { GateTold, StockTold } from './snapshots.ts'

/** True when the definition in Redis is that of `sale`. Its units are compared elsewhere. */
export function stockInStep(sale: Sale, stock: StockTold | undefined): boolean {
  return stock !== undefined && isDeepStrictEqual(stock.definition, stockDefinition(sale, stock))
}

/** True when the gate holds all of `sale`, and whether `stock` is fenced. */
export function gateInStep(sale: Sale, gate: GateTold | undefined, stock: StockTold | undefined): boolean {
  if (gate === undefined) return false
  const { saleId, ...expected } = toldOf(sale, { fenced: stock?.fenced ?? false })
  const { soldOut, soldOutAt, restockedAt, ...told } = gate
  return isDeepStrictEqual(told, expected)
}
