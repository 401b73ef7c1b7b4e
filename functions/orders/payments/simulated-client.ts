/** Calls of the simulated provider. One try per call: the caller may retry, and an id makes it one effect. */
import { PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'

/** Short, because a shopper waits for the answer. */
const patienceMs = 2000

/** `url` is the base URL of the provider's API. */
export type SimulatedAccess = { url: string; apiKey: string }

/**
 * Posts a body to a path of the API, and resolves with the text of the answer.
 * @throws PaymentProviderFailed
 */
export type SimulatedPost = (path: string, body: object) => Promise<string>

/** @throws Error when `apiKey` cannot be sent in a header */
export function simulatedClient({ url, apiKey }: SimulatedAccess): SimulatedPost {
  // Checked here, because the error of `fetch` would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('the API key is not printable ASCII')
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return async (path, body) => {
    let response: Response
    let text: string
    try {
      const signal = AbortSignal.timeout(patienceMs)
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
