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
  /** Default: goods. */
  kind?: ObservedTerms['kind']
  stock: number
  shoppers: number
  /** Units of one order, and the limit of a shopper. */
  quantity: number
  /** Units that may be left because their variant has too few for an order. Default 0. */
  spare?: number
  snapshot: RedisStock
  orders: WrittenOrder[]
  answered: AnsweredReservation[]
  variants?: readonly Variant[]
  /** Units of each variant in the shoppers' first requests. */
  wanted?: ReadonlyMap<string, number>
  /** The units left of each variant on the page. */
  shown?: Readonly<Record<string, number>>
}

export type RushVerdict = {
  sold: number
  expected: number
  oversold: number
  lost: number
  stranded: number
  violations: string[]
  /** The codes of all active orders, in a sale of coupons. */
  coupons?: number
  variants?: readonly VariantCount[]
}

/** The result of one variant. `wanted` are the units of the shoppers' first requests, including the late shopper. */
export type VariantCount = { id: string; stock: number; wanted: number; sold: number; oversold: number }

/** Returns the units that must be sold: whole orders only, so 50 units in threes sell 48 (S8). */
export function expectedUnits({
  stock,
  shoppers,
  quantity,
}: Pick<RushFacts, 'stock' | 'shoppers' | 'quantity'>): number {
  const demand = shoppers * quantity
  return stock === -1 ? demand : Math.min(demand, Math.floor(stock / quantity) * quantity)
}

export function judge(facts: RushFacts): RushVerdict {
  const { orders, stock, spare = 0, miscounted = [], kind, variants } = facts
  const snapshot = snapshotOf(facts)
  const active = ordersWithUnits(orders)
  const sold = sumQuantity(active)
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
    ...(kind === 'coupon' && { coupons: active.flatMap(validCodesOf).length }),
    ...(variants && { variants: countsOf(variants, facts) }),
  }
}

function countsOf(variants: readonly Variant[], { orders, wanted }: RushFacts): VariantCount[] {
  const sold = sumByVariant(ordersWithUnits(orders))
  return variants.map(({ id, stock }) => {
    const units = unitsOfVariant(sold, id)
    return { id, stock, wanted: wanted?.get(id) ?? 0, sold: units, oversold: Math.max(0, units - stock) }
  })
}

/** Builds the snapshot. No shopper cancels or pays late during a rush, so each answered order must be active. */
function snapshotOf(facts: RushFacts): ObservedSale {
  const { kind = 'goods', stock, quantity, variants, shown, orders, answered, unseen, queued, deadLetters } = facts
  const { total, booked, outbox, holds, variants: counters } = facts.snapshot
  return {
    sale: { kind, stock, limitPerShopper: quantity, variants },
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
