import { describe, expect, it } from 'vitest'
import { paymentVariables, readEnvironment } from '../../../../functions/lib/env.ts'
import { chooseWebhooks } from '../../../../functions/orders/payments/choose.ts'

const env = { PAYMENT_URL: 'https://pay.example', PAYMENT_API_KEY: 'key', SHOP_URL: 'https://shop.example' }

describe('the choice of a payment provider', () => {
  it('names a wrong value of the environment', () => {
    expect(() => readEnvironment(paymentVariables, { ...env, PAYMENT_PROVIDER: 'strip' })).toThrow(
      'PAYMENT_PROVIDER must be simulated or stripe',
    )
  })

  it('refuses secrets of another form, without repeating them', async () => {
    for (const PAYMENT_PROVIDER of ['simulated', 'stripe'] as const) {
      const choosing = chooseWebhooks({ ...env, PAYMENT_PROVIDER, WEBHOOK_SECRET: 'sk_live_wrong' })
      await expect(choosing).rejects.toThrow(/^WEBHOOK_SECRET must be (?!.*sk_live_wrong)/)
    }
  })
})
