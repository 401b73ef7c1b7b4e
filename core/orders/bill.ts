/** The bill of an order: goods, delivery, and the tax in both. All amounts are minor units of its currency. */
import type { Market, WithdrawalException } from '../sale/market.ts'
import type { Sale } from '../sale/sale.ts'
import type { Order } from './order.ts'
import { isBeingPaid } from './order-life.ts'

/** The settings of a sale that decide its bills. They are fixed once it was started. */
export type BillTerms = Pick<Sale, 'market' | 'taxPercent' | 'delivery'> & Partial<Pick<Sale, 'withdrawalException'>>

/**
 * `delivery` is null until the country is known. `total` = `goods` + `delivery` = `net` + `tax`; the last two are there
 * where the sale has a `taxPercent`, and `withdrawalException` where it names one (Directive 2011/83/EU Art. 6(1)(k)).
 */
export type OrderBill = {
  market: Market
  goods: number
  delivery: number | null
  total: number
  taxPercent?: number
  net?: number
  tax?: number
  withdrawalException?: WithdrawalException
}

type Billed = Pick<Order, 'amount' | 'deliveryCost' | 'status' | 'payment'>

export function goodsAmountOf({ amount, deliveryCost = 0 }: Pick<Order, 'amount' | 'deliveryCost'>): number {
  return amount - deliveryCost
}

/** What delivery to `country` costs an order of `goods`; 0 where the sale charges nothing, null for an unknown country. */
export function deliveryCostOf(
  goods: number,
  delivery: BillTerms['delivery'],
  country: string | undefined,
): number | null {
  const { costs, freeAbove = Number.POSITIVE_INFINITY } = delivery ?? {}
  if (costs === undefined || goods >= freeAbove) return 0
  return (country === undefined ? undefined : costs[country]) ?? null
}

/** True once the cost of delivery is part of what is paid: the country may then change only to one with the same cost. */
export function isCostFixed(order: Pick<Order, 'status' | 'payment'>): boolean {
  return order.status !== 'awaiting-payment' || isBeingPaid(order)
}

/**
 * The tax that `gross` includes, half a minor unit rounded up; the rest is the net amount, so both add up. Exact for
 * every amount of an order.
 */
export function taxIn(gross: number, taxPercent: number): number {
  const rate = Math.round(taxPercent * 100)
  const divisor = 2 * (10_000 + rate)
  const dividend = 2 * gross * rate + 10_000 + rate
  return (dividend - (dividend % divisor)) / divisor
}

/** The bill of an order, delivered to `country`; undefined where its sale says nothing of market, tax or delivery. */
export function orderBillOf(order: Billed, terms: BillTerms, country: string | undefined): OrderBill | undefined {
  const { market, taxPercent, delivery, withdrawalException = 'none' } = terms
  const hasTerms = market !== 'other' || taxPercent !== undefined || delivery?.costs !== undefined
  if (!hasTerms || order.amount === 0) return undefined
  const goods = goodsAmountOf(order)
  const cost = isCostFixed(order) ? (order.deliveryCost ?? 0) : deliveryCostOf(goods, delivery, country)
  const total = goods + (cost ?? 0)
  const bill = {
    ...{ market, goods, delivery: cost, total },
    ...(withdrawalException !== 'none' && { withdrawalException }),
  }
  if (taxPercent === undefined) return bill
  const tax = taxIn(total, taxPercent)
  return { ...bill, taxPercent, net: total - tax, tax }
}
