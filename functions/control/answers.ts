/** What came of a marketer's call, as an answer in plain words. */
import { controlApi } from '../../core/api/control.ts'
import { formatMoney } from '../../core/money.ts'
import { isContested } from '../../core/orders/order.ts'
import { isBeingPaid } from '../../core/orders/order-life.ts'
import { redeemedCount } from '../../core/orders/redemption.ts'
import { type ProblemCode, problem } from '../../core/outcome.ts'
import { type Refusal, type RefusalReason, refusalText } from '../../core/refusals.ts'
import { type Role, roleDetail } from '../../core/roles.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer } from '../lib/http/answer.ts'
import type { OrderChanged } from '../orders/change-order.ts'
import type { Recovered } from '../repair/stock/recovered.ts'
import type { Action, Outcome } from './control.ts'
import type { EarlyChanged } from './early-list.ts'
import type { OverRefundLimit } from './refund.ts'
import type { OrdersReserved } from './reserve-orders.ts'
import type { OrdersShipped } from './ship-orders.ts'
import type { StockOutcome } from './stock-change.ts'

const conflicts = {
  conflict: 'changed-meanwhile',
  busy: 'stock-busy',
  'stock-missing': 'stock-lost',
  postponed: 'change-saved',
  'id-taken': 'id-taken',
} as const satisfies Record<string, RefusalReason>

/** A refusal with its reason, in words and as a code; `roles` could do what is refused. */
export function refusal(
  refused: Refusal,
  code: ProblemCode = 'conflict',
  roles?: readonly Role[],
): HttpAnswer {
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

export function unknownSale(): HttpAnswer {
  return problemAnswer(problem('unknown-sale', 'There is no sale with this ID.'))
}

/** The caller has none of `needed`. */
export function roleRequired(needed: readonly Role[]): HttpAnswer {
  return problemAnswer(problem('role-required', roleDetail(needed), { roles: needed }))
}

type SaleOperation = (typeof controlApi)['createSale' | 'editSale' | 'deleteSale' | Action | 'start']

export function answerOfSale(operation: SaleOperation, outcome: Outcome): HttpAnswer {
  return outcome.kind === 'done' ? answerOf(operation, outcome.sale) : failure(outcome)
}

export function answerOfStock(outcome: StockOutcome): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  return answerOf(controlApi.changeStock, { total: outcome.total, booked: outcome.booked })
}

export function answerOfReserved(outcome: OrdersReserved): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  return answerOf(controlApi.reserveOrders, { lines: outcome.lines })
}

export function answerOfShipped(outcome: OrdersShipped): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  return answerOf(controlApi.ship, { lines: outcome.lines })
}

export function answerOfEarly(
  operation: typeof controlApi.addEarly | typeof controlApi.removeEarly,
  outcome: EarlyChanged,
): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  const { changed, same } = outcome
  return answerOf(operation, { changed, same })
}

/** `orders` and `units` are what stands in Redis again. */
export function answerOfRecovery(outcome: Recovered): HttpAnswer {
  switch (outcome.kind) {
    case 'recovered': {
      const { kind, ...recovered } = outcome
      return answerOf(controlApi.recover, recovered)
    }
    case 'unfinished':
      return refusal(outcome)
    default:
      return failure(outcome)
  }
}

/** `refund` is the money that goes back now, null when none does. */
export function answerOfRefund(outcome: OrderChanged | OverRefundLimit): HttpAnswer {
  switch (outcome.kind) {
    case 'over-limit':
      return overRefundLimit(outcome)
    case 'moved':
    case 'same': {
      const { orderId, saleId, status, reason } = outcome.order
      const refund = 'refund' in outcome ? outcome.refund : undefined
      return answerOf(controlApi.refund, { orderId, saleId, status, reason, refund: refund ?? null })
    }
    case 'no-order':
      return refusal({ reason: 'unknown-order' }, 'not-found')
    case 'refused':
      if (isContested(outcome.order)) {
        return refusal({
          reason: outcome.order.dispute?.state === 'lost' ? 'dispute-lost' : 'payment-disputed',
        })
      }
      if (isBeingPaid(outcome.order)) return refusal({ reason: 'being-captured' })
      if (redeemedCount(outcome.order) > 0) return refusal({ reason: 'coupon-redeemed' })
      return refusal({ reason: 'nothing-to-refund', values: { status: outcome.order.status } })
    default:
      throw new Error(`a refund cannot be ${outcome.kind}`)
  }
}

/** A marketer may give the order back; `values` are amounts as an English reader writes them. */
function overRefundLimit({ amount, limit, currency }: OverRefundLimit): HttpAnswer {
  const money = (minor: number) => formatMoney({ amount: minor, currency }, 'en')
  const values = { amount: money(amount), limit: money(limit) }
  return refusal({ reason: 'over-refund-limit', values }, 'role-required', ['marketer'])
}

type Failure =
  | Exclude<Outcome | StockOutcome | OrdersReserved | OrdersShipped | EarlyChanged, { kind: 'done' }>
  | Extract<Recovered, { kind: 'refused' | 'no-sale' | 'busy' }>

function failure(outcome: Failure): HttpAnswer {
  if (outcome.kind === 'no-sale') return unknownSale()
  if (outcome.kind === 'invalid') return invalid(outcome.field, outcome.detail)
  if (outcome.kind === 'refused') return refusal(outcome)
  const reason = conflicts[outcome.kind]
  return refusal(outcome.kind === 'id-taken' ? { reason, field: 'saleId' } : { reason })
}
