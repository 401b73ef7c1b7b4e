/** What came of a marketer's call, as an answer in plain words. */
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, invalid, jsonAnswer, problemAnswer } from '../lib/http/answer.ts'
import type { OrderChanged } from '../orders/change-order.ts'
import type { Recovered } from '../repair/recover.ts'
import type { Outcome } from './control.ts'
import type { StockOutcome } from './stock-change.ts'

const conflicts = {
  conflict: 'Somebody else changed the sale at the same time. Look at it again.',
  busy: 'The stock of this sale is being put on the shelf or rebuilt right now. Ask again in a moment.',
  'stock-missing':
    'Redis has lost the stock of this sale. It is rebuilt from the orders within a minute or two; ask again then.',
  postponed:
    'Redis has lost the stock of this sale. The change is kept and made once the stock is rebuilt from the orders, ' +
    'within a minute or two.',
  'id-taken': 'That id is taken. An id is never used twice, because caches keep what was published under it.',
} as const

export function unknownSale(): HttpAnswer {
  return problemAnswer(problem('unknown-sale', 'There is no sale of that id.'))
}

export function answerOf(outcome: Outcome, status = 200): HttpAnswer {
  return outcome.kind === 'done' ? jsonAnswer(status, outcome.sale) : failure(outcome)
}

export function answerOfStock(outcome: StockOutcome): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  return jsonAnswer(200, { total: outcome.total, booked: outcome.booked })
}

/** `orders` and `units` are what stands in Redis again. */
export function answerOfRecovery(outcome: Recovered): HttpAnswer {
  switch (outcome.kind) {
    case 'recovered': {
      const { sale, orders, units, heldBack } = outcome
      return jsonAnswer(200, { sale, orders, units, heldBack })
    }
    case 'unfinished':
      return problemAnswer(problem('conflict', outcome.detail))
    default:
      return failure(outcome)
  }
}

/** `refund` is the money that goes back now, null when none does. */
export function answerOfRefund(outcome: OrderChanged): HttpAnswer {
  switch (outcome.kind) {
    case 'moved':
    case 'same': {
      const { orderId, saleId, status, reason } = outcome.order
      const refund = 'refund' in outcome ? outcome.refund : undefined
      return jsonAnswer(200, { orderId, saleId, status, reason, refund: refund ?? null })
    }
    case 'no-order':
      return problemAnswer(problem('not-found', 'There is no written order of that id.'))
    case 'refused':
      return problemAnswer(
        problem('conflict', `The order is ${outcome.order.status}: there is nothing to give back.`),
      )
    default:
      throw new Error(`a refund cannot be ${outcome.kind}`)
  }
}

/** `csv` is undefined when it would not fit into an answer; `tooLarge` says what to do then. */
export function answerOfCsv(filename: string, csv: string | undefined, tooLarge: string): HttpAnswer {
  if (csv === undefined) return problemAnswer(problem('too-large', tooLarge))
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  }
  return { statusCode: 200, headers, body: csv }
}

type Failure =
  | Exclude<Outcome | StockOutcome, { kind: 'done' }>
  | Extract<Recovered, { kind: 'refused' | 'no-sale' | 'busy' }>

function failure(outcome: Failure): HttpAnswer {
  if (outcome.kind === 'no-sale') return unknownSale()
  if (outcome.kind === 'invalid') return invalid(outcome.field, outcome.detail)
  if (outcome.kind === 'refused') {
    const field = 'field' in outcome ? outcome.field : undefined
    const facts = field === undefined ? {} : { field }
    return problemAnswer(problem('conflict', outcome.detail, facts))
  }
  const facts = outcome.kind === 'id-taken' ? { field: 'saleId' } : {}
  return problemAnswer(problem('conflict', conflicts[outcome.kind], facts))
}
