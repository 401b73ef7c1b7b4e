/** Whether Redis and the gate hold a sale as the table has it: every field that they keep, not only its version. */
import { isDeepStrictEqual } from 'node:util'
import type { Sale } from '../../core/sale/sale.ts'
import { type GateFacts, gateFactsOf } from '../../redis/gate/gate.ts'
import type { StockFacts } from '../../redis/stock/stock.ts'
import { stockDefinition } from '../../redis/stock/stock-definition.ts'

/** True when the definition in Redis is that of `sale`. Its units are compared elsewhere. */
export function stockInStep(sale: Sale, stock: StockFacts | undefined): boolean {
  return stock !== undefined && isDeepStrictEqual(stock.definition, stockDefinition(sale))
}

/** True when the gate holds all of `sale`, and whether `stock` is frozen. */
export function gateInStep(sale: Sale, gate: GateFacts | undefined, stock: StockFacts | undefined): boolean {
  if (gate === undefined) return false
  const { saleId, ...expected } = gateFactsOf(sale, { frozen: stock?.frozen ?? false })
  const { soldOut, soldOutRevision, restockedRevision, soldOutVariants, freezes, ...told } = gate
  return isDeepStrictEqual(told, expected)
}
