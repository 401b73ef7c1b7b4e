/** Turns the result of a marketer's call into an HTTP answer. */
import type * as z from 'zod/mini'
import type { Recovery, Refunded } from '../../core/api/control-answers.ts'
import { formatMoney } from '../../core/money.ts'
import { isContested, isPaid, isPaidInShop } from '../../core/orders/order.ts'
import { isBeingPaid } from '../../core/orders/order-life.ts'
import { redeemedCount } from '../../core/orders/redemption.ts'
import { type ProblemCode, problem } from '../../core/outcome.ts'
import { type Refusal, type RefusalReason, refusalText } from '../../core/refusals.ts'
import type { Role } from '../../core/roles.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import type { OrderChanged } from '../orders/change-orders.ts'
import type { Recovered } from '../recovery/stock/recover-shards.ts'
import type { Facts } from '../sales/audit.ts'
import type { Outcome } from './control.ts'
import type { OverRefundLimit } from './refund.ts'
import type { OrderReserved } from './reserve-order.ts'
import type { OrdersShipped } from './ship-orders.ts'
import type { StockOutcome } from './stock-change.ts'

const conflicts = {
  conflict: 'changed-meanwhile',
  busy: 'stock-busy',
  'stock-missing': 'stock-lost',
  postponed: 'change-saved',
  'id-taken': 'id-taken',
} as const satisfies Record<string, RefusalReason>

/** Answers a refusal with its reason, as text and as a code. `roles` are the roles that may do what is refused. */
export function refusal(refused: Refusal, code: ProblemCode = 'conflict', roles?: readonly Role[]): HttpAnswer {
  const { reason, values, field } = refused
  return problemAnswer(
    problem(code, refusalText(refused), {
      reason,
      ...(values !== undefined && { values }),
      ...(field !== undefined && { field }),
      ...(roles !== undefined && { roles }),
    }),
  )
}

/** Returns the fields of `record` that the schema of an answer has, null where it has no value. */
export const viewAs = <Shape extends z.core.$ZodShape>({ shape }: { shape: Shape }, record: Facts) =>
  Object.fromEntries(Object.keys(shape).map((field) => [field, record[field] ?? null])) as {
    [Field in keyof Shape]: z.output<Shape[Field]>
  }

export function unknownSale(): HttpAnswer {
  return problemAnswer(problem('unknown-sale', 'There is no sale with this ID.'))
}

/** Returns the changed sale, or the refusal. */
export function answerOfSale(outcome: Outcome): Sale | HttpAnswer {
  return outcome.kind === 'done' ? outcome.sale : failure(outcome)
}

/** Returns the result of a change without `kind`, or the refusal. */
export function answerOfChange<Done extends { kind: 'done' }>(
  outcome: Done | Exclude<StockOutcome | OrderReserved | OrdersShipped, { kind: 'done' }>,
): Omit<Done, 'kind'> | HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  const { kind: _, ...done } = outcome
  return done
}

/** `orders` and `units` count what Redis has again. */
export function answerOfRecovery(outcome: Recovered): Recovery | HttpAnswer {
  if (outcome.kind !== 'recovered') return outcome.kind === 'unfinished' ? refusal(outcome) : failure(outcome)
  const { kind: _, ...recovered } = outcome
  return recovered
}

/** `refund` is the money that is returned now, null when none is. */
export function answerOfRefund(outcome: OrderChanged | OverRefundLimit): Refunded | HttpAnswer {
  switch (outcome.kind) {
    case 'over-limit':
      return overRefundLimit(outcome)
    case 'moved':
    case 'same': {
      const { orderId, saleId, status, reason } = outcome.order
      const refund = 'refund' in outcome ? outcome.refund : undefined
      return { orderId, saleId, status, reason, refund: refund ?? null }
    }
    case 'no-order':
      return refusal({ reason: 'unknown-order' }, 'not-found')
    case 'refused':
      if (isContested(outcome.order)) {
        return refusal({ reason: outcome.order.dispute?.state === 'lost' ? 'dispute-lost' : 'payment-disputed' })
      }
      if (isPaid(outcome.order) && isPaidInShop(outcome.order)) return refusal({ reason: 'paid-in-shop' })
      if (isBeingPaid(outcome.order)) return refusal({ reason: 'being-captured' })
      if (redeemedCount(outcome.order) > 0) return refusal({ reason: 'coupon-redeemed' })
      return refusal({ reason: 'nothing-to-refund', values: { status: outcome.order.status } })
    default:
      throw new Error(`a refund cannot be ${outcome.kind}`)
  }
}

/** Says that only a marketer may refund this order. `values` are amounts as an English reader writes them. */
function overRefundLimit({ amount, limit, currency }: OverRefundLimit): HttpAnswer {
  const money = (minor: number) => formatMoney({ amount: minor, currency }, 'en')
  const values = { amount: money(amount), limit: money(limit) }
  return refusal({ reason: 'over-refund-limit', values }, 'role-required', ['marketer'])
}

type Failure =
  | Exclude<Outcome | StockOutcome | OrderReserved | OrdersShipped, { kind: 'done' }>
  | Extract<Recovered, { kind: 'refused' | 'no-sale' | 'busy' }>

function failure(outcome: Failure): HttpAnswer {
  if (outcome.kind === 'no-sale') return unknownSale()
  if (outcome.kind === 'invalid')
    return 'detail' in outcome ? invalid(outcome.field, outcome.detail) : refusal(outcome, 'invalid-request')
  if (outcome.kind === 'refused') return refusal(outcome)
  const reason = conflicts[outcome.kind]
  return refusal(outcome.kind === 'id-taken' ? { reason, field: 'saleId' } : { reason })
}
