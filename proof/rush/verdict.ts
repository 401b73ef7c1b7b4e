/**
 * The verdict on a rush as pure functions of the state of Redis, DynamoDB and the shoppers. Any unexplained difference
 * is a violation.
 */
import { counted } from '../../core/lib/text.ts'
import { sumByVariant, unitsOfVariant, type Variant } from '../../core/sale/variants.ts'
import { lostReservations } from '../invariants/answers.ts'
import { type InvariantFinding, openFindings, sumQuantity } from '../invariants/findings.ts'
import { findingsAtRest } from '../invariants/invariants.ts'
import { validCodesOf } from '../invariants/orders.ts'
import type { AnsweredOrder, ObservedSale, ObservedTerms, RedisUnits, SnapshotOrder } from '../invariants/snapshot.ts'
import { ordersWithUnits, variantOrEmpty } from '../invariants/units.ts'
import type { WonOrder } from './requests.ts'

/** The sale in Redis with all its holds. */
type RedisStock = RedisUnits & { holds: NonNullable<RedisUnits['holds']>[number][] }

export type WrittenOrder = SnapshotOrder & { reservedAt: number; writtenAt: number }

/** A reservation that was answered with a 202, or with a repeated 200. */
export type AnsweredReservation = WonOrder & { shopperId: string }

export type RushFacts = Aftermath & {
  stock: number
  shoppers: number
  quantity: number
  limitPerShopper: number
  /** Units that may be left because their variant has too few for an order. Default 0. */
  spare?: number
  snapshot: RedisStock
  orders: WrittenOrder[]
  answered: AnsweredReservation[]
}

/** The kind and the variants of the sale; `shown` has the units left of each variant on the page. */
export type ProductFacts = Partial<Pick<ObservedTerms, 'kind' | 'variants'>> & {
  shown?: Readonly<Record<string, number>>
}

export type RushVerdict = {
  sold: number
  expected: number
  oversold: number
  lost: number
  stranded: number
  violations: string[]
}

/** `coupons` counts the codes of all active orders. */
export type CouponVerdict = RushVerdict & { coupons: number }

/** Returns the units that must be sold: whole orders only, so 50 units in threes sell 48 (S8). */
export function expectedUnits({
  stock,
  shoppers,
  quantity,
}: Pick<RushFacts, 'stock' | 'shoppers' | 'quantity'>): number {
  const demand = shoppers * quantity
  return stock === -1 ? demand : Math.min(demand, Math.floor(stock / quantity) * quantity)
}

export function judge(facts: RushFacts, product: ProductFacts = {}): RushVerdict {
  const { orders, stock, spare = 0, miscounted = [] } = facts
  const snapshot = snapshotOf(facts, product)
  const sold = sumQuantity(ordersWithUnits(orders))
  const expected = expectedUnits(facts)
  const min = stock === -1 ? expected : Math.min(expected, stock - spare)
  const { findings, must } = openFindings()
  must('I1', sold >= min && sold <= expected, `${counted(sold, 'unit')} sold, ${expected} expected`)
  return {
    sold,
    expected,
    oversold: stock === -1 ? 0 : Math.max(0, sold - stock),
    lost: lostReservations(orders, snapshot.answered ?? []).length,
    stranded: stock === -1 ? 0 : Math.max(0, min - sold),
    violations: [...[...findings, ...findingsAtRest(snapshot)].map(violationOf), ...miscounted],
  }
}

/** Builds the snapshot. No shopper cancels or pays late during a rush, so each answered order must be active. */
function snapshotOf(facts: RushFacts, { kind = 'goods', variants, shown }: ProductFacts): ObservedSale {
  const { stock, limitPerShopper, orders, answered, unseen, queued, deadLetters } = facts
  const { total, booked, outbox, holds, variants: counters } = facts.snapshot
  return {
    sale: { kind, stock, limitPerShopper, variants },
    orders,
    answered: answered.map(
      ({ orderId, shopperId, quantity, variant }): AnsweredOrder => ({
        ...{ orderId, shopperId, units: [{ quantity, variant: variantOrEmpty(variant) }] },
      }),
    ),
    redis: { total, booked, outbox, holds, variants: counters },
    shown: { left: facts.shownLeft, variants: shown, refused: facts.refusedWithLeft },
    arrivals: { unseen, queued, deadLetters },
  }
}

/** Formats a finding as a line of a report, after the broken invariant. */
export function violationOf({ rules: [rule], text }: InvariantFinding): string {
  return `${rule}: ${text}`
}

/** Judges a sale of coupons, which has a code for each unit. */
export function judgeCoupons(facts: RushFacts): CouponVerdict {
  const coupons = ordersWithUnits(facts.orders).flatMap(validCodesOf).length
  return { ...judge(facts, { kind: 'coupon' }), coupons }
}

/** The result of one variant. `wanted` are the units of the shoppers' first requests, including the late shopper. */
export type VariantCount = { id: string; stock: number; wanted: number; sold: number; oversold: number }

export type VariantVerdict = RushVerdict & { variants: readonly VariantCount[] }

/** `shown` has the units left in the public pointer; `wanted` is as in `VariantCount`. */
export type VariantFacts = RushFacts & {
  variants: readonly Variant[]
  wanted: ReadonlyMap<string, number>
  shown: Readonly<Record<string, number>>
}

export function judgeVariants(facts: VariantFacts): VariantVerdict {
  const { orders, shown, variants } = facts
  const sold = sumByVariant(ordersWithUnits(orders))
  const counts = variants.map(({ id, stock }): VariantCount => {
    const units = unitsOfVariant(sold, id)
    const wanted = facts.wanted.get(id) ?? 0
    return { id, stock, wanted, sold: units, oversold: Math.max(0, units - stock) }
  })
  return { ...judge(facts, { variants, shown }), variants: counts }
}

/** The state that shoppers see after the load, when nothing is in progress. */
export type Aftermath = {
  /** Orders or packets that their winner requested and was not shown. */
  unseen: string[]
  queued: number
  deadLetters: number
  /**
   * The units left in the public pointer; `refusedWithLeft` is the number in the answer to a late shopper of a sold-out
   * sale.
   */
  shownLeft: number
  refusedWithLeft: number | undefined
  /** Differences between the console's demand and the answers; absent when the answers are incomplete. */
  miscounted?: readonly string[] | undefined
}
