/** Support finds the orders that a person asks about, by their number or by the shopper. */
import { describe, expect, it } from 'vitest'
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { toFoundOrder } from '../../../functions/people/find-orders.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { putContact } from '../../../functions/table/people/contacts.ts'
import { putDelivery } from '../../../functions/table/people/deliveries.ts'
import { dynamoMailLog } from '../../../functions/table/people/mail-log.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

function parsedOrder(text: string): OrderId {
  const orderId = parseOrderId(text)
  if (orderId === undefined) throw new Error(`${text} is no order`)
  return orderId
}

const find = (text: string, more: object = {}, roles = 'support') =>
  rig.ask('POST', '/orders/find', { find: text, ...more }, { 'x-shopper-roles': roles })

describe('POST /api/control/orders/find', () => {
  it('finds an order by its number, with its payments, refunds and history', async () => {
    await rig.open({ price: 1000, supportRefundLimit: 2000 })
    const [orderId] = await rig.sell(1)
    await rig.ask('POST', `/orders/${orderId}/refund`, {})
    const { status, body } = await find(orderId)
    expect(status).toBe(200)
    expect(body).toEqual({
      next: null,
      orders: [
        {
          ...{ orderId, saleId: 'phone', shopperId: shopperIdOf(1), quantity: 1, amount: 1000, currency: 'CNY' },
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

  it('shows what a red packet gives, and not that it costs nothing', async () => {
    await rig.open()
    const [orderId] = await rig.sell(1)
    const order = await findWrittenOrder(rig.ports.table, parsedOrder(orderId))
    if (order === undefined) throw new Error('the order is gone')
    const packet = { number: 0, amount: 1221, currency: 'CNY' }
    expect(toFoundOrder({ ...order, amount: 0, packet })).toMatchObject({ amount: 1221, currency: 'CNY' })
  })

  it('names a payment as its provider does, in the order and in the refund (S3)', async () => {
    await rig.open({ price: 1000 })
    const [orderId] = await rig.sell(1)
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
    const first = await find(`\u2068${shopperIdOf(1)}\u2069\u3164`)
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
    expect(body.orders[0].coupons).toEqual({ issued: 1, redeemed: 0 })
    const { coupons: [code = 'none'] = [] } = (await findWrittenOrder(rig.ports.table, parsedOrder(orderId))) ?? {}
    expect(JSON.stringify(body)).not.toContain(code)
  })

  it('has a shopper beside the orders: contact, address, emails and wallet', async () => {
    await rig.open({ price: 1000 })
    const [first = '', other = ''] = await rig.sell(2)
    const orderId = parsedOrder(first)
    const { table } = rig.ports
    const { now } = rig.clock
    const shopperId = shopperIdOf(1)
    const address = { name: 'Ann', addressLines: ['Torstraße 1'], postalCountry: 'DE', phone: '+493012345678' }
    await putContact(rig.ports, shopperId, { email: 'ann@example.com', language: 'en' }, now + 60_000)
    await putDelivery(rig.ports, orderId, address, now + 60_000)
    const log = dynamoMailLog(table, () => now)
    await log.begin({ orderId, revision: 2 }, true)
    await log.finish({ orderId, revision: 2 }, 'rejected')
    const { body } = await find(first, { shopper: true }, 'marketer')
    expect(body.orders.map((order: { orderId: string }) => order.orderId)).toEqual([first])
    expect(body.shopper).toEqual({
      shopperId,
      contact: { email: 'ann@example.com', language: 'en' },
      deliveries: [{ orderId, phone: address.phone, lines: ['Ann', 'Torstraße 1'], country: 'DE' }],
      ...{ balances: [], credits: [] },
      mails: [{ about: orderId, kind: 'payment-due', state: 'rejected', at: now }],
    })
    const { contact: _, deliveries: __, ...open } = body.shopper
    // Support finds a person by an address, but sees no address.
    expect((await find('ann@example.com', { shopper: true })).body.shopper).toEqual(open)
    expect((await find(other)).body).not.toHaveProperty('shopper')
  })

  it('names the shoppers who share an email address', async () => {
    await rig.open()
    for (const n of [1, 2])
      await putContact(rig.ports, shopperIdOf(n), { email: 'ann@example.com', language: 'en' }, rig.clock.now + 60_000)
    const { body } = await find('\u202aａnn@example.com\ufe0f', { shopper: true })
    expect(body.shoppers.toSorted()).toEqual([shopperIdOf(1), shopperIdOf(2)].toSorted())
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
