/** What anybody may send to the webhook of Stripe: it is refused, and is no failure of ours (I6). */
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { stripeWebhooks } from '../../../../functions/orders/payments/payment-webhooks.stripe.ts'

const secret = `whsec_${'a'.repeat(32)}`
const { webhooks: signer } = new Stripe('sk_test_local')
const reader = stripeWebhooks({ apiKey: 'sk_test_local', url: 'http://127.0.0.1:1', secrets: secret })
const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'plan.created', data: { object: {} } })

const read = (header: string) => reader.read({ headers: { 'stripe-signature': header }, body })
const signedAt = (seconds: number) =>
  signer.generateTestHeaderString({ payload: body, secret, timestamp: Math.floor(Date.now() / 1000) + seconds })

it.each([
  't=1,v1=',
  't=,v1=',
  't=1,v1=ab',
  `t=1,v1=,v1=${'a'.repeat(64)}`,
  `t=99999999999999,v1=${'a'.repeat(64)}`,
  `v1=${'a'.repeat(64)}`,
  'é',
])('a header is refused that nobody signed: %s', async (header) => {
  expect(await read(header)).toMatchObject({ kind: 'unsigned' })
})

it('a signature is refused that is dated more than five minutes ahead, which would never become old', async () => {
  expect(await read(signedAt(360))).toMatchObject({ kind: 'unsigned', fault: expect.stringContaining('ahead') })
  // Clocks differ.
  expect(await read(signedAt(60))).toEqual({ kind: 'ignored' })
})

it('a signature of another scheme beside ours does not matter', async () => {
  expect(await read(`${signedAt(0)},v0=${'b'.repeat(64)}`)).toEqual({ kind: 'ignored' })
})
