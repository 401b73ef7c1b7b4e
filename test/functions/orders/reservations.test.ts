/** Orders that are paid in the checkout of the shop: what a reservation says, and what becomes of it. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { type OrderMessage, orderMessage } from '../../../core/orders/order-message.ts'
import { jwksPath } from '../../../core/orders/shop-key.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { reservationSigner } from '../../../functions/orders/reservation-token.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { keyOf } from '../../world/tills.ts'
import { first, handedOver, issuer, openShop, refused, second } from './reservation-shop.ts'

const redis = useRedis()

describe('a reservation for the checkout of the shop', () => {
  it('says whose units they are, what they cost, and until when, and is verified without a call', async () => {
    const shop = await openShop(redis)
    const orderId = await shop.write(1)
    const token = await shop.handOver(orderId)
    const { payload, protectedHeader } = await shop.verified(token)
    const order = await shop.find(orderId)
    expect(payload).toEqual({
      ...{ iss: issuer, aud: 'https://shop.example', sub: shopperIdOf(1), jti: orderId },
      ...{ sale: shop.sale.saleId, quantity: 1, amount: 250, currency: 'CNY' },
      iat: Math.floor(shop.clock.now / 1000),
      exp: Math.floor(order.payBy / 1000),
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'reservation+jwt' })
    expect(shop.jwks().keys).toMatchObject([{ kty: 'EC', use: 'sig', alg: 'ES256', kid: protectedHeader.kid }])
    expect(JSON.stringify(shop.jwks()), 'a private key is never published').not.toContain('"d"')
    expect(order.status).toBe('awaiting-payment')
    expect(shop.provider.started, 'the payment provider learns nothing').toEqual([])
  })

  it('names the variant of its units', async () => {
    const variants = [
      { id: 'm', name: 'Medium', stock: 2 },
      { id: 's', name: 'Small', stock: 1 },
    ]
    const shop = await openShop(redis, { variants, stock: 3, limitPerShopper: 3, maxPerOrder: 3 })
    const token = await shop.handOver(await shop.write(1, 1, { quantity: 2, variant: 'm' }))
    expect((await shop.verified(token)).payload).toMatchObject({ quantity: 2, variant: 'm', amount: 500 })
  })

  it('is handed over no more once the time to pay is over, although a confirmation still counts', async () => {
    const shop = await openShop(redis, { paymentGraceSeconds: 120 })
    const orderId = await shop.write(1)
    await shop.handOver(orderId)
    shop.clock.now = (await shop.find(orderId)).payBy
    await expect(shop.handOver(orderId)).rejects.toThrow('too-late')
    shop.clock.now = (await shop.find(orderId)).cancelAt - 1
    expect(await shop.confirm(orderId)).toMatchObject({ status: 200, body: { status: 'paid' } })
  })

  it('has its key published before there is one, and again where the object is lost', async () => {
    const shop = await openShop(redis)
    await shop.publishKeys()
    const [key] = shop.jwks().keys
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' })
    const unchanged = shop.site.objects.get(jwksPath)
    await shop.publishKeys()
    expect(shop.site.objects.get(jwksPath), 'the second run writes nothing').toBe(unchanged)
    shop.site.objects.delete(jwksPath)
    await shop.publishKeys()
    expect(shop.jwks().keys).toEqual([key])
  })

  it('is verified by what was published before it was signed, in each step of a rotation', async () => {
    const shop = await openShop(redis)
    const orderId = await shop.write(1)
    const tokens = [await shop.handOver(orderId)]
    for (const keys of [
      [first, second],
      [second, first],
    ] as const) {
      const known = shop.jwks()
      const { sign, publishKeys } = reservationSigner(shop, keys, issuer)
      await publishKeys()
      const paying = await payOrder({ ...shop.ports, signReservation: sign }, shopperIdOf(1), orderId)
      const token = new URL('url' in paying ? paying.url : '').searchParams.get('reservation') ?? ''
      await shop.verified(token, undefined, known)
      tokens.push(token)
    }
    const kids = await Promise.all(tokens.map(async (token) => (await shop.verified(token)).protectedHeader.kid))
    expect(kids[1]).toBe(kids[0])
    expect(kids[2]).not.toBe(kids[0])
  })

  it('is not signed while its keys cannot be published, and is once they can be', async () => {
    const shop = await openShop(redis)
    const orderId = await shop.write(1)
    shop.site.goDown()
    await expect(shop.handOver(orderId)).rejects.toThrow()
    shop.site.comeUp()
    await shop.verified(await shop.handOver(orderId))
  })
})

describe('a confirmation of the shop', () => {
  it('makes the order paid once, also when it is repeated (I5)', async () => {
    const { shop, orderId } = await handedOver(redis)
    const answer = { status: 200, body: { orderId, status: 'paid', reference: '#1042' } }
    expect(await shop.confirm(orderId)).toMatchObject(answer)
    const { history } = await shop.find(orderId)
    expect(await shop.confirm(orderId)).toMatchObject(answer)
    expect((await shop.find(orderId)).history).toEqual(history)
    expect(history.map(({ what }) => what)).toEqual(['reserved', 'written', 'payment-started', 'confirmed-by-shop'])
  })

  it('is refused for a second order of the shop: a reservation that was put into two carts is sold once', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.confirm(orderId, '#1')
    expect(await shop.confirm(orderId, '#2')).toMatchObject({
      ...refused('confirmed-otherwise'),
      body: { values: { reference: '#1' } },
    })
  })

  it('that comes too late gets the units again, as another order, while any are left', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.expire(orderId)
    const waiting = await shop.confirm(orderId)
    expect(waiting).toMatchObject({ status: 409, body: { retryAfterSeconds: 1 } })
    shop.clock.now += 1000
    expect(await shop.confirm(orderId), 'it is not written yet').toMatchObject(waiting)
    const [sent, again] = shop.queue.messages.splice(1, 1).concat(shop.queue.messages)
    expect(again, 'the repeat sends the message again').toEqual(sent)
    await shop.deliver()
    const late = await shop.confirm(orderId)
    expect(late).toMatchObject({ status: 200, body: { status: 'paid', reference: '#1042' } })
    expect(late.body.orderId).not.toBe(orderId)
    expect(await shop.confirm(orderId), 'a repeat finds it').toMatchObject({ body: late.body })
    expect(await shop.confirm(orderId, '#2')).toMatchObject(refused('confirmed-otherwise'))
    expect(await shop.booked()).toBe(1)
    expect((await shop.find(orderId)).status).toBe('cancelled')
  })

  it('that comes too late makes an order of all that was asked for, but for what belongs to one order alone (I2, N1)', async () => {
    const variants = ['m', 's'].map((id) => ({ id, name: id, stock: 2 }))
    const shop = await openShop(redis, { variants, stock: 4, limitPerShopper: 2, maxPerOrder: 2 })
    const orderId = await shop.write(1, 1, { quantity: 2, variant: 'm', source: 'newsletter' })
    await shop.handOver(orderId)
    await shop.expire(orderId)
    await shop.confirm(orderId)
    const [message] = shop.queue.messages
    const first: Partial<OrderMessage> = await shop.find(orderId)
    const own = ['orderId', 'packet', 'reservedAt', 'requestId', 'admitted']
    const asked = (Object.keys(orderMessage.shape) as (keyof OrderMessage)[]).filter((field) => !own.includes(field))
    for (const field of asked) {
      expect(first[field], `the first order has ${field}`).toBeDefined()
      expect(message?.[field], field).toEqual(first[field])
    }
    expect(message?.orderId).not.toBe(orderId)
  })

  it('that comes too late gets the units again although they were not given back yet (O9)', async () => {
    const { shop, orderId } = await handedOver(redis)
    const exec = () => Promise.reject(new Error('cut off'))
    await shop.expire(orderId, { ...shop.ports, stock: { exec } })
    expect(await shop.confirm(orderId)).toMatchObject({ status: 409, body: { retryAfterSeconds: 1 } })
    await shop.deliver()
    expect(await shop.confirm(orderId)).toMatchObject({ status: 200, body: { status: 'paid' } })
    expect(await shop.booked()).toBe(1)
  })

  it('that comes too late waits for a stock that was lost, and is found without it once it is paid (I2, I5)', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.expire(orderId)
    const { stock } = stockKeys(shop.sale.saleId)
    await raw(redis, 'RENAME', stock, `${stock}-lost`)
    expect(await shop.confirm(orderId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await raw(redis, 'RENAME', `${stock}-lost`, stock)
    expect(await shop.confirm(orderId)).toMatchObject({ status: 409, body: { retryAfterSeconds: 1 } })
    await shop.deliver()
    const late = await shop.confirm(orderId)
    expect(late).toMatchObject({ status: 200, body: { status: 'paid' } })
    await raw(redis, 'DEL', stock)
    expect(await shop.confirm(orderId)).toMatchObject({ status: 200, body: late.body })
  })

  it('that comes too late is refused once another shopper has the last unit (I1)', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.expire(orderId)
    await shop.reserve(2, 1, { now: shop.clock.now })
    expect(await shop.confirm(orderId)).toMatchObject(refused('reservation-over'))
    expect(await shop.booked()).toBe(1)
  })

  it.each([
    ['was released', 'reservation-released', (shop, orderId) => shop.release(orderId)],
    [
      'a marketer has cancelled',
      'reservation-released',
      ({ ports }, orderId) => changeOrder(ports, orderId, { kind: 'refunded-by-marketer' }),
    ],
  ] satisfies [string, string, (shop: Awaited<ReturnType<typeof openShop>>, orderId: OrderId) => Promise<unknown>][])(
    'is refused for an order that %s',
    async (_, reason, end) => {
      const { shop, orderId } = await handedOver(redis)
      await end(shop, orderId)
      expect(await shop.confirm(orderId)).toMatchObject(refused(reason))
      expect(shop.queue.messages, 'nothing is reserved again').toEqual([])
    },
  )

  it('is refused for an order that was never handed over, and for one that is paid elsewhere', async () => {
    const shop = await openShop(redis)
    const orderId = await shop.write(1)
    expect(await shop.confirm(orderId)).toMatchObject(refused('not-in-shop'))
    await changeOrder(shop.ports, orderId, { kind: 'payment-started', graceMs: 0 })
    expect(await shop.confirm(orderId)).toMatchObject(refused('not-in-shop'))
    expect(await shop.release(orderId)).toMatchObject(refused('not-in-shop'))
  })

  it('needs a key of the shop, a known order, and a reference', async () => {
    const shop = await openShop(redis)
    const orderId = await shop.write(1)
    expect(await shop.report(orderId, 'confirm', { reference: '1' }, keyOf('web', 'x'))).toMatchObject({ status: 401 })
    expect(await shop.report(orderId, 'confirm', {})).toMatchObject({ status: 400, body: { field: 'reference' } })
    const unknown = `${shop.sale.saleId}-${'a'.repeat(26)}` as OrderId
    expect(await shop.confirm(unknown)).toMatchObject({ status: 404 })
    expect(await shop.release(unknown)).toMatchObject({ status: 404 })
  })
})

describe('a release of the shop', () => {
  it('gives the units of an unpaid order back at once, once (I5)', async () => {
    const { shop, orderId } = await handedOver(redis)
    const answer = { status: 200, body: { orderId, status: 'cancelled' } }
    expect(await shop.release(orderId)).toMatchObject(answer)
    expect(await shop.release(orderId)).toMatchObject(answer)
    expect(await shop.booked()).toBe(0)
    expect(await shop.find(orderId)).toMatchObject({ reason: 'by-shop', payment: { state: 'failed' } })
    expect(shop.withdrawn, 'the payment provider never heard of it').toEqual([])
  })

  it('ends a paid order as refunded, without a call of the payment provider', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.confirm(orderId)
    expect(await shop.release(orderId)).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(await shop.booked()).toBe(0)
    expect(await shop.find(orderId)).toMatchObject({ reason: 'by-shop', refunds: [{ amount: 250, returned: 250 }] })
    expect(shop.asked).toEqual([])
  })

  it('is refused once the units are sent', async () => {
    const { shop, orderId } = await handedOver(redis)
    await shop.confirm(orderId)
    await changeOrder(shop.ports, orderId, { kind: 'shipped', carrier: 'DHL' })
    expect(await shop.release(orderId)).toMatchObject(refused('order-shipped'))
  })
})

it('only the shop gives back money that it took: a marketer cannot refund it', async () => {
  const { shop, orderId } = await handedOver(redis)
  await shop.confirm(orderId)
  expect(await shop.ask('POST', `/orders/${orderId}/refund`, {})).toMatchObject(refused('paid-in-shop'))
  expect((await shop.find(orderId)).status).toBe('paid')
})
