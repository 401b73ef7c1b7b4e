/**
 * The prices of a sale: its own, and those of `prices` in other currencies. Stock and limits are the same for all. An
 * order is in one of them from the click on, and everything that follows reads the currency of the order.
 */
import type { Money } from '../money.ts'
import type { Sale } from './sale.ts'

type Priced = Pick<Sale, 'price' | 'currency' | 'prices'>

/**
 * The price of one unit in the currency that a shopper chose. `reserve` refuses one without a price; a request that an
 * earlier version let through is in the sale's own.
 */
export function priceIn({ price, currency, prices }: Priced, chosen: string | undefined): Money {
  const other = chosen === undefined ? undefined : prices?.[chosen]
  return chosen === undefined || other === undefined ? { amount: price, currency } : { amount: other, currency: chosen }
}

/** The price of one unit in each currency: the sale's own, then the others by their codes, because the table keeps no order. */
export function allPrices({ price, currency, prices = {} }: Priced): Money[] {
  const others = Object.entries(prices)
    .sort()
    .map(([code, amount]) => ({ amount, currency: code }))
  return [{ amount: price, currency }, ...others]
}
