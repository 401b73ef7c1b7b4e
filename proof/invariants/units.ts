/** Checks that no unit of a sale is sold twice or lost: orders, Redis and the table agree (I1, I3, I4, N1). */
import { ownValue } from '../../core/lib/own-value.ts'
import { counted } from '../../core/lib/text.ts'
import { holdsUnits } from '../../core/orders/order.ts'
import { isVariantOf, sumByVariant, unitsOfVariant } from '../../core/sale/variants.ts'
import { firstFew, type InvariantFinding, openFindings, sumQuantity } from './findings.ts'
import type { ObservedSale, RedisUnits, SnapshotOrder, TableUnits } from './snapshot.ts'

/** Returns the orders that hold units. */
export function ordersWithUnits(orders: readonly SnapshotOrder[]): SnapshotOrder[] {
  return orders.filter(({ status }) => holdsUnits(status))
}

/** Checks at any moment that no unit is sold beyond the stock (I1, N1), and that no shopper exceeds the limit (I3). */
export function limitFindings({ sale, orders }: Pick<ObservedSale, 'sale' | 'orders'>): InvariantFinding[] {
  const { findings, must } = openFindings()
  const active = ordersWithUnits(orders)
  if (sale.stock !== -1) {
    const over = sumQuantity(active) - sale.stock
    must('I1', over <= 0, `${counted(over, 'unit')} more than the stock`)
  }
  const sold = sumByVariant(active)
  for (const { id, stock } of sale.variants ?? []) {
    const over = unitsOfVariant(sold, id) - stock
    must(['I1', 'N1'], over <= 0, `${counted(over, 'unit')} of ${id} more than its stock`)
  }
  for (const [shopperId, units] of unitsByShopper(active)) {
    must('I3', units <= sale.limitPerShopper, `${shopperId} has ${units}, the limit is ${sale.limitPerShopper}`)
  }
  return findings
}

/** Checks at rest that Redis and the table agree on every unit, and that each order has a variant of the sale (I4, N1). */
export function unitFindings(snapshot: ObservedSale): InvariantFinding[] {
  const { sale, orders, redis, table } = snapshot
  const active = ordersWithUnits(orders)
  const odd = orders.filter(({ variant }) => !isVariantOf(sale.variants, variant))
  const { findings, none } = openFindings()
  none(
    ['I4', 'N1'],
    odd.map(({ orderId }) => orderId),
    'order',
    'of another variant',
  )
  return [
    ...findings,
    ...(redis === undefined ? [] : redisFindings(sale, redis, active)),
    ...(table === undefined ? [] : tableFindings(sale, table, active)),
  ]
}

type Terms = ObservedSale['sale']

function redisFindings(sale: Terms, redis: RedisUnits, active: readonly SnapshotOrder[]): InvariantFinding[] {
  const { findings, must } = openFindings()
  const { total, booked, outbox, holds } = redis
  const sold = sumQuantity(active)
  must('I2', outbox === 0, `${counted(outbox, 'message')} still in the outbox`)
  must('I4', booked === sold, `Redis booked ${booked}, DynamoDB sold ${sold}`)
  must('I4', total === sale.stock, `Redis has a total of ${total}, the sale ${sale.stock}`)
  for (const [at, shard] of (redis.shards ?? []).entries()) {
    must('I4', shard.total === shard.granted, `shard ${at} has ${shard.total} and was granted ${shard.granted}`)
  }
  must('I1', total === -1 || booked <= total, `the counter says ${total - booked}`)
  if (holds !== undefined) {
    findings.push(...holdFindings(holds, booked, active), ...buyerFindings('Redis', unitsByShopper(holds), active))
  }
  return [...findings, ...variantFindings(sale, redis, active)]
}

