/**
 * The invariants after a rush, as pure functions of the state of Redis, DynamoDB and the shoppers. They tolerate
 * nothing: a number that cannot be explained is a violation.
 */
import { counted } from '../../core/lib/text.ts'
import { sumByVariant, unitsOfVariant, type Variant } from '../../core/sale/variants.ts'
import { lostReservations } from '../invariants/answers.ts'
import { type Finding, openFindings, sumOf } from '../invariants/findings.ts'
import { findingsAtRest } from '../invariants/invariants.ts'
import { codesOf } from '../invariants/orders.ts'
import type { AnsweredOrder, RedisUnits, SaleSnapshot, SaleTerms, SnapshotOrder } from '../invariants/snapshot.ts'
import { standingOrders, wordOf } from '../invariants/units.ts'
import type { WonOrder } from './requests.ts'

/** The sale in Redis, of which every hold was read. */
type RedisStock = RedisUnits & { holds: NonNullable<RedisUnits['holds']>[number][] }

export type WrittenOrder = SnapshotOrder & { reservedAt: number; writtenAt: number }

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

/** The kind and the variants of the sale; `shown` are the units left of each variant on the page. */
export type ProductFacts = Partial<Pick<SaleTerms, 'kind' | 'variants'>> & { shown?: Readonly<Record<string, number>> }

export type Verdict = {
  sold: number
  expected: number
  oversold: number
  lost: number
  stranded: number
  violations: string[]
}

/** `coupons`: the codes of all orders that hold units. */
export type CouponVerdict = Verdict & { coupons: number }

/** Units that must be sold: whole orders only, so 50 units in threes sell 48 (S8). */
export function expectedUnits({
  stock,
  shoppers,
  quantity,
}: Pick<RushFacts, 'stock' | 'shoppers' | 'quantity'>): number {
  const demand = shoppers * quantity
  return stock === -1 ? demand : Math.min(demand, Math.floor(stock / quantity) * quantity)
}

export function judge(facts: RushFacts, product: ProductFacts = {}): Verdict {
  const { orders, stock, spare = 0, miscounted = [] } = facts
  const snapshot = snapshotOf(facts, product)
  const sold = sumOf(standingOrders(orders))
  const expected = expectedUnits(facts)
  const least = stock === -1 ? expected : Math.min(expected, stock - spare)
  const { findings, must } = openFindings()
  must('I1', sold >= least && sold <= expected, `${counted(sold, 'unit')} sold, ${expected} expected`)
  return {
    sold,
    expected,
    oversold: stock === -1 ? 0 : Math.max(0, sold - stock),
    lost: lostReservations(orders, snapshot.answered ?? []).length,
    stranded: stock === -1 ? 0 : Math.max(0, least - sold),
    violations: [...[...findings, ...findingsAtRest(snapshot)].map(violationOf), ...miscounted],
  }
}

/** No shopper of a rush cancels or pays late, so each order that was answered stands. */
function snapshotOf(facts: RushFacts, { kind = 'goods', variants, shown }: ProductFacts): SaleSnapshot {
  const { stock, limitPerShopper, orders, answered, unseen, queued, deadLetters } = facts
  const { total, booked, outbox, holds, variants: counters } = facts.snapshot
  return {
    sale: { kind, stock, limitPerShopper, variants },
    orders,
    answered: answered.map(
      ({ orderId, shopperId, quantity, variant }): AnsweredOrder => ({
        ...{ orderId, shopperId, units: [{ quantity, variant: wordOf(variant) }] },
      }),
    ),
    redis: { total, booked, outbox, holds, variants: counters },
    shown: { left: facts.shownLeft, variants: shown, refused: facts.refusedWithLeft },
    arrivals: { unseen, queued, deadLetters },
  }
}

/** A finding as a line of a report, behind the invariant that it breaks. */
export function violationOf({ rules: [rule], text }: Finding): string {
  return `${rule}: ${text}`
}

/** The verdict of a sale of coupons, which has a code for each unit. */
export function judgeCoupons(facts: RushFacts): CouponVerdict {
  const coupons = standingOrders(facts.orders).flatMap(codesOf).length
  return { ...judge(facts, { kind: 'coupon' }), coupons }
}

/**
 * The verdict of a sale with variants, each of which is a stock of its own. `wanted` are the units that shoppers asked
 * for at first, the late one after the rush included.
 */
export type VariantCount = { id: string; stock: number; wanted: number; sold: number; oversold: number }

export type VariantVerdict = Verdict & { variants: readonly VariantCount[] }

/** `shown` is what the public pointer says of each variant; `wanted` as in `VariantCount`. */
export type VariantFacts = RushFacts & {
  variants: readonly Variant[]
  wanted: ReadonlyMap<string, number>
  shown: Readonly<Record<string, number>>
}

export function judgeVariants(facts: VariantFacts): VariantVerdict {
  const { orders, shown, variants } = facts
  const sold = sumByVariant(standingOrders(orders))
  const counts = variants.map(({ id, stock }): VariantCount => {
    const units = unitsOfVariant(sold, id)
    const wanted = facts.wanted.get(id) ?? 0
    return { id, stock, wanted, sold: units, oversold: Math.max(0, units - stock) }
  })
  return { ...judge(facts, { variants, shown }), variants: counts }
}

/** What shoppers see once the load is over and nothing is in progress. */
export type Aftermath = {
  /** Prizes that their winner asked for and was not shown. */
  unseen: string[]
  queued: number
  deadLetters: number
  /**
   * The number left by the public pointer, and in the answer to a late shopper; the latter only for
   * a sale that sells out.
   */
  shownLeft: number
  refusedWithLeft: number | undefined
  /** Where the console's demand differs from the answers; absent where these do not tell. */
  miscounted?: readonly string[] | undefined
}
