import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderStatus } from '../../../core/orders/order.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type OpenSale, openSale } from '../../world/open-sale.ts'

const redis = useRedis()

let shop: OpenSale
beforeEach(async () => {
  shop = await openSale(redis)
})

async function ask(shopper: number | undefined, path: string, method = 'GET') {
  const who = shopper === undefined ? undefined : shopperIdOf(shopper)
  const answer = await answerTo(ordersApp(shop.ports), forwardedRequest(who, method, path))
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

const idOf = (shopper: number, order = 1) => orderIdOf(shop.sale.saleId, shopper, order)

describe('GET /api/orders/{orderId}', () => {
  it('shows an order before it is written, with its amount and no time to pay by (I2)', async () => {
    const orderId = await shop.reserve(1)
    expect(await ask(1, `/api/orders/${orderId}`)).toEqual({
      status: 200,
      body: {
        orderId,
        saleId: shop.sale.saleId,
        quantity: 1,
        amount: 250,
        currency: 'CNY',
        status: 'reserved',
        reservedAt: 5_000,
        payBy: null,
        history: [{ at: 5_000, what: 'reserved', status: 'reserved' }],
      },
    })
  })

  it('shows the written order with its history, and no internal fields (I2)', async () => {
    const { body } = await ask(1, `/api/orders/${await shop.write(1)}`)
    expect(body).toEqual({
      orderId: idOf(1),
      orderNumber: expect.stringMatching(/^[1-9]\d{8}$/),
      saleId: shop.sale.saleId,
      quantity: 1,
      amount: 250,
      currency: 'CNY',
      status: 'awaiting-payment',
      reservedAt: 5_000,
      payBy: 906_000,
      history: [
        { at: 5_000, what: 'reserved', status: 'reserved' },
        { at: 6_000, what: 'written', status: 'awaiting-payment' },
      ],
    })
  })

  it('says of which variant the units are, before and after the order is written (I2, N1)', async () => {
    const variants = [
      { id: 's', name: 'Small', stock: 5 },
      { id: 'm', name: 'Medium', stock: 5 },
    ]
    shop = await openSale(redis, { variants, stock: 10, limitPerShopper: 5, maxPerOrder: 5 })
    const units = { quantity: 3, variant: 'm', amount: 750 }
    const reserved = await shop.reserve(1, 1, { quantity: 3, variant: 'm', now: 8_000 })
    const written = await shop.write(1, 2, { quantity: 2, variant: 's' })
    expect((await ask(1, `/api/orders/${reserved}`)).body).toMatchObject({ ...units, status: 'reserved' })
    expect((await ask(1, `/api/orders/${written}`)).body).toMatchObject({ quantity: 2, variant: 's' })
    const { body } = await ask(1, `/api/orders?sale=${shop.sale.saleId}`)
    expect(body.orders).toMatchObject([{ variant: 'm' }, { quantity: 2, variant: 's' }])
  })

  it('shows the state of the payment, and why an order ended', async () => {
    const payment = { paymentId: 'p', attempt: 1, startedAt: 6_500, state: 'failed' } as const
    const failed = await shop.write(1, 1, { payment })
    expect((await ask(1, `/api/orders/${failed}`)).body).toMatchObject({ payment: 'failed' })
    const rejected = await shop.write(1, 2, { status: 'rejected', reason: 'over-cap' })
    expect((await ask(1, `/api/orders/${rejected}`)).body).toMatchObject({ status: 'rejected', reason: 'over-cap' })
  })

  it('says whether the address is stored that its sale asks for', async () => {
    expect((await ask(1, `/api/orders/${await shop.write(1)}`)).body.delivery).toBeUndefined()
    shop = await openSale(redis, { delivery: { countries: ['DE'] } })
    const [without, complete] = [await shop.write(1), await shop.write(1, 2)]
    await shop.table.storeDelivery(complete)
    expect((await ask(1, `/api/orders/${without}`)).body.delivery).toBe('missing')
    expect((await ask(1, `/api/orders/${complete}`)).body.delivery).toBe('stored')
    const { orders } = (await ask(1, '/api/orders')).body
    const seen = new Map(orders.map((order: { orderId: string; delivery: string }) => [order.orderId, order.delivery]))
    expect([seen.get(without), seen.get(complete)]).toEqual(['missing', 'stored'])
  })

  it('answers 404 for another shopper’s order, written or not, exactly as for a missing one', async () => {
    const none = await ask(2, `/api/orders/${idOf(9)}`)
    expect(none).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(await ask(2, `/api/orders/${await shop.write(1)}`)).toEqual(none)
    expect(await ask(2, `/api/orders/${await shop.reserve(3)}`)).toEqual(none)
  })

  it('does not report an order as missing when it cannot know (I6)', async () => {
    const [reserved, written] = [await shop.reserve(1), await shop.write(1, 2)]
    shop.stock.goDown()
    await expect(ask(1, `/api/orders/${reserved}`)).rejects.toThrow(/unavailable/)
    expect(await ask(1, `/api/orders/${written}`)).toMatchObject({ status: 200 })
    shop.table.goDown()
    await expect(ask(1, `/api/orders/${written}`)).rejects.toThrow(/unavailable/)
  })

  it('rejects an invalid order id, a missing caller and an unknown method', async () => {
    expect(await ask(1, '/api/orders/..%2F..')).toMatchObject({ status: 400, body: { field: 'orderId' } })
    expect(await ask(undefined, `/api/orders/${idOf(1)}`)).toMatchObject({ status: 401 })
    expect(await ask(1, '/api/orders', 'POST')).toMatchObject({ status: 405 })
    expect(await ask(1, '/api/order')).toMatchObject({ status: 404 })
  })
})

describe('GET /api/orders', () => {
  it('lists the caller’s own orders, newest first, with the unwritten ones of one sale (I2)', async () => {
    await shop.write(1, 1)
    await shop.write(2, 1)
    const fresh = await shop.reserve(1, 2, { now: 8_000 })
    const mine = await ask(1, `/api/orders?sale=${shop.sale.saleId}`)
    expect(mine.body.orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([fresh, idOf(1)])
    expect(mine.body.orders[0]).toMatchObject({ status: 'reserved' })
    expect((await ask(1, '/api/orders')).body.orders).toHaveLength(1)
    expect((await ask(3, '/api/orders')).body).toEqual({ orders: [], next: null })
  })

  it('reads an order by its id when the list does not show it yet', async () => {
    const orderId = await shop.write(1)
    const table = onWireAt(shop.ports.table, /^query /, async () => ({ Items: [] }))
    const lagging = { ...shop.ports, table }
    const request = forwardedRequest(shopperIdOf(1), 'GET', `/api/orders?sale=${shop.sale.saleId}`)
    const { orders } = JSON.parse((await answerTo(ordersApp(lagging), request)).body)
    expect(orders).toEqual([expect.objectContaining({ orderId, status: 'awaiting-payment' })])
  })

  it.each([
    ['sale', 'sale=A'],
    ['limit', 'limit=0'],
    ['limit', 'limit=51'],
    ['limit', 'limit=1e1'],
    ['after', 'after=5000'],
    ['after', `after=${'9'.repeat(16)}.sale-1-aaaaaaaaaaaaaaaaaaaaaaaaaa`],
    ['after', 'after=5000.SALE#x'],
    ['page', 'page=2'],
    ['limit', 'limit=1&limit=2'],
  ])('rejects a malformed or unknown parameter by name: %s in ?%s', async (field, query) => {
    expect(await ask(1, `/api/orders?${query}`)).toMatchObject({ status: 400, body: { field } })
  })

  it('shows the payment deadline only while there is something to pay (S7)', async () => {
    const states: [OrderStatus, boolean][] = [
      ['awaiting-payment', true],
      ['paid', false],
      ['fulfilled', false],
      ['cancelled', false],
      ['rejected', false],
      ['refund-due', false],
      ['refunded', false],
    ]
    for (const [index, [status]] of states.entries()) await shop.write(index + 1, 1, { status })
    for (const [index, [status, isDue]] of states.entries()) {
      const { body } = await ask(index + 1, `/api/orders/${idOf(index + 1)}`)
      expect([status, body.payBy]).toEqual([status, isDue ? 906_000 : null])
    }
  })
})
