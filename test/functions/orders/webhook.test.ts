/** Webhooks of the payment provider: which are trusted, how they change an order, and that each counts once. */

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { maxWebhookBytes } from '../../../core/body-limits.ts'
import type { OrderId } from '../../../core/ids.ts'
import { type SignatureHeader, signatureHeaders } from '../../../core/orders/signature-headers.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { writtenOrderView } from '../../../functions/orders/own-order.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { webhookApp } from '../../../functions/orders/payment-events.ts'
import { type PaymentOutcomes, paymentOutcomes } from '../../../functions/orders/payment-outcomes.ts'
import {
  isSecretList,
  simulatedWebhooks,
  webhookSignatures,
} from '../../../functions/orders/payments/payment-webhooks.simulated.ts'
import { dueRefunds } from '../../../functions/table/orders/due-money.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { behindUrl } from '../../world/function-url.ts'
import { type OpenSale, openSale } from '../../world/open-sale.ts'

const redis = useRedis()

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
const secret = secretOf(1)

let shop: OpenSale
let secrets: string
let messages = 0
let outcomes: PaymentOutcomes | undefined
beforeEach(async () => {
  outcomes = undefined
  shop = await openSale(redis)
  secrets = secret
})

type Signed = { headers: Record<string, string>; body: string }

/** A message as the provider signs it; `at` is when, epoch ms. The library reads the clock of this machine. */
function signed(event: unknown, change: { id?: string; at?: number; secret?: string } = {}): Signed {
  messages += 1
  const { id = `msg_${messages}`, at = Date.now() } = change
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const signature = new Webhook(change.secret ?? secret).sign(id, new Date(at), body)
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signature,
  }
  return { headers, body }
}

async function send({ headers, body }: Signed, method = 'POST') {
  const ports = {
    ...shop.ports,
    webhooks: simulatedWebhooks(webhookSignatures(secrets)),
    ...(outcomes && { outcomes }),
  }
  const send = behindUrl(shop.telemetry, webhookApp(ports))
  return send({ method, headers, body, path: '/api/payments/webhook', query: new URLSearchParams() })
}

/** An order with a payment on its way, and the provider's event about it. */
async function underWay(shopper = 1) {
  const orderId = await shop.write(shopper)
  const paying = await payOrder(shop.ports, shopperIdOf(shopper), orderId)
  if (paying.kind !== 'started') throw new Error(paying.kind)
  const data = { paymentId: paying.paymentId, orderId, amount: 250, currency: 'CNY' }
  const event = (type: string, change: Record<string, unknown> = {}) => ({
    type,
    timestamp: new Date().toISOString(),
    data: { ...data, ...change },
  })
  return { orderId, data, event, order: () => shop.find(orderId) }
}

/** Opens a sale with a paid order. */
async function paid() {
  const way = await underWay()
  await send(signed(way.event('payment.succeeded')))
  return way
}

/** Opens a sale with a paid order whose refund the marketer has requested from the provider. */
async function refundDue() {
  const way = await paid()
  await refundOrder(shop.ports, way.orderId)
  return way
}

const refundOrder = (ports: OpenSale['ports'], orderId: OrderId) =>
  changeOrder(ports, orderId, { kind: 'refunded-by-marketer' })

const refused = () => shop.telemetry.counted('WebhookRefused')

