/** Calls the simulated payment provider over HTTP, like a real one. */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { userAgent } from '../../../core/lib/user-agent.ts'
import { type AuthorisationEnd, type PaymentProvider, PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'

/** Short, because a shopper waits for the answer. */
const timeoutMs = 2000

/** `url` is the base URL of the provider's API. */
export type SimulatedAccess = { url: string; apiKey: string }

/** Posts a body to a path of the API and resolves with the text of the answer. @throws PaymentProviderFailed */
type SimulatedPost = (path: string, body: object) => Promise<string>

/** @throws Error when `apiKey` cannot be sent in a header */
function simulatedClient({ url, apiKey }: SimulatedAccess): SimulatedPost {
  // The error of `fetch` would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('the API key is not printable ASCII')
  const headers = {
    ...{ accept: 'application/json', authorization: `Bearer ${apiKey}` },
    ...{ 'content-type': 'application/json', 'user-agent': userAgent() },
  }
  return async (path, body) => {
    let response: Response
    let text: string
    try {
      const signal = AbortSignal.timeout(timeoutMs)
      // A redirect would send the key to another address.
      const init: RequestInit = { method: 'POST', headers, redirect: 'error', signal }
      response = await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) })
      text = await response.text()
    } catch (cause) {
      throw new PaymentProviderFailed(`POST ${path} was not answered`, { cause })
    }
    if (!response.ok) throw new PaymentProviderFailed(`POST ${path} was answered with ${response.status}`)
    return text
  }
}

/** The provider's page is part of the shop's site, so its address is a path. */
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
