/** The view of an order of coupons for its shopper. */
import { describe, expect, it } from 'vitest'
import type { Order, OrderStatus } from '../../../core/orders/order.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { orderChangesApp } from '../../../functions/orders/order-changes-http.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import { couponCodeOf } from '../../../proof/simulation/parts/coupons.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type OpenSale, openSale } from '../../world/open-sale.ts'

const redis = useRedis()

const open = (changes: Partial<Sale> = {}) => openSale(redis, { kind: 'coupon', price: 0, ...changes })

async function ask(shop: OpenSale, shopper: number, path: string, method = 'GET') {
  const isChange = method === 'POST'
  const app = isChange ? orderChangesApp(shop.ports) : ordersApp(shop.ports)
  const answer = await answerTo(app, forwardedRequest(shopperIdOf(shopper), method, path, isChange ? {} : undefined))
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

describe('an order of coupons', () => {
  it('shows its codes to its shopper, alone and in the list, with when they are valid (S7)', async () => {
    const shop = await open({ coupons: { validFrom: 20_000, validUntil: 90_000 } })
    const orderId = await shop.write(1)
    const shown = { coupons: [couponCodeOf(1)], validFrom: 20_000, validUntil: 90_000, status: 'fulfilled', amount: 0 }
    expect((await ask(shop, 1, `/api/orders/${orderId}`)).body).toMatchObject(shown)
    expect((await ask(shop, 1, '/api/orders')).body.orders).toEqual([expect.objectContaining(shown)])
    expect((await ask(shop, 1, `/api/orders?sale=${shop.sale.saleId}`)).body.orders).toEqual([
      expect.objectContaining(shown),
    ])
  })

  it.each([
    [{ validUntil: 90_000 }, ['validUntil']],
    [{ validFrom: 20_000 }, ['validFrom']],
    [{}, []],
    [undefined, []],
  ])('names only the bounds that its sale sets: %j', async (coupons, names) => {
    const shop = await open({ coupons })
    const { body } = await ask(shop, 1, `/api/orders/${await shop.write(1)}`)
    expect(Object.keys(body).filter((name) => name.startsWith('valid'))).toEqual(names)
    expect(body.coupons).toHaveLength(1)
  })

  it('has none while it is only reserved', async () => {
    const shop = await open({ coupons: { validUntil: 90_000 } })
    const { body } = await ask(shop, 1, `/api/orders/${await shop.reserve(1)}`)
    expect(body).toMatchObject({ status: 'reserved', amount: 0 })
    expect(body).not.toHaveProperty('coupons')
    expect(body).not.toHaveProperty('validUntil')
  })

  const over: [OrderStatus, Partial<Order>][] = [
    ['cancelled', { reason: 'by-marketer' }],
    ['rejected', { reason: 'over-cap' }],
    ['refund-due', {}],
    ['refunded', {}],
  ]
  it.each(over)('shows no code once it is %s, though the table keeps it', async (status, change) => {
    const shop = await open({ coupons: { validUntil: 90_000 } })
    const orderId = await shop.write(1, 1, { status, ...change })
    expect((await shop.find(orderId)).coupons).toEqual([couponCodeOf(1)])
    for (const path of [`/api/orders/${orderId}`, '/api/orders']) {
      const { body } = await ask(shop, 1, path)
      const [order] = body.orders ?? [body]
      expect(order).toMatchObject({ orderId, status })
      expect(order).not.toHaveProperty('coupons')
      expect(order).not.toHaveProperty('validUntil')
    }
  })

  it('can be neither paid nor cancelled, and those answers have no codes', async () => {
    const shop = await open()
    const orderId = await shop.write(1)
    for (const action of ['pay', 'cancel']) {
      const answer = await ask(shop, 1, `/api/orders/${orderId}/${action}`, 'POST')
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(JSON.stringify(answer.body)).not.toContain(couponCodeOf(1))
    }
    const taken = await shop.write(2, 1, { status: 'cancelled', reason: 'by-marketer' })
    const again = await ask(shop, 2, `/api/orders/${taken}/cancel`, 'POST')
    expect(again).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(again.body).not.toHaveProperty('coupons')
  })

  it('reads its sale only when there are codes to show', async () => {
    const shop = await open()
    const asked: string[] = []
    const { offers } = shop.ports
    shop.ports.offers = {
      ...offers,
      find: (saleId) => {
        asked.push(saleId)
        return offers.find(saleId)
      },
    }
    await ask(shop, 1, `/api/orders/${await shop.write(1, 1, { status: 'cancelled', reason: 'by-marketer' })}`)
    expect(asked).toEqual([])
    await ask(shop, 2, `/api/orders/${await shop.write(2)}`)
    expect(asked).toEqual([shop.sale.saleId])
  })
})