describe('a message of the payment provider', () => {
  it('pays the order once, also when it is delivered again (O8, I5)', async () => {
    const { event, order, orderId } = await underWay()
    const message = signed(event('payment.succeeded'))
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'done' } })
    const paid = await order()
    expect(paid).toMatchObject({ status: 'paid', payment: { state: 'succeeded' } })
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'repeat' } })
    const again = signed(message.body, { id: message.headers['webhook-id'] ?? '', at: Date.now() + 60_000 })
    expect(await send(again), 'signed anew for another try').toMatchObject({ body: { result: 'repeat' } })
    expect(await send(signed(message.body)), 'reported under another id').toMatchObject({ body: { result: 'done' } })
    expect(await order()).toEqual(paid)
    expect(await shop.hold(shop.sale, orderId)).toBeDefined()
    expect([shop.provider.asked, refused()]).toEqual([[], 0])
  })

  it('counts once for the share of failed payments of its sale, and only lately (I5)', async () => {
    const { saleId } = shop.sale
    outcomes = paymentOutcomes(() => shop.clock.now)
    const noted = (times: number, hasFailed: boolean) => {
      for (let n = 0; n < times; n += 1) outcomes?.note(saleId, hasFailed)
    }
    const message = signed((await underWay()).event('payment.failed'))
    for (const _ of [1, 2]) await send(message)
    noted(8, true)
    expect(outcomes.failing()).toEqual([])
    await send(signed((await underWay(2)).event('payment.succeeded')))
    expect(outcomes.failing()).toEqual([`${saleId}#unpaid#90`])
    noted(9, false)
    expect(outcomes.failing()).toEqual([])
    noted(1, true)
    expect(outcomes.failing()).toEqual([`${saleId}#unpaid#50`])
    shop.clock.now += 660_000
    expect(outcomes.failing()).toEqual([])
  })

  it('may not use the id of another one (I5)', async () => {
    const { event, order } = await underWay()
    await send(signed(event('payment.failed'), { id: 'msg_same' }))
    const answer = await send(signed(event('payment.succeeded'), { id: 'msg_same' }))
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await order()).toMatchObject({ status: 'awaiting-payment', payment: { state: 'failed' } })
    expect(refused()).toBe(1)
  })

  it('that a payment failed cancels an order only that payment had kept, at once (O8, O9, I5)', async () => {
    const { event, order, orderId } = await underWay()
    shop.clock.now = (await order()).payBy
    const message = signed(event('payment.failed'))
    const before = shop.table.counted.transactions
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'done' } })
    expect(shop.table.counted.transactions - before, 'no crash comes between').toBe(1)
    expect(await order()).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
    expect(await shop.hold(shop.sale, orderId)).toBeUndefined()
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'repeat' } })
  })

  it('about a late payment refunds it, and the units keep one owner (O8, I1)', async () => {
    const { event, order, data } = await underWay()
    shop.clock.now = (await order()).payBy
    await send(signed(event('payment.failed')))
    expect(await send(signed(event('payment.succeeded')))).toMatchObject({ status: 200, body: { result: 'done' } })
    expect(await order()).toMatchObject({ status: 'refund-due', reason: 'unpaid' })
    expect(shop.provider.asked).toEqual([data])
    expect(shop.telemetry.counted('RefundsAsked')).toBe(1)
    expect(await dueRefunds(shop.table.table)).toMatchObject([data])
    expect(await shop.booked()).toBe(0)

    const back = signed(event('refund.succeeded'))
    expect(await send(back)).toMatchObject({ status: 200, body: { result: 'done' } })
    expect(await order()).toMatchObject({ status: 'refunded' })
    expect(await dueRefunds(shop.table.table)).toEqual([])
    expect(await send(back)).toMatchObject({ body: { result: 'repeat' } })
    expect(shop.provider.asked).toHaveLength(1)
  })

  it('adds partial refunds up, each counted once by its event (O9, I5)', async () => {
    const { event, order, orderId } = await refundDue()
    const first = signed(event('refund.succeeded', { amount: 100 }))
    await send(first)
    expect(await send(first)).toMatchObject({ body: { result: 'repeat' } })
    expect(writtenOrderView(await order())).toMatchObject({ status: 'refund-due', refundedAmount: 100 })
    await send(signed(event('refund.succeeded', { amount: 149 })))
    expect(await dueRefunds(shop.table.table)).toMatchObject([{ amount: 1 }])
    await send(signed(event('refund.succeeded', { amount: 2 })))
    expect(shop.telemetry.counted('RefundMismatch')).toBe(1)
    expect(shop.telemetry.lines.find(({ level }) => level === 'error')).toMatchObject({
      facts: { orderId, paymentId: `${orderId}.1`, reported: '2 CNY', left: '1 CNY' },
    })
    expect(await order()).toMatchObject({ status: 'refunded' })
    expect(await send(signed(event('refund.succeeded', { amount: 1 }))), 'more than came').toMatchObject({
      status: 200,
    })
    expect(shop.telemetry.counted('RefundMismatch')).toBe(2)
  })

  it('about a refund made at the provider first ends the order, and its units go back once (O9, I1)', async () => {
    const { event, order, orderId } = await paid()
    const message = signed(event('refund.succeeded'))
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'done' } })
    const ended = await order()
    expect(ended).toMatchObject({ status: 'refunded', reason: 'by-provider' })
    expect(await shop.booked()).toBe(0)
    expect(await refundOrder(shop.ports, orderId)).toMatchObject({ kind: 'same' })
    expect(await send(message)).toMatchObject({ body: { result: 'repeat' } })
    expect(await order()).toEqual(ended)
    expect([shop.provider.asked, await dueRefunds(shop.table.table)]).toEqual([[], []])
    expect([await shop.table.sold(shop.sale.saleId), shop.published.length]).toEqual([0, 1])
  })

  it('about a payment of nothing makes no refund due (O9)', async () => {
    const { event, order } = await underWay()
    await send(signed(event('payment.succeeded', { amount: 0 })))
    expect(await order()).toMatchObject({ status: 'awaiting-payment', payment: { state: 'failed' } })
    const orderId = orderIdOf(shop.sale.saleId, 9, 9)
    const data = { paymentId: `${orderId}.1`, orderId, amount: 0, currency: 'CNY' }
    await send(signed({ type: 'payment.succeeded', data }))
    expect([shop.provider.asked, await dueRefunds(shop.table.table)]).toEqual([[], []])
  })

  it('about money of no order sends it back once, and keeps it due until its exact sum is back (O8, O9, I5)', async () => {
    const orderId = orderIdOf(shop.sale.saleId, 9, 9)
    const data = { paymentId: `${orderId}.1`, orderId, amount: 250, currency: 'CNY' }
    const message = signed({ type: 'payment.succeeded', data })
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'done' } })
    expect(shop.telemetry.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'repeat' } })
    expect(shop.provider.asked, 'the provider counts it once').toMatchObject([data, data])
    expect(await dueRefunds(shop.table.table)).toMatchObject([data])
    const back = (change: object) => signed({ type: 'refund.succeeded', data: { ...data, ...change } })
    await send(back({ currency: 'EUR' }))
    const part = back({ amount: 100 })
    await send(part)
    expect(await send(part)).toMatchObject({ body: { result: 'repeat' } })
    expect(await dueRefunds(shop.table.table)).toMatchObject([{ amount: 150 }])
    await send(back({ amount: 150 }))
    expect(await dueRefunds(shop.table.table)).toEqual([])
    expect(shop.telemetry.counted('RefundMismatch')).toBe(1)
  })

  it('of an unknown type is accepted and ignored, and may have unknown fields: providers add both', async () => {
    const { event, order } = await underWay()
    const before = await order()
    for (const type of ['payment.created', 'payment.succeeded.v2', '']) {
      expect(await send(signed({ type, data: null }))).toMatchObject({ status: 200, body: { result: 'ignored' } })
    }
    expect(await order()).toEqual(before)
    await send(signed({ ...event('payment.succeeded', { method: 'card' }), mode: 'test' }))
    expect(await order(), 'unknown fields').toMatchObject({ status: 'paid' })
  })

  it('that fails on our side is requested again, and counts then (I5, I6)', async () => {
    const { event, order } = await underWay()
    const message = signed(event('payment.succeeded'))
    shop.table.goDown()
    const unavailable = await send(message)
    expect(unavailable).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(unavailable.headers['retry-after'])).toBeGreaterThan(0)
    shop.table.comeUp()
    shop.table.beBusy(3)
    expect(await send(message)).toMatchObject({ status: 200, body: { result: 'done' } })
    expect(await order()).toMatchObject({ status: 'paid' })
  })

  it('about a late payment counts while the provider is unavailable: the refund stays due (I6)', async () => {
    const { event, order, data } = await underWay()
    shop.clock.now = (await order()).payBy
    await send(signed(event('payment.failed')))
    shop.provider.goDown()
    expect((await send(signed(event('payment.succeeded')))).status).toBe(200)
    expect(await dueRefunds(shop.table.table)).toMatchObject([data])
    expect(shop.telemetry.counted('RefundFailed')).toBe(1)
  })
})

