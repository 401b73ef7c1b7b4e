/** The bill of an order: goods and delivery. Amounts are minor units of its currency. */
import { ownValue } from '../lib/own-value.ts'
import type { Sale } from '../sale/sale.ts'
import type { Order } from './order.ts'
import { isBeingPaid } from './order-life.ts'

/** The settings of a sale that determine its bills. They are locked once it was started. */
export type BillTerms = Pick<Sale, 'delivery'>

/** `delivery` is null until the country is known. */
export type OrderBill = { goods: number; delivery: number | null; total: number }

export function goodsAmountOf({ amount, deliveryCost = 0 }: Pick<Order, 'amount' | 'deliveryCost'>): number {
  return amount - deliveryCost
}

/** Returns the cost of delivery to `country`; 0 if the sale charges nothing, null if the country is unknown. */
export function deliveryCostOf(
  goods: number,
  delivery: BillTerms['delivery'],
  country: string | undefined,
): number | null {
  const { costs, freeAbove = Number.POSITIVE_INFINITY } = delivery ?? {}
  if (costs === undefined || goods >= freeAbove) return 0
  return (country === undefined ? undefined : ownValue(costs, country)) ?? null
}

/** True once a payment includes the cost of delivery: the country may then change only to one with the same cost. */
export function isCostFixed(order: Pick<Order, 'status' | 'payment'>): boolean {
  return order.status !== 'awaiting-payment' || isBeingPaid(order)
}

/** Returns the bill of an order, delivered to `country`; undefined if its sale charges nothing for delivery. */
export function orderBillOf(
  order: Pick<Order, 'amount' | 'deliveryCost' | 'status' | 'payment'>,
  { delivery }: BillTerms,
  country: string | undefined,
): OrderBill | undefined {
  if (delivery?.costs === undefined || order.amount === 0) return undefined
  const goods = goodsAmountOf(order)
  const cost = isCostFixed(order) ? (order.deliveryCost ?? 0) : deliveryCostOf(goods, delivery, country)
  return { goods, delivery: cost, total: goods + (cost ?? 0) }
}
