/** A shopper pays or cancels an order. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { Order, OrderStatus } from '../../../core/orders/order.ts'
import type { OrderAction } from '../../../core/orders/order-path.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { orderChangesApp } from '../../../functions/orders/order-changes-http.ts'
import { forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { behindUrl } from '../../world/function-url.ts'
import { type OpenSale, openSale } from '../../world/open-sale.ts'

const redis = useRedis()

let shop: OpenSale
beforeEach(async () => {
  shop = await openSale(redis)
})

async function post(
  shopper: number | undefined,
  action: OrderAction | string,
  orderId: string,
  body: unknown = {},
  headers: Record<string, string> = {},
) {
  const who = shopper === undefined ? undefined : shopperIdOf(shopper)
  const request = forwardedRequest(who, 'POST', `/api/orders/${orderId}/${action}`, body, headers)
  return behindUrl(shop.telemetry, orderChangesApp(shop.ports))(request)
}

const pay = (shopper: number, orderId: string) => post(shopper, 'pay', orderId)
const cancel = (shopper: number, orderId: string) => post(shopper, 'cancel', orderId)

/** Every status in which an order can be neither paid nor cancelled. */
const settled: [OrderStatus, Partial<Order>][] = [
  ['paid', { status: 'paid' }],
  ['fulfilled', { status: 'fulfilled', amount: 0 }],
  ['rejected', { status: 'rejected', reason: 'over-cap' }],
  ['refund-due', { status: 'refund-due' }],
  ['refunded', { status: 'refunded' }],
]

describe('POST /api/orders/{orderId}/pay', () => {
  it('is refused until the order has the address that its sale asks for', async () => {
    shop = await openSale(redis, { delivery: { countries: ['DE'] } })
    const orderId = await shop.write(1)
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await pay(1, orderId)).toMatchObject({ status: 409, body: { code: 'conflict', field: 'delivery' } })
    }
    expect((await shop.find(orderId)).payment).toBeUndefined()
    expect(shop.provider.started).toEqual([])
    await shop.table.storeDelivery(orderId)
    expect((await pay(1, orderId)).status).toBe(200)
    await shop.table.eraseDelivery(orderId)
    expect(await pay(1, orderId), 'erased again').toMatchObject({ status: 409, body: { field: 'delivery' } })
  })

  it('does not answer 503 between authorisation and capture, when the terms of the page have changed', async () => {
    const orderId = await shop.write(1)
    await pay(1, orderId)
    const { amount, currency } = await shop.find(orderId)
    const money = { paymentId: `${orderId}.1`, amount, currency }
    await changeOrder(shop.ports, orderId, { kind: 'payment-authorised', ...money })
    const asked = shop.provider.started.length
    expect(await pay(1, orderId)).toMatchObject({ status: 409, body: { code: 'conflict', retryAfterSeconds: 10 } })
    expect(shop.provider.started).toHaveLength(asked)
  })

  it('opens one payment for repeated requests, and keeps the units for it (O8, I5)', async () => {
    const orderId = await shop.write(1)
    const first = await pay(1, orderId)
    expect(first).toMatchObject({
      status: 200,
      body: { url: `https://pay.example/${orderId}.1`, paymentId: `${orderId}.1` },
    })
    expect((await pay(1, orderId)).body).toEqual(first.body)
    const { payBy, cancelAt, payment, history } = await shop.find(orderId)
    expect(payment).toMatchObject({ paymentId: `${orderId}.1`, attempt: 1, state: 'started' })
    expect(cancelAt).toBe(payBy + shop.sale.paymentGraceSeconds * 1000)
    expect(history.map(({ what }) => what)).toEqual(['reserved', 'written', 'payment-started'])
    const request = {
      startedAt: 6_000,
      paymentId: `${orderId}.1`,
      orderId,
      amount: 250,
      currency: 'CNY',
      product: `1 × ${shop.sale.title}`,
      until: cancelAt,
    }
    expect(shop.provider.started).toEqual([request, request])
  })

  it('opens one payment also for two clicks at once (I5)', async () => {
    const orderId = await shop.write(1)
    const [one, other] = await Promise.all([pay(1, orderId), pay(1, orderId)])
    expect(one.status).toBe(200)
    expect(other.body).toEqual(one.body)
    expect((await shop.find(orderId)).payment?.attempt).toBe(1)
  })

  it('opens another payment after one that failed', async () => {
    const state = 'failed'
    const orderId = await shop.write(1, 1, { payment: { paymentId: 'x', attempt: 1, startedAt: 6_000, state } })
    expect((await pay(1, orderId)).body.paymentId).toBe(`${orderId}.2`)
  })

  it('is rejected once the time to pay is over, even before the order is cancelled (O8)', async () => {
    const orderId = await shop.write(1)
    shop.clock.now = (await shop.find(orderId)).payBy
    expect(await pay(1, orderId)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/time to pay .* over/) },
    })
  })

  it('returns the open payment until its grace period ends, and not a millisecond longer (O8)', async () => {
    const orderId = await shop.write(1)
    await pay(1, orderId)
    const { cancelAt } = await shop.find(orderId)
    shop.clock.now = cancelAt - 1
    expect((await pay(1, orderId)).status).toBe(200)
    shop.clock.now = cancelAt
    expect((await pay(1, orderId)).status).toBe(409)
  })

  it('answers 503 while the provider is unavailable, and opens the same payment once it is back (I5, I6)', async () => {
    const orderId = await shop.write(1)
    shop.provider.goDown()
    const unavailable = await pay(1, orderId)
    expect(unavailable).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(Number(unavailable.headers['retry-after'])).toBeGreaterThan(0)
    shop.provider.comeUp()
    expect((await pay(1, orderId)).body.paymentId).toBe(`${orderId}.1`)
    expect((await shop.find(orderId)).history).toHaveLength(3)
  })

  it('starts nothing at the provider while the table is unavailable (I6)', async () => {
    const orderId = await shop.write(1)
    shop.table.goDown()
    expect((await pay(1, orderId)).status).toBe(503)
    expect(shop.provider.started).toEqual([])
  })
})

