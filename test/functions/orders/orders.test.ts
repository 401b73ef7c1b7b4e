import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { Order } from '../../../core/order.ts'
import { answerOrders } from '../../../functions/orders/http.ts'
import type { Hold, Ports } from '../../../functions/orders/orders.ts'
import { darkness } from '../../contract/fakes/darkness.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { requestOf } from '../support.ts'

const sale = aSale({ price: 250 })
const written = new Map<OrderId, Order>()
const held = new Map<OrderId, Hold>()
const redis = darkness('Redis')
const dynamoDb = darkness('DynamoDB')

const ports: Ports = {
  orders: {
    find: async (orderId) => {
      dynamoDb.pass()
      return written.get(orderId)
    },
    ofShopper: async (shopperId) => {
      dynamoDb.pass()
      return [...written.values()].filter((order) => order.shopperId === shopperId)
    },
  },
  holds: {
    find: async (orderId) => {
      redis.pass()
      return held.get(orderId)
    },
    ofShopper: async (_saleId, shopperId) => {
      redis.pass()
      return [...held].filter(([, hold]) => hold.shopperId === shopperId).map(([orderId]) => orderId)
    },
  },
  prices: { of: async (saleId) => (saleId === sale.saleId ? sale : undefined) },
}

async function ask(shopper: number | undefined, path: string, method = 'GET') {
  const who = shopper === undefined ? undefined : shopperIdOf(shopper)
  const answer = await answerOrders(ports, requestOf(who, method, path))
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

const idOf = (shopper: number, order = 1) => orderIdOf(sale.saleId, shopper, order)

function reserve(shopper: number, order = 1, reservedAt = 5_000): OrderId {
  held.set(idOf(shopper, order), { shopperId: shopperIdOf(shopper), quantity: 2, reservedAt })
  return idOf(shopper, order)
}

function write(shopper: number, order = 1, changes: Partial<Order> = {}): OrderId {
  const orderId = reserve(shopper, order)
  written.set(orderId, {
    orderId,
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity: 2,
    amount: 500,
    currency: 'CNY',
    status: 'awaiting-payment',
    reservedAt: 5_000,
    writtenAt: 6_000,
    payBy: 905_000,
    ...changes,
  })
  return orderId
}

beforeEach(() => {
  written.clear()
  held.clear()
  redis.comeBack()
  dynamoDb.comeBack()
})

describe('GET /api/orders/{orderId}', () => {
  it('shows an order before it is written, with its amount and no time to pay by (I2)', async () => {
    const orderId = reserve(1)
    expect(await ask(1, `/api/orders/${orderId}`)).toEqual({
      status: 200,
      body: {
        orderId,
        saleId: sale.saleId,
        quantity: 2,
        amount: 500,
        currency: 'CNY',
        status: 'reserved',
        reservedAt: 5_000,
        payBy: null,
      },
    })
  })

  it('shows the written order, also a rejected one with its reason (I2)', async () => {
    const paid = await ask(1, `/api/orders/${write(1)}`)
    expect(paid.body).toMatchObject({ status: 'awaiting-payment', payBy: 905_000 })
    expect(paid.body).not.toHaveProperty('shopperId')
    const rejected = write(1, 2, { status: 'rejected', reason: 'over-cap' })
    expect((await ask(1, `/api/orders/${rejected}`)).body).toMatchObject({
      status: 'rejected',
      reason: 'over-cap',
    })
  })

  it('answers 404 for another shopper’s order, written or not, exactly as for none', async () => {
    const none = await ask(2, `/api/orders/${idOf(9)}`)
    expect(none).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(await ask(2, `/api/orders/${write(1)}`)).toEqual(none)
    expect(await ask(2, `/api/orders/${reserve(3)}`)).toEqual(none)
  })

  it('does not say an order is missing when it cannot know (I6)', async () => {
    const orderId = reserve(1)
    redis.goDark()
    await expect(ask(1, `/api/orders/${orderId}`)).rejects.toThrow(/dark/)
    expect(await ask(1, `/api/orders/${write(1, 2)}`)).toMatchObject({ status: 200 })
    dynamoDb.goDark()
    await expect(ask(1, `/api/orders/${orderId}`)).rejects.toThrow(/dark/)
  })

  it('refuses what is no order id, no caller, no method', async () => {
    expect(await ask(1, '/api/orders/..%2F..')).toMatchObject({ status: 400, body: { field: 'orderId' } })
    expect(await ask(undefined, `/api/orders/${idOf(1)}`)).toMatchObject({ status: 401 })
    expect(await ask(1, '/api/orders', 'POST')).toMatchObject({ status: 405 })
    expect(await ask(1, '/api/order')).toMatchObject({ status: 404 })
  })
})

describe('GET /api/orders', () => {
  it('lists the caller’s own, newest first, with what is not written yet of one sale (I2)', async () => {
    write(1, 1)
    write(2, 1)
    const fresh = reserve(1, 2, 8_000)
    const mine = await ask(1, `/api/orders?sale=${sale.saleId}`)
    expect(mine.body.orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([fresh, idOf(1)])
    expect(mine.body.orders[0]).toMatchObject({ status: 'reserved' })
    expect((await ask(1, '/api/orders')).body.orders).toHaveLength(1)
    expect((await ask(3, '/api/orders')).body).toEqual({ orders: [] })
  })

  it('reads an order that the list does not show yet for itself', async () => {
    const orderId = write(1)
    const lagging = { ...ports, orders: { ...ports.orders, ofShopper: async () => [] } }
    const request = requestOf(shopperIdOf(1), 'GET', `/api/orders?sale=${sale.saleId}`)
    const { orders } = JSON.parse((await answerOrders(lagging, request)).body)
    expect(orders).toEqual([expect.objectContaining({ orderId, status: 'awaiting-payment' })])
  })

  it('refuses a malformed sale id by its name', async () => {
    expect(await ask(1, '/api/orders?sale=A')).toMatchObject({ status: 400, body: { field: 'sale' } })
  })
})
