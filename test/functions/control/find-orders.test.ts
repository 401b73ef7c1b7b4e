/** Support finds the orders that a person asks about, by their number or by the shopper. */
import { beforeEach, describe, expect, it } from 'vitest'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type World, world } from '../../world/world.ts'

const server = useRedis()
let rig: World
beforeEach(async () => {
  rig = await world({ redis: server })
})

const find = (text: string, more: object = {}) =>
  rig.ask('POST', '/orders/find', { find: text, ...more }, { 'x-shopper-roles': 'support' })

describe('POST /api/control/orders/find', () => {
  it('finds an order by its number, with its payments, refunds and history', async () => {
    await rig.open({ price: 1000, supportRefundLimit: 2000 })
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    await rig.ask('POST', `/orders/${orderId}/refund`, {})
    const { status, body } = await find(orderId)
    expect(status).toBe(200)
    expect(body).toEqual({
      next: null,
      orders: [
        {
          ...{
            orderId,
            saleId: 'phone',
            shopperId: shopperIdOf(1),
            quantity: 1,
            amount: 1000,
            currency: 'CNY',
          },
          orderNumber: expect.stringMatching(/^[1-9]\d{8}$/),
          ...{ status: 'cancelled', reason: 'by-marketer', payBy: null, payment: null, refunds: [] },
          reservedAt: expect.any(Number),
          writtenAt: expect.any(Number),
          history: [
            expect.objectContaining({ what: 'reserved' }),
            expect.objectContaining({ what: 'written', status: 'awaiting-payment' }),
            expect.objectContaining({ what: 'refunded-by-marketer', status: 'cancelled' }),
          ],
        },
      ],
    })
  })

  it('names a payment as its provider does, in the order and in the refund (S3)', async () => {
    await rig.open({ price: 1000 })
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    const money = { paymentId: paymentIdOf({ orderId }, 1), amount: 1000, currency: 'CNY', reference: 'pi_1' }
    await changeOrder(rig.ports, orderId, { kind: 'payment-started', product: 'A phone', graceMs: 0 })
    const { paymentId } = money
    const payment = async () => (await find(orderId)).body.orders[0].payment
    expect(await payment()).toMatchObject({ paymentId, product: 'A phone', state: 'started' })
    await changeOrder(rig.ports, orderId, { kind: 'payment-succeeded', ...money })
    expect(await payment()).toMatchObject({ paymentId, reference: 'pi_1', state: 'succeeded' })
    expect((await rig.ask('POST', `/orders/${orderId}/refund`, {})).body.refund).toEqual(money)
  })

  it('lists the orders of a shopper, newest first, page by page', async () => {
    await rig.open({ stock: 50, limitPerShopper: 50, maxPerOrder: 1 })
    for (let order = 1; order <= 23; order += 1) {
      // Slower than the throttle of the sale.
      rig.clock.now += 20_000
      await rig.buy(1, { order })
    }
    await rig.buy(2)
    await rig.deliver()
    const first = await find(shopperIdOf(1))
    expect(first.body.orders).toHaveLength(20)
    const second = await find(shopperIdOf(1), { after: first.body.next })
    const all = [...first.body.orders, ...second.body.orders]
    expect(second.body.next).toBeNull()
    expect(new Set(all.map(({ orderId }: { orderId: string }) => orderId)).size).toBe(23)
    const times = all.map(({ reservedAt }: { reservedAt: number }) => reservedAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })

  it('gives no coupon codes, which are worth what they redeem', async () => {
    await rig.open({ kind: 'coupon', price: 0 })
    const [orderId = ''] = await rig.sell(1)
    const { body } = await find(orderId)
    expect(body.orders[0]).toMatchObject({ orderId, status: 'fulfilled' })
    expect(JSON.stringify(body)).not.toContain('coupons')
  })

  it('finds nothing for a shopper or number that has no order', async () => {
    const nothing = { status: 200, body: { orders: [], next: null } }
    expect(await find('nobody')).toMatchObject(nothing)
    expect(await find('phone-abcdefghijklmnopqrstuvwxyz')).toMatchObject(nothing)
    expect(await find('auth0|ann@example.com')).toMatchObject(nothing)
  })

  it.each([
    ['find', {}],
    ['find', { find: '' }],
    ['find', { find: 'a b' }],
    ['find', { find: 7 }],
    ['after', { find: 'ann', after: 'yesterday' }],
    ['limit', { find: 'ann', limit: 1000 }],
  ])('names a bad %s in %j', async (field, body) => {
    expect(await rig.ask('POST', '/orders/find', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', field },
    })
  })
})
