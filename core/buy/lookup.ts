/**
 * The path at which shoppers find what they have of a sale. The gate knows no orders, so it may
 * reject the repeat of a successful request; rejections that end a purchase name this path (I5).
 */
import type { SaleId } from '../ids.ts'
import type { SaleKind } from '../sale/kinds.ts'

/** Returns the path to GET for the shopper's orders of the sale. */
export function ordersLookup(saleId: SaleId): string {
  return `/api/orders?sale=${saleId}`
}

/** The path to GET for the red packets that the shopper has claimed. */
export const walletLookup = '/api/wallet'

/** The page of the shopper's wallet. */
export const walletPath = '/wallet/'

/** Returns the one of the two for a sale of this kind. */
export function lookupPathFor(kind: SaleKind, saleId: SaleId): string {
  return kind === 'red-packet' ? walletLookup : ordersLookup(saleId)
}
