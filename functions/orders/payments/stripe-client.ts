/** Creates Stripe's own client with a short timeout, and errors that contain nothing of a request. */
import Stripe from 'stripe'
import { version } from '../../../core/lib/user-agent.ts'
import { PaymentProviderBusy, PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'

/** Short, because a shopper waits for the answer; a second try has the same idempotency key. */
const timeoutMs = 2500
const maxRetries = 1

/** `url` is the base URL of the API, https://api.stripe.com. */
export type StripeAccess = { url: string; apiKey: string }

/** @throws Error when `apiKey` cannot be sent in a header */
export function stripeClient({ url, apiKey }: StripeAccess): Stripe {
  // The error of `fetch` would quote the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Error('the API key is not printable ASCII')
  const { protocol, hostname, port } = new URL(url)
  const isSecure = protocol === 'https:'
  return new Stripe(apiKey, {
    protocol: isSecure ? 'https' : 'http',
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : port,
    httpClient: Stripe.createFetchHttpClient(),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
    // Added to the `User-Agent` that the client sends.
    appInfo: { name: 'Sluice', version },
  })
}

/**
 * Calls the API; `what` names the call in errors.
 * @throws PaymentProviderBusy for rate limits and lock conflicts of one object; PaymentProviderFailed without Stripe's own
 * error, whose message may quote a key
 */
export async function callStripe<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, statusCode, requestId } = error
    if (statusCode === 429) throw new PaymentProviderBusy(`Stripe did not ${what}: its rate limit is exceeded`)
    const facts = [type, code, statusCode, requestId].filter((fact) => fact !== undefined)
    throw new StripeRefused(`Stripe did not ${what}: ${facts.join(' ')}`, code)
  }
}

/** `code` is the code of Stripe's error, https://docs.stripe.com/error-codes. */
export class StripeRefused extends PaymentProviderFailed {
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}
