/**
 * One suite for every adapter of the payment port, over its provider on this machine. It runs for each name of
 * `providerNames` (docs/how-to/payments.md).
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import type { PaymentEvent } from '../../core/orders/payment-event.ts'
import { PaymentProviderBusy, PaymentProviderFailed } from '../../functions/lib/shop/payment-provider.ts'
import {
  choosePayments,
  chooseWebhooks,
  type ProviderName,
  providerNames,
} from '../../functions/orders/payments/choose.ts'
import type { PaymentWebhooks } from '../../functions/orders/payments/payment-webhooks.ts'
import { listen } from '../../local/listen.ts'
import { startPaymentProvider } from '../../local/payment/provider.ts'
import { retryAtOnce } from '../functions/orders/payments/stripe-delays.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { useStops } from '../stops.ts'
import { loseAnswer } from './lost-answer.ts'

const stops = useStops()

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`
const apiKey = 'key-of-the-shop'
const hourMs = 3_600_000

let orders = 0

type ReceivedMessage = { headers: IncomingHttpHeaders; body: string }

/** A provider, its adapter, and a shop that reads each message by the adapter before it answers. */
async function rig(name: ProviderName, money = { amount: 1230, currency: 'EUR' }, callsPerSecond?: number) {
  const restoreWaits = retryAtOnce()
  stops.push(async () => restoreWaits())
  const secret = newSecret()
  const received: ReceivedMessage[] = []
  const events: PaymentEvent[] = []
  const ids: string[] = []
  const replies = { lost: false, refuse: 0 }
  const later: { ms: number; stoppedAt?: number | undefined } = { ms: 0 }
  let webhooks: PaymentWebhooks | undefined
  const shop = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const message = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      if (replies.refuse > 0) {
        replies.refuse -= 1
        return void response.writeHead(503).end()
      }
      received.push(message)
      const read = await webhooks?.read(flat(message))
      if (read?.kind === 'event') {
        events.push(read.event)
        ids.push(read.eventId)
      }
      response.writeHead(200).end()
    }),
    0,
  )
  stops.push(shop.stop)
  const provider = startPaymentProvider({
    ...{ provider: name, shopUrl: shop.url, apiKey, webhookSecret: secret },
    webhookUrl: `${shop.url}/webhook`,
    laterMs: 50,
    ...(callsPerSecond && { callsPerSecond }),
    clock: () => later.stoppedAt ?? Date.now() + later.ms,
  })
  stops.push(provider.stop)
  const server = await listen(
    createServer(async (request, response) => {
      if (replies.lost) loseAnswer(response)
      if (!(await provider.routes(request, response))) response.writeHead(418).end()
    }),
    0,
  )
  stops.push(server.stop)
  const env = {
    PAYMENT_PROVIDER: name,
    PAYMENT_URL: name === 'stripe' ? server.url : `${server.url}/local/payment`,
    PAYMENT_API_KEY: apiKey,
    SHOP_URL: 'https://shop.example',
  }
  const readerOf = (secrets: string) => chooseWebhooks({ ...env, WEBHOOK_SECRET: secrets })
  webhooks = await readerOf(secret)
  const payments = choosePayments(env)
  orders += 1
  const orderId = orderIdOf(saleIdOf('paid-sale'), orders, 1)
  const paymentId = `${orderId}.1`
  const now = Date.now()
  const product = 'Copper kettle: 2 × Black / M'
  const request = { paymentId, orderId, ...money, product, startedAt: now, until: now + hourMs }
  const choose = (choice: string) =>
    fetch(`${server.url}/local/pay/${orderId}`, {
      method: 'POST',
      body: new URLSearchParams({ choice }),
      redirect: 'manual',
    })
  const typesSeen = () => events.map(({ type }) => type)
  /** Opens and pays; resolves with the authorised money, as the shop would call the adapter. */
  const authorise = async () => {
    await payments.start(request)
    await choose('pay')
    await expect.poll(typesSeen).toContain('payment.authorised')
    const data = events.find(({ type }) => type === 'payment.authorised')?.data
    if (data === undefined) throw new Error('nothing was authorised')
    return data
  }
  const seen = (type: PaymentEvent['type']) => events.filter((event) => event.type === type)
  const payment = async () => {
    const found = await provider.ledger.find({ orderId, paymentId })
    if (found === undefined) throw new Error('the provider has no such payment')
    return found
  }
  const parts = { payments, provider, request, authorise, choose, seen, payment, received, events, ids }
  return { ...parts, later, replies, secret, readerOf, typesSeen, paymentId, server }
}

