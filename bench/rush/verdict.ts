/**
 * The invariants after a rush, as one pure function of the state of Redis, DynamoDB and the
 * shoppers. It tolerates nothing: a number that cannot be explained is a violation.
 */

import { holdsUnits, type OrderStatus } from '../../core/order.ts'
import type { Basket } from '../../core/variants.ts'
import type { StockFacts } from '../../redis/stock.ts'
import type { Aftermath } from './aftermath.ts'
import type { WonOrder } from './buy.ts'
import { openFindings, someOf } from './findings.ts'

/** The sale in Redis. `total` is -1 for an unlimited stock. */
export type RedisStock = {
  total: number
  booked: number
  holds: { orderId: string; quantity: number; shopperId: string; basket?: Basket | undefined }[]
  outbox: number
  variants?: StockFacts['variants']
}

export type WrittenOrder = {
  orderId: string
  shopperId: string
  quantity: number
  status: OrderStatus
  reservedAt: number
  writtenAt: number
  /** The codes of an order of coupons. */
  coupons?: readonly string[] | undefined
  basket?: Basket | undefined
}

/** A reservation that was answered with a 202, or with the 200 that repeats it. */
export type AnsweredReservation = WonOrder & { shopperId: string }

export type RushFacts = Aftermath & {
  stock: number
  shoppers: number
  quantity: number
  limitPerShopper: number
  /** Units that may be left, because they are of variants with too few for an order; 0 when absent. */
  spare?: number
  snapshot: RedisStock
  orders: WrittenOrder[]
  answered: AnsweredReservation[]
}

export type Verdict = {
  sold: number
  expected: number
  oversold: number
  lost: number
  stranded: number
  violations: string[]
}

const sum = (values: { quantity: number }[]) => values.reduce((total, { quantity }) => total + quantity, 0)

/** Units that must be sold: whole orders only, so 50 units in threes sell 48 (S8). */
export function expectedUnits({
  stock,
  shoppers,
  quantity,
}: Pick<RushFacts, 'stock' | 'shoppers' | 'quantity'>): number {
  const demand = shoppers * quantity
  return stock === -1 ? demand : Math.min(demand, Math.floor(stock / quantity) * quantity)
}

export function judge(facts: RushFacts): Verdict {
  const { snapshot, orders, answered, stock, spare = 0 } = facts
  const standing = orders.filter(({ status }) => holdsUnits(status))
  const sold = sum(standing)
  const expected = expectedUnits(facts)
  const oversold = stock === -1 ? 0 : Math.max(0, sold - stock)
  const lost = withoutRecord(answered, standing)
  const least = stock === -1 ? expected : Math.min(expected, stock - spare)
  const stranded = stock === -1 ? 0 : Math.max(0, least - sold)

  const { violations, must } = openFindings()
  must(sold >= least && sold <= expected, `I1: ${sold} units sold, ${expected} expected`)
  must(oversold === 0, `I1: ${oversold} units more than the stock`)
  must(lost.length === 0, `I2: ${lost.length} reservations without their order (${someOf(lost)})`)
  must(facts.unseen.length === 0, `I2: orders their shopper cannot see: ${someOf(facts.unseen)}`)
  must(facts.queued === 0, `I2: ${facts.queued} messages still in the queue`)
  must(facts.deadLetters === 0, `I2: ${facts.deadLetters} dead letters`)
  must(snapshot.outbox === 0, `I2: ${snapshot.outbox} messages still in the outbox`)
  for (const [shopperId, units] of perShopper(standing)) {
    must(
      units <= facts.limitPerShopper,
      `I3: ${shopperId} has ${units} units, the limit is ${facts.limitPerShopper}`,
    )
  }
  must(
    sum(snapshot.holds) === snapshot.booked,
    `I4: holds add up to ${sum(snapshot.holds)}, ${snapshot.booked} are booked`,
  )
  must(snapshot.booked === sold, `I4: Redis booked ${snapshot.booked}, DynamoDB sold ${sold}`)
  must(snapshot.total === stock, `I4: Redis has a total of ${snapshot.total}, the sale ${stock}`)
  must(sameIds(snapshot.holds, standing), 'I4: Redis and DynamoDB name different orders')
  const left = stock === -1 ? -1 : stock - sold
  must(facts.shownLeft === left, `the public pointer shows ${facts.shownLeft} left, ${left} are`)
  if (facts.refusedWithLeft !== undefined) {
    must(
      facts.refusedWithLeft === left,
      `a refused shopper was answered that ${facts.refusedWithLeft} are left, ${left} are`,
    )
  }
  for (const difference of facts.miscounted ?? []) must(false, difference)
  return { sold, expected, oversold, lost: lost.length, stranded, violations }
}

/** Reservations without exactly one order of that shopper and quantity. */
function withoutRecord(answered: AnsweredReservation[], orders: WrittenOrder[]): string[] {
  const byId = Map.groupBy(orders, (order) => order.orderId)
  return answered
    .filter(({ orderId, shopperId, quantity }) => {
      const [order, another] = byId.get(orderId) ?? []
      return order?.shopperId !== shopperId || order.quantity !== quantity || another !== undefined
    })
    .map(({ orderId }) => orderId)
}

function perShopper(orders: WrittenOrder[]): Map<string, number> {
  const units = new Map<string, number>()
  for (const { shopperId, quantity } of orders) units.set(shopperId, (units.get(shopperId) ?? 0) + quantity)
  return units
}

function sameIds(holds: { orderId: string }[], orders: { orderId: string }[]): boolean {
  const held = new Set(holds.map(({ orderId }) => orderId))
  return held.size === orders.length && orders.every(({ orderId }) => held.has(orderId))
}
