/**
 * How a consumer withdraws from the contract of an order, wholly or in part. Directive 2011/83/EU: the period (Art. 9), the
 * function for it on the shop's pages (Art. 11a, by Directive (EU) 2023/2673 from 19 June 2026), the money (Art. 13) and
 * the goods (Art. 14). This is no legal advice.
 */
import { basketUnits } from '../sale/variants.ts'
import type { Order, WithdrawnUnits } from './order.ts'

const dayMs = 86_400_000

/**
 * The day of arrival does not count, and a period ends with the last hour of its last day, which is a working day
 * (Regulation (EEC, Euratom) No 1182/71, Art. 3). The shop knows neither zone nor holidays of the shopper, so the function
 * stays for the rest of the last day and five days more, the longest run of holidays and a weekend.
 */
const graceDays = 6

/** Statuses in which the contract stands and its money was taken. */
const open: ReadonlySet<string> = /* @__PURE__ */ new Set(['paid', 'shipped', 'delivered'])

type Withdrawable = Pick<Order, 'status' | 'amount' | 'quantity' | 'payment' | 'coupons' | 'history' | 'withdrawal'>

/**
 * Until when (epoch ms) an order of a sale with a right to withdraw of `days` can be withdrawn from; null: at least until
 * so many days after its goods arrive, which is not known yet. Undefined: at no time, because nothing was paid, it has ended,
 * its codes were issued at once, or the contract is with the checkout of another shop.
 */
export function withdrawableUntil(order: Withdrawable, days: number): number | null | undefined {
  const isPaidElsewhere = order.payment?.inShop === true
  if (!open.has(order.status) || order.amount === 0 || order.coupons !== undefined || isPaidElsewhere) return undefined
  const arrivedAt = order.history.find(({ status }) => status === 'delivered')?.at
  return arrivedAt === undefined ? null : arrivedAt + (days + graceDays) * dayMs
}

/** True for units that the order has, at least one. */
export function areUnitsOf(order: WithdrawnUnits, units: WithdrawnUnits): boolean {
  const { quantity, basket } = units
  const isSum = basket === undefined || basketUnits(basket) === quantity
  return quantity >= 1 && isSum && (order.basket === undefined) === (basket === undefined) && covers(order, units)
}

/** True when `units` are all among those of `all`. */
export function covers(all: WithdrawnUnits, { quantity, basket = {} }: WithdrawnUnits): boolean {
  return quantity <= all.quantity && Object.entries(basket).every(([id, n]) => n <= (all.basket?.[id] ?? 0))
}

/** What two statements withdraw from together: of each variant the larger number, so a repeat adds nothing. */
export function joinUnits(one: WithdrawnUnits | undefined, other: WithdrawnUnits): WithdrawnUnits {
  if (one === undefined) return other
  if (other.basket === undefined) return { quantity: Math.max(one.quantity, other.quantity) }
  const basket: Record<string, number> = { ...one.basket }
  for (const [id, n] of Object.entries(other.basket)) basket[id] = Math.max(basket[id] ?? 0, n)
  return { quantity: basketUnits(basket), basket }
}

/** True when the shopper has withdrawn from the whole order. */
export function isWhollyWithdrawn({ quantity, withdrawal }: Pick<Order, 'quantity' | 'withdrawal'>): boolean {
  return withdrawal?.quantity === quantity
}

/** True when all units of the order came back to the shop. */
export function isWhollyReturned({ quantity, withdrawal }: Pick<Order, 'quantity' | 'withdrawal'>): boolean {
  return withdrawal?.returned?.quantity === quantity
}

/**
 * What goes back for the withdrawn units, in minor units: each unit of an order has the same price. The cost of delivery goes back
 * with the whole order (Art. 13(1)).
 */
export function withdrawnAmount(order: Pick<Order, 'amount' | 'deliveryCost' | 'quantity' | 'withdrawal'>): number {
  const { amount, deliveryCost = 0, quantity, withdrawal } = order
  if (withdrawal === undefined || isWhollyWithdrawn(order)) return withdrawal === undefined ? 0 : amount
  return Math.ceil(((amount - deliveryCost) * withdrawal.quantity) / quantity)
}