describe('a message without a valid signature', () => {
  /** Sends it, and checks that it has no effect. */
  async function expectRefusal(change: (message: Signed) => Signed, status = 401, code = 'signature-invalid') {
    const { event, order } = await underWay()
    const before = await order()
    const answer = await send(change(signed(event('payment.succeeded'))))
    expect(answer).toMatchObject({ status, body: { code } })
    expect(await order()).toEqual(before)
    expect(refused()).toBe(1)
    return answer
  }

  it.each(Object.entries(signatureHeaders))(
    'is rejected without its %s, or with a malformed one',
    async (name, max) => {
      for (const value of [undefined, '', 'x'.repeat(max + 1), '\u0000', '-1.5']) {
        shop = await openSale(redis)
        await expectRefusal(({ headers, body }) => {
          const { [name]: _, ...rest } = headers
          return { headers: value === undefined ? rest : { ...rest, [name]: value }, body }
        })
      }
    },
  )

  it.each<[string, (message: Signed) => Signed]>([
    ['with a signature of another secret', ({ body }) => signed(body, { secret: secretOf(2) })],
    ['when one byte of it was changed', ({ headers, body }) => ({ headers, body: body.replace('250', '251') })],
    [
      'under another id than it was signed for',
      ({ headers, body }) => ({ headers: { ...headers, 'webhook-id': 'msg_other' }, body }),
    ],
    [
      'when it is older than it says it is',
      ({ headers, body }) => {
        const old = signed(body, { at: Date.now() - 3_600_000 }).headers
        return { headers: { ...old, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' }, body }
      },
    ],
  ])('is refused %s', async (_, change) => void (await expectRefusal(change)))

  it.each([-6, 6])('is refused when it was signed %d minutes from now', async (minutes) => {
    await expectRefusal(({ body }) => signed(body, { at: Date.now() + minutes * 60_000 }))
    const reasons = shop.telemetry.lines.filter(({ level }) => level === 'warn').map(({ facts }) => facts.reason)
    expect(reasons).toEqual([minutes < 0 ? 'Message timestamp too old' : 'Message timestamp too new'])
  })

  it('is rejected when it is not JSON, too large, or not a POST', async () => {
    await expectRefusal(
      ({ body, headers }) => ({ body, headers: { ...headers, 'content-type': 'text/plain' } }),
      415,
      'unsupported-media-type',
    )
    shop = await openSale(redis)
    await expectRefusal(() => signed('x'.repeat(maxWebhookBytes + 1)), 413, 'too-large')
    expect((await send(signed({}), 'GET')).status).toBe(405)
  })

  it('leaves no secret and no signature in the log', async () => {
    const message = signed({ type: 'x' }, { secret: secretOf(2) })
    await send(message)
    const log = JSON.stringify(shop.telemetry.lines)
    expect(log).toContain('webhook refused')
    expect(log).not.toContain(message.headers['webhook-signature']?.slice(3) ?? '')
    expect(log).not.toContain(secret.slice(6))
  })
})

describe('a signed message that makes no sense', () => {
  const good = {
    paymentId: 'p.1',
    orderId: `some-sale-${'a'.repeat(26)}`,
    amount: 1,
    currency: 'EUR',
  }

  it.each([
    ['body', 'not json'],
    ['body', '[]'],
    ['type', { type: 7 }],
    ['data', { type: 'payment.succeeded' }],
    ...Object.keys(good).map((field) => [
      `data.${field}`,
      { type: 'payment.succeeded', data: { ...good, [field]: null } },
    ]),
    ['data.amount', { type: 'payment.succeeded', data: { ...good, amount: 1.5 } }],
    ['data.orderId', { type: 'refund.succeeded', data: { ...good, orderId: 'x' } }],
    ['data.paymentId', { type: 'payment.failed', data: { ...good, paymentId: 'a#b' } }],
    ['data.disputeId', { type: 'payment.disputed', data: { ...good, disputeId: '__proto__' } }],
    ['data.currency', { type: 'payment.failed', data: { ...good, currency: 'eur' } }],
  ] as [string, unknown][])('is refused by its %s: %j', async (field, event) => {
    expect(await send(signed(event))).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(refused()).toBe(1)
  })
})

describe('the secret', () => {
  it('may sign together with another one in one header, as a provider does during a rotation', async () => {
    const { headers, body } = signed({ type: 'x' })
    const name: SignatureHeader = 'webhook-signature'
    const both = { ...headers, [name]: `v1,AAAA ${headers[name]} v1a,BBBB` }
    expect((await send({ headers: both, body })).status).toBe(200)
  })

  it.each([
    ['whsec_', false],
    ['', false],
    [secret, true],
    [`${secret} ${secretOf(2)}`, true],
    [`${secret}  ${secretOf(2)}`, false],
    [`${secret},${secretOf(2)}`, false],
    [secret.slice(6), false],
    [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
    [`whsec_${Buffer.alloc(24).toString('base64')}`, true],
    [`whsec_${Buffer.alloc(64).toString('base64')}`, true],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
    [`${secret}!`, false],
  ])('%j is a list of secrets: %s', (list, expected) => {
    expect(isSecretList(list)).toBe(expected)
    if (expected) expect(webhookSignatures(list)).toBeDefined()
  })
})