function flat({ headers, body }: ReceivedMessage) {
  return { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])), body }
}

/** The shop first receives the report of an authorisation. */
async function firstMessage(name: ProviderName) {
  const { authorise, received, secret, readerOf } = await rig(name)
  await authorise()
  const [first] = received
  if (first === undefined) throw new Error('no message came')
  return { message: flat(first), secret, readerOf }
}

describe.each(providerNames)('the payment provider %s', (name) => {
  it('opens one payment for any number of requests (I5)', async () => {
    const { payments, request, provider } = await rig(name)
    const first = await payments.start(request)
    expect(await payments.start(request)).toEqual(first)
    expect(await provider.ledger.newest(request.orderId)).toMatchObject({ paymentId: request.paymentId })
  })

  it('says on its page what is paid for, and not only the order’s number', async () => {
    const { payments, request, server } = await rig(name)
    await payments.start(request)
    const page = await fetch(`${server.url}/local/pay/${request.orderId}`)
    const text = await page.text()
    expect(text).toContain(request.product)
    expect(text).toContain(name === 'stripe' ? 'Simulated Stripe' : 'Simulated payment provider')
  })

  it('authorises what the order costs, although the account adds tax by default, captures it once, and reports both (O8)', async () => {
    const { payments, authorise, request, seen, payment, paymentId } = await rig(name)
    const money = await authorise()
    expect(money).toMatchObject({ paymentId, orderId: request.orderId, amount: 1230, currency: 'EUR' })
    expect(await payments.capture(money)).toBe('captured')
    expect(await payments.capture(money)).toBe('captured')
    expect(await payments.release(money), 'too late').toBe('captured')
    await expect.poll(() => seen('payment.succeeded')).toHaveLength(1)
    expect(seen('payment.succeeded')[0]?.data).toEqual(money)
    expect((await payment()).state).toBe('captured')
  })

  it('releases an authorisation, and captures it no more', async () => {
    const { payments, authorise, seen, payment } = await rig(name)
    const money = await authorise()
    expect(await payments.release(money)).toBe('released')
    expect(await payments.release(money)).toBe('released')
    expect(await payments.capture(money)).toBe('released')
    expect((await payment()).state).toBe('released')
    await expect.poll(() => seen('payment.failed')).toHaveLength(1)
    expect(seen('payment.succeeded')).toEqual([])
  })

  it('reports an authorisation that comes late, and releases it', async () => {
    const { payments, request, choose, seen, payment, later } = await rig(name)
    await payments.start(request)
    later.stoppedAt = Date.now()
    await choose('later')
    expect((await payment()).state).toBe('on-its-way')
    later.stoppedAt = undefined
    await expect.poll(() => seen('payment.authorised')).toHaveLength(1)
    const [late] = seen('payment.authorised')
    expect(await payments.release({ ...request, ...late?.data })).toBe('released')
    await expect.poll(() => seen('payment.failed')).toHaveLength(1)
    expect(seen('payment.succeeded')).toEqual([])
  })

  it('closes the page of a payment that the shop has withdrawn, and authorises nothing there', async () => {
    const { payments, request, choose, seen, payment } = await rig(name)
    await payments.start(request)
    await payments.withdraw(request)
    expect((await payment()).state).toBe('failed')
    expect((await choose('pay')).status).toBe(409)
    await expect.poll(() => seen('payment.failed')).toHaveLength(1)
    expect(seen('payment.authorised')).toEqual([])
  })

  it('leaves authorised money as it is when the page is withdrawn too late', async () => {
    const { payments, authorise, request, payment } = await rig(name)
    const money = await authorise()
    await payments.withdraw(request)
    expect((await payment()).state).toBe('authorised')
    expect(await payments.capture(money)).toBe('captured')
  })

  it('authorises nothing when the shopper is declined', async () => {
    const { payments, request, choose, payment, seen, received } = await rig(name)
    await payments.start(request)
    expect((await choose('fail')).status).toBe(303)
    await expect.poll(() => received.length).toBe(1)
    expect(seen('payment.authorised')).toEqual([])
    expect((await payment()).state).not.toBe('authorised')
  })

  it('refunds in parts, and each part counts once (O9, I5)', async () => {
    const { payments, provider, authorise, seen, ids, payment } = await rig(name)
    const money = await authorise()
    await payments.capture(money)
    if (name === 'stripe')
      expect(await provider.ledger.refund({ ...(await payment()), amount: 230 }, 're_dashboard')).toBe(true)
    else await payments.refund({ ...money, amount: 230 })
    await payments.refund({ ...money, amount: 1000 })
    await payments.refund({ ...money, amount: 1000 })
    await expect.poll(() => seen('refund.succeeded')).toHaveLength(2)
    const amounts = seen('refund.succeeded').map(({ data }) => data.amount)
    expect(amounts.toSorted((a, b) => a - b)).toEqual([230, 1000])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('reports a dispute and how it ends', async () => {
    const { payments, provider, authorise, seen, payment } = await rig(name)
    const money = await authorise()
    await payments.capture(money)
    const [first, second, third] = ['du_1', 'du_2', 'du_3'].map((disputeId) => ({ ...money, disputeId }))
    await provider.ledger.dispute(await payment(), 'du_1')
    await expect.poll(() => seen('payment.disputed').map(({ data }) => data)).toEqual([first])
    await provider.ledger.dispute(await payment(), 'du_1', 'won')
    await expect.poll(() => seen('dispute.won').map(({ data }) => data)).toEqual([first])
    await provider.ledger.dispute(await payment(), 'du_2')
    await expect.poll(() => seen('payment.disputed').map(({ data }) => data)).toEqual([first, second])
    await provider.ledger.dispute(await payment(), 'du_2', 'lost')
    await expect.poll(() => seen('dispute.lost').map(({ data }) => data)).toEqual([second])
    await provider.ledger.dispute(await payment(), 'du_3', 'prevented')
    await expect.poll(() => seen('dispute.lost').map(({ data }) => data)).toEqual([second, third])
  })

  it('sends a message again under the same id until it is acknowledged, and in any order', async () => {
    const { payments, provider, authorise, events, ids, replies, typesSeen } = await rig(name)
    replies.refuse = 2
    provider.behave({ copies: 2 })
    const money = await authorise()
    await expect.poll(() => events.length).toBe(2)
    expect(new Set(ids).size).toBe(1)
    provider.behave({ hold: true, copies: 1 })
    await payments.capture(money)
    provider.behave({ hold: false })
    await expect.poll(typesSeen).toContain('payment.succeeded')
  })

  it('trusts a message under the former secret during a rotation, and under no other', async () => {
    const { message, secret, readerOf } = await firstMessage(name)
    expect(await (await readerOf(`${newSecret()} ${secret}`)).read(message)).toMatchObject({ kind: 'event' })
    const reader = await readerOf(secret)
    expect(await (await readerOf(newSecret())).read(message)).toMatchObject({ kind: 'unsigned' })
    expect(await reader.read({ ...message, body: `${message.body} ` })).toMatchObject({ kind: 'unsigned' })
    expect(await reader.read({ ...message, headers: {} })).toMatchObject({ kind: 'unsigned' })
  })

  it('does not trust a message of six minutes ago', async () => {
    const { message, secret, readerOf } = await firstMessage(name)
    const at = String(Math.floor(Date.now() / 1000) - 360)
    const old =
      name === 'stripe'
        ? {
            'stripe-signature': new Stripe('sk_test_local').webhooks.generateTestHeaderString({
              payload: message.body,
              secret,
              timestamp: Number(at),
            }),
          }
        : { 'webhook-timestamp': at }
    const read = await (await readerOf(secret)).read({ ...message, headers: { ...message.headers, ...old } })
    expect(read).toMatchObject({ kind: 'unsigned' })
  })

  it('is named as the part that failed when it is down, without the key (I6)', async () => {
    const { payments, authorise, request, server } = await rig(name)
    const money = await authorise()
    await server.stop()
    const calls = [
      () => payments.start(request),
      () => payments.capture(money),
      () => payments.release(money),
      () => payments.refund(money),
    ]
    for (const call of calls) {
      const failure = await call().catch((error: unknown) => error)
      if (!(failure instanceof PaymentProviderFailed)) throw new Error('it did not fail as it should')
      expect(`${failure.stack} ${failure.cause}`).not.toContain(apiKey)
    }
  })

  it('takes the money once when its answers are lost (I5)', async () => {
    const { payments, authorise, seen, payment, replies } = await rig(name)
    const money = await authorise()
    replies.lost = true
    await expect(payments.capture(money)).rejects.toThrow(PaymentProviderFailed)
    replies.lost = false
    expect((await payment()).state).toBe('captured')
    expect(await payments.capture(money)).toBe('captured')
    await expect.poll(() => seen('payment.succeeded')).toHaveLength(1)
  })

  it.each([
    { amount: 500, currency: 'JPY' },
    { amount: 500, currency: 'ISK' },
    { amount: 5_120, currency: 'KWD' },
    { amount: 199_000, currency: 'HUF' },
  ])('reports $amount $currency as it was asked for', async (money) => {
    const { authorise, payments, seen } = await rig(name, money)
    const authorised = await authorise()
    expect(authorised).toMatchObject(money)
    await payments.capture(authorised)
    await expect.poll(() => seen('payment.succeeded').map(({ data }) => data)).toMatchObject([money])
  })
})

it.each([
  ['below the least', 49, 'amount_too_small'],
  ['above the most', 100_000_000, 'amount_too_large'],
])('is refused by Stripe %s amount of its currency', async (_, amount, code) => {
  const { payments, request } = await rig('stripe', { amount, currency: 'EUR' })
  await expect(payments.start(request)).rejects.toThrow(code)
})

it('differs from a failed provider when Stripe refuses one request too many, and works a second later', async () => {
  const { payments, request, later } = await rig('stripe', undefined, 2)
  const starts = [1, 2, 3].map((attempt) => payments.start({ ...request, paymentId: `${request.orderId}.${attempt}` }))
  const [first, second, third] = await Promise.allSettled(starts)
  expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(third).toMatchObject({ reason: expect.any(PaymentProviderBusy) })
  later.ms = 1000
  expect(await payments.start(request)).toMatchObject({ url: expect.any(String) })
})

describe('a refund that is asked for again after Stripe has forgotten its idempotency key', () => {
  /** A payment that is captured and refunded, and the money of a repeat `hours` later. */
  async function refundedEarlier(hours: number) {
    const stripe = await rig('stripe')
    const { payments, authorise, provider, later, seen } = stripe
    const money = await authorise()
    await payments.capture(money)
    await payments.refund(money)
    await expect.poll(() => seen('refund.succeeded')).toHaveLength(1)
    const [first] = provider.refunds.values()
    if (first === undefined) throw new Error('nothing was refunded')
    later.ms = hours * hourMs
    return { ...stripe, first, repeat: { ...money, requestedAt: Date.now() - hours * hourMs } }
  }

  it.each(['pending', 'requires_action', 'succeeded'])('is not paid twice while it is %s', async (status) => {
    const { payments, provider, first, repeat } = await refundedEarlier(25)
    Object.assign(first, { status })
    await payments.refund(repeat)
    expect([...provider.refunds.values()]).toEqual([first])
  })

  it('is not paid twice after the bank returned it, before that is reported', async () => {
    const { payments, provider, first, repeat } = await refundedEarlier(25)
    Object.assign(first, { status: 'failed' })
    await provider.ledger.returnRefund(repeat, first.id)
    await expect(payments.refund(repeat)).rejects.toThrow('has failed at Stripe')
    expect([...provider.refunds.values()]).toEqual([first])
  })

  it('is paid when the earlier one was cancelled, or came from the dashboard for another part', async () => {
    const { payments, provider, first, repeat } = await refundedEarlier(25)
    Object.assign(first, { status: 'canceled' })
    await provider.ledger.returnRefund(repeat, first.id)
    expect(await provider.ledger.refund({ ...repeat, amount: 615 }, 're_dashboard')).toBe(true)
    await payments.refund({ ...repeat, amount: 615 })
    expect([...provider.refunds.values()].map(({ amount }) => amount)).toEqual([1230, 615])
  })

  it('is searched four hours before the key may be gone, and not in the first hours', async () => {
    const late = await refundedEarlier(21)
    Object.assign(late.first, { status: 'failed' })
    await expect(late.payments.refund(late.repeat)).rejects.toThrow('has failed at Stripe')
    const early = await refundedEarlier(19)
    Object.assign(early.first, { status: 'failed' })
    await early.payments.refund(early.repeat)
    expect(early.provider.refunds.size).toBe(1)
  })
})
