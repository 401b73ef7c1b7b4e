/**
 * The paths at which shoppers find their orders or packets of a sale. The gate knows no orders, so it may reject the repeat
 * of a successful request; final rejections therefore name this path (I5).
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

export function lookupPathFor(kind: SaleKind, saleId: SaleId): string {
  return kind === 'red-packet' ? walletLookup : ordersLookup(saleId)
}
