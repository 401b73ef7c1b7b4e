/** Anybody may send to the webhook of Stripe: forged messages are refused and are no failure of ours (I6). */
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { stripeWebhooks } from '../../../../functions/orders/payments/payment-webhooks.stripe.ts'
import { orderIdOf, saleIdOf } from '../../../redis/support.ts'

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

/** Amounts of the account's balance; the dispute is of 48.00 EUR. */
const [withdrawn, reinstated] = [-4800, 4800]
const verdicts: [event: string, status: string, moves: number[], type: string, amount?: number, currency?: string][] = [
  ['created', 'needs_response', [withdrawn], 'payment.disputed'],
  ['created', 'warning_needs_response', [], 'payment.disputed'],
  ['created', 'lost', [withdrawn], 'dispute.lost'],
  ['updated', 'under_review', [withdrawn], 'payment.disputed'],
  ['updated', 'a_later_status', [withdrawn], 'payment.disputed'],
  ['updated', 'prevented', [withdrawn], 'dispute.lost'],
  ['closed', 'prevented', [withdrawn, reinstated], 'dispute.won'],
  ['closed', 'prevented', [], 'dispute.won'],
  ['closed', 'warning_closed', [], 'dispute.won'],
  ['closed', 'warning_closed', [withdrawn], 'dispute.lost'],
  ['closed', 'won', [withdrawn], 'dispute.won'],
  ['closed', 'lost', [withdrawn], 'dispute.lost'],
  ['closed', 'lost', [-1200], 'dispute.lost', 1200],
  ['closed', 'lost', [-5240], 'dispute.lost', 4800, 'usd'],
  ['closed', 'lost', [], 'dispute.lost'],
  ['closed', 'charge_refunded', [], 'dispute.won'],
  ['funds_withdrawn', 'needs_response', [withdrawn], 'payment.disputed'],
  ['funds_withdrawn', 'lost', [withdrawn], 'dispute.lost'],
  ['funds_reinstated', 'won', [withdrawn, reinstated], 'dispute.won'],
]

it.each(verdicts)('a dispute is read by the money that moved: %s, %s, %j is %s', async (...of) => {
  const [event, status, moves, type, amount = 4800, currency = 'eur'] = of
  const metadata = { paymentId: 'pay-1', orderId: orderIdOf(saleIdOf('disputed'), 1, 1) }
  const dispute = { id: 'du_1', object: 'dispute', status, amount: 4800, currency: 'eur', metadata: {} }
  const data = {
    object: {
      ...dispute,
      payment_intent: { id: 'pi_1', metadata },
      balance_transactions: moves.map((moved) => ({ amount: moved, net: moved - 1500, currency })),
    },
  }
  const body = JSON.stringify({ id: 'evt_2', object: 'event', type: `charge.dispute.${event}`, data })
  const header = signer.generateTestHeaderString({ payload: body, secret })
  const found = await reader.read({ headers: { 'stripe-signature': header }, body })
  const expected = { ...metadata, disputeId: 'du_1', reference: 'pi_1', amount, currency: 'EUR' }
  expect(found).toMatchObject({ kind: 'event', event: { type, data: expected } })
})