function holdFindings(
  holds: NonNullable<RedisUnits['holds']>,
  booked: number,
  active: readonly SnapshotOrder[],
): InvariantFinding[] {
  const { findings, must } = openFindings()
  must('I4', sumQuantity(holds) === booked, `holds add up to ${sumQuantity(holds)}, ${booked} are booked`)
  const byId = new Map(holds.map((hold) => [hold.orderId, hold]))
  const without = active.filter(({ orderId }) => !byId.delete(orderId)).map(({ orderId }) => orderId)
  const beyond = [...byId.keys()]
  must(
    'I4',
    without.length + beyond.length === 0,
    `Redis and DynamoDB name different orders (without a hold: ${firstFew(without) || 'none'}; without an order: ${firstFew(beyond) || 'none'})`,
  )
  return findings
}

/** Compares the units of each shopper; one without orders must have none. */
function buyerFindings(
  where: string,
  buyers: ReadonlyMap<string, number>,
  active: readonly SnapshotOrder[],
): InvariantFinding[] {
  const { findings, must } = openFindings()
  const bought = unitsByShopper(active)
  for (const shopperId of new Set([...bought.keys(), ...buyers.keys()])) {
    const [is, should] = [buyers.get(shopperId) ?? 0, bought.get(shopperId) ?? 0]
    must('I4', is === should, `${where} counts ${counted(is, 'unit')} of ${shopperId}, ${should} are`)
  }
  return findings
}

function variantFindings(
  { variants = [] }: Terms,
  redis: RedisUnits,
  active: readonly SnapshotOrder[],
): InvariantFinding[] {
  const { findings, must } = openFindings()
  const counters = Object.keys(redis.variants ?? {}).length
  must(['I4', 'N1'], counters === variants.length, `Redis has ${counters} of ${variants.length} variants`)
  const sold = sumByVariant(active)
  const held = sumByVariant(redis.holds ?? [])
  for (const { id, stock } of variants) {
    const [counter, units] = [ownValue(redis.variants, id), unitsOfVariant(sold, id)]
    must(['I4', 'N1'], counter?.total === stock, `Redis has a total of ${counter?.total} of ${id}, the sale ${stock}`)
    must(
      ['I4', 'N1'],
      counter?.left === stock - units,
      `Redis has ${counter?.left} of ${id} left, ${stock - units} are`,
    )
    const inHolds = unitsOfVariant(held, id)
    if (redis.holds) must(['I4', 'N1'], inHolds === units, `${inHolds} of ${id} are held, ${units} sold`)
  }
  const soldOf = new Map(active.map((order) => [order.orderId, order]))
  for (const { orderId, variant } of redis.holds ?? []) {
    const should = (soldOf.get(orderId) ?? { variant }).variant
    must('N1', variant === should, `${orderId} holds a unit of ${variant} and should hold one of ${should}`)
  }
  return findings
}

function tableFindings(sale: Terms, table: TableUnits, active: readonly SnapshotOrder[]): InvariantFinding[] {
  const { findings, must } = openFindings()
  const units = sumQuantity(active)
  const same = (what: string, is: number | undefined, should: number) =>
    must('I4', is === should, `${what} is ${is} and should be ${should}`)
  same('sold at the cap', table.sold, units)
  same('orders at the cap', table.orders, active.length)
  if (table.remaining !== undefined)
    same('remaining at the cap', table.remaining, sale.stock === -1 ? -1 : sale.stock - units)
  if (table.buyers !== undefined) findings.push(...buyerFindings('the table', table.buyers, active))
  if (table.variants === undefined) return findings
  const variants = sale.variants ?? []
  same('the number of variants of the cap', Object.keys(table.variants).length, variants.length)
  const sold = sumByVariant(active)
  for (const { id, stock } of variants) {
    same(`what is left of ${id} at the cap`, ownValue(table.variants, id)?.left, stock - unitsOfVariant(sold, id))
    same(`what is sold of ${id} at the cap`, ownValue(table.variants, id)?.sold, unitsOfVariant(sold, id))
  }
  return findings
}

function unitsByShopper(orders: readonly { shopperId: string; quantity: number }[]): Map<string, number> {
  const units = new Map<string, number>()
  for (const { shopperId, quantity } of orders) units.set(shopperId, (units.get(shopperId) ?? 0) + quantity)
  return units
}

/** Returns the variant of an answer; empty when it names none. */
export function variantOrEmpty(variant: unknown): string {
  return typeof variant === 'string' ? variant : ''
}