describe('POST /api/orders/{orderId}/cancel', () => {
  it('releases the units at once, and answers a repeat with the same view (O9, G7, I5)', async () => {
    const orderId = await shop.write(1)
    const first = await cancel(1, orderId)
    expect(first).toMatchObject({ status: 200, body: { orderId, status: 'cancelled', reason: 'by-shopper' } })
    expect(first.body.history.at(-1)).toEqual({ at: 6_000, what: 'cancelled-by-shopper', status: 'cancelled' })
    expect(await shop.booked()).toBe(0)
    expect(await shop.table.sold(shop.sale.saleId)).toBe(0)
    shop.clock.now += 5_000
    expect(await cancel(1, orderId)).toMatchObject({ status: 200, body: first.body })
    expect(shop.published).toHaveLength(1)
  })

  it('shows an order that was cancelled in another way as it is', async () => {
    const orderId = await shop.write(1, 1, { status: 'cancelled', reason: 'unpaid' })
    expect(await cancel(1, orderId)).toMatchObject({ status: 200, body: { reason: 'unpaid' } })
    expect(await pay(1, orderId)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe.each(['pay', 'cancel'])('POST /api/orders/{orderId}/%s', (action) => {
  it('is rejected with a retry in one second while the order is only reserved', async () => {
    const answer = await post(1, action, await shop.reserve(1))
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', retryAfterSeconds: 1 } })
    expect(answer.headers['retry-after']).toBe('1')
    expect([await shop.booked(), shop.provider.started]).toEqual([1, []])
  })

  it.each(settled)(
    'is rejected for an order that is %s, with that status, also without its address',
    async (status, change) => {
      shop = await openSale(redis, { delivery: { countries: ['DE'] } })
      const { status: code, body } = await post(1, action, await shop.write(1, 1, change))
      expect([code, body.code, body.field]).toEqual([409, 'conflict', undefined])
      expect(body.detail).toContain(`is ${status}`)
      expect(shop.provider.started).toEqual([])
    },
  )

  it('does not find an order of another shopper, written or not', async () => {
    const none = await post(2, action, orderIdOf(shop.sale.saleId, 9, 1))
    expect(none).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const [written, reserved] = [await shop.write(1), await shop.reserve(3)]
    expect(await post(2, action, written)).toEqual(none)
    expect(await post(2, action, reserved)).toEqual(none)
    expect(await shop.find(written)).toMatchObject({ status: 'awaiting-payment', history: { length: 2 } })
  })

  it('accepts only an empty JSON object', async () => {
    const orderId = await shop.write(1)
    expect(await post(1, action, orderId, '')).toMatchObject({ status: 400, body: { field: 'body' } })
    expect(await post(1, action, orderId, '[]')).toMatchObject({ status: 400, body: { field: 'body' } })
    expect(await post(1, action, orderId, { amount: 1 })).toMatchObject({ status: 400, body: { field: 'amount' } })
    expect(await post(1, action, orderId, '{}', { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await post(1, action, orderId, ' '.repeat(65))).toMatchObject({ status: 413 })
    expect(await post(1, action, 'x')).toMatchObject({ status: 400, body: { field: 'orderId' } })
    expect(await post(undefined, action, orderId)).toMatchObject({ status: 401 })
    expect((await shop.find(orderId)).history).toHaveLength(2)
  })
})
