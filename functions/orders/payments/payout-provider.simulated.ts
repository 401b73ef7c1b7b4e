/** Payouts of the simulated provider: every shopper has an account there. */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { payoutReasons } from '../../../core/packets/statement.ts'
import { PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'
import type { PayoutProvider } from '../../lib/shop/payout-provider.ts'
import { type SimulatedAccess, simulatedClient } from './simulated-client.ts'

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paid') }),
  z.object({ kind: z.literal('pending') }),
  z.object({ kind: z.literal('refused'), reason: z.enum(payoutReasons) }),
])

/** @throws Error when `apiKey` cannot be sent in a header */
export function simulatedPayouts(access: SimulatedAccess): PayoutProvider {
  const post = simulatedClient(access)
  return {
    account: async () => ({ kind: 'ready' }),
    async payOut({ payoutId, amount, currency, requestedAt }) {
      const answer = readJson(outcome, await post('/payouts', { payoutId, amount, currency, requestedAt }))
      if (!answer.ok) throw new PaymentProviderFailed(`the answer to POST /payouts: ${answer.detail}`)
      return answer.value
    },
  }
}
