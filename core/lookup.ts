/**
 * Where a shopper looks up what they have of a sale. The gate knows no orders, so it may refuse the repeat of a request that won;
 * the refusals that end a purchase name this path instead (I5).
 */
import type { SaleId } from './ids.ts'
import type { SaleKind } from './sale.ts'

/** The path to GET for the shopper's orders of the sale. */
export function ordersLookup(saleId: SaleId): string {
  return `/api/orders?sale=${saleId}`
}

/** The path to GET for the red packets that the shopper has claimed. */
export const walletLookup = '/api/wallet'

/** The one of the two that belongs to a sale of this kind. */
export function lookupOf(kind: SaleKind, saleId: SaleId): string {
  return kind === 'red-packet' ? walletLookup : ordersLookup(saleId)
}
