/** `POST /api/wallet/payouts`: withdraws the balance of one currency from the caller's own wallet. */
import * as z from 'zod/mini'
import { walletApi } from '../../core/api/wallet.ts'
import { maxOrderRequestBytes } from '../../core/body-limits.ts'
import { formatMoney } from '../../core/money.ts'
import { problem } from '../../core/outcome.ts'
import { answerOf, type HttpAnswer, problemAnswer } from '../lib/http/answer.ts'
import { readBody } from '../lib/http/body.ts'
import { readCaller, signInRequired } from '../lib/http/caller.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import { type Withdrawing, type WithdrawPorts, withdraw } from './payouts.ts'

/** The amount is the shop's to know: a request with one is refused. */
const payoutRequest = z.strictObject(
  { currency: z.string('must be a string').check(z.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')) },
  'must be an object',
)

type Context = { ports: WithdrawPorts; request: HttpRequest }

const route = createRouter<Context>([
  {
    ...walletApi.withdraw,
    run: async ({ ports, request }) => {
      const caller = readCaller(request.headers)
      if (caller === undefined) return signInRequired()
      const body = readBody(payoutRequest, request, maxOrderRequestBytes)
      if (!body.ok) return body.answer
      const { currency } = body.value
      return answerOfWithdrawing(await withdraw(ports, caller.shopperId, currency), currency)
    },
  },
])

/**
 * Answers one request for a payout.
 * @throws what the ports throw
 */
export function answerPayouts(ports: WithdrawPorts, request: HttpRequest): Promise<HttpAnswer> {
  return route(request, { ports, request })
}

function answerOfWithdrawing(withdrawing: Withdrawing, currency: string): HttpAnswer {
  switch (withdrawing.kind) {
    case 'payout': {
      const { payoutId, amount, requestedAt } = withdrawing.payout
      const { kind: state, ...reason } = withdrawing.state
      return answerOf(walletApi.withdraw, {
        payout: { payoutId, amount, currency, requestedAt, state, ...reason },
      })
    }
    case 'onboarding':
      return answerOf(walletApi.withdraw, { url: withdrawing.url })
    case 'not-offered':
      return problemAnswer(
        problem('conflict', `This shop does not pay out ${currency}.`, { field: 'currency' }),
      )
    case 'too-little': {
      const minimum = formatMoney({ amount: withdrawing.minimum, currency }, 'en')
      return problemAnswer(problem('conflict', `There is less than ${minimum} to withdraw.`))
    }
    case 'busy': {
      const detail = 'Your balance is changing. Try again in a second.'
      return problemAnswer(problem('conflict', detail, { retryAfterSeconds: 1 }))
    }
  }
}
