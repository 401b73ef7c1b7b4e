/**
 * Chooses the payment provider; no other module does. Loads Stripe's client from a separate file at the first call,
 * because most invocations never call the provider.
 */
import type { Environment, paymentVariables } from '../../lib/env.ts'
import { lazyLoad } from '../../lib/lazy-load.ts'
import type { ChargeLimits, PaymentProvider } from '../../lib/shop/payment-provider.ts'
import { simulatedPayments } from './payment-provider.simulated.ts'
import { isSecretList, simulatedWebhooks, webhookSignatures } from './payment-webhooks.simulated.ts'
import type { PaymentWebhooks } from './payment-webhooks.ts'
import { stripeLimits } from './stripe-currency.ts'

export const providerNames = ['simulated', 'stripe'] as const
export type ProviderName = (typeof providerNames)[number]

/** The environment of a function that calls the provider. */
export type PaymentEnvironment = Environment<typeof paymentVariables>

export function chargeLimits(provider: ProviderName, currency: string): ChargeLimits {
  switch (provider) {
    case 'simulated':
      return { step: 1, min: 1, max: Number.MAX_SAFE_INTEGER }
    case 'stripe':
      return stripeLimits(currency)
  }
}

export function choosePayments(env: PaymentEnvironment): PaymentProvider {
  const access = { url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY }
  switch (env.PAYMENT_PROVIDER) {
    case 'simulated':
      return simulatedPayments(access)
    case 'stripe': {
      const stripe = lazyLoad(async () => (await import('./stripe.ts')).stripePayments(access, env.SHOP_URL))
      return {
        start: async (request) => (await stripe()).start(request),
        withdraw: async (request) => (await stripe()).withdraw(request),
        capture: async (authorised) => (await stripe()).capture(authorised),
        release: async (authorised) => (await stripe()).release(authorised),
        refund: async (refund) => (await stripe()).refund(refund),
      }
    }
  }
}

/** `WEBHOOK_SECRET` contains secrets with spaces between them. @throws Error when they are not secrets of the provider */
export async function chooseWebhooks(env: PaymentEnvironment & { WEBHOOK_SECRET: string }): Promise<PaymentWebhooks> {
  const secrets = env.WEBHOOK_SECRET
  switch (env.PAYMENT_PROVIDER) {
    case 'simulated':
      if (!isSecretList(secrets)) throw new Error('WEBHOOK_SECRET must be secrets of Standard Webhooks (whsec_…)')
      return simulatedWebhooks(webhookSignatures(secrets))
    case 'stripe': {
      const { isStripeSecretList, stripeWebhooks } = await import('./stripe.ts')
      if (!isStripeSecretList(secrets)) throw new Error('WEBHOOK_SECRET must be signing secrets of Stripe (whsec_…)')
      return stripeWebhooks({ url: env.PAYMENT_URL, apiKey: env.PAYMENT_API_KEY, secrets })
    }
  }
}
