/** `POST /api/wallet/payouts`: withdraws the balance of one currency from the caller's own wallet. */
import type { AnswerOf } from '../../core/api/operation.ts'
import { walletApi } from '../../core/api/wallet.ts'
import { formatMoney } from '../../core/money.ts'
import { problem } from '../../core/outcome.ts'
import { type HttpAnswer, problemAnswer } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { type Withdrawing, type WithdrawPorts, withdraw } from './payouts.ts'

const routes = [
  on(walletApi.withdraw, async (ports: WithdrawPorts, { caller, body: { currency } }) =>
    answerOfWithdrawing(await withdraw(ports, caller.shopperId, currency), currency),
  ),
]

export const payoutsApp = (ports: WithdrawPorts) => createApp(ports, routes, forShoppers)

function answerOfWithdrawing(
  withdrawing: Withdrawing,
  currency: string,
): AnswerOf<typeof walletApi.withdraw> | HttpAnswer {
  switch (withdrawing.kind) {
    case 'payout': {
      const { payoutId, amount, requestedAt } = withdrawing.payout
      const { kind: state, ...reason } = withdrawing.state
      return { payout: { payoutId, amount, currency, requestedAt, state, ...reason } }
    }
    case 'onboarding':
      return { url: withdrawing.url }
    case 'not-offered':
      return problemAnswer(problem('conflict', `This shop does not pay out ${currency}.`, { field: 'currency' }))
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
