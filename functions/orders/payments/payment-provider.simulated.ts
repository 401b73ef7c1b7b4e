/** The simulated payment provider, called over HTTP like a real one. */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { type AuthorisationEnd, type PaymentProvider, PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'
import { type SimulatedAccess, simulatedClient } from './simulated-client.ts'

/** The provider's page is part of the shop's site here, so its address is a path. */
const opened = z.object({
  url: z.string('is missing').check(z.regex(/^\/[A-Za-z0-9_-][A-Za-z0-9_./-]*$/, 'is not a path of this site')),
})

const settled = z.object({ state: z.enum(['captured', 'released'], 'must be captured or released') })

/** @throws Error when `apiKey` cannot be sent in a header */
export function simulatedPayments(access: SimulatedAccess): PaymentProvider {
  const post = simulatedClient(access)

  async function settle(path: string, body: object): Promise<AuthorisationEnd> {
    const answer = readJson(settled, await post(path, body))
    if (!answer.ok) throw new PaymentProviderFailed(`the answer to POST ${path}: ${answer.detail}`)
    return answer.value.state
  }

  return {
    async start(request) {
      const answer = readJson(opened, await post('/payments', request))
      if (!answer.ok) throw new PaymentProviderFailed(`the answer to POST /payments: ${answer.detail}`)
      return answer.value
    },
    async withdraw(request) {
      await post('/withdrawals', request)
    },
    capture: (authorised) => settle('/captures', authorised),
    release: (authorised) => settle('/releases', authorised),
    async refund(refund) {
      await post('/refunds', refund)
    },
  }
}
