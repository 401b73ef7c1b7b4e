/** A buy request through the whole system: edge, Lua, queue, order, and back to the shopper. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { sharedShop } from './shared-shop.ts'
import { buyWhenAdmitted, call, eventually, openSale, writtenOrder } from './support.ts'

const stack = sharedShop('one-sale')

describe('show one sale', () => {
  it('turns a buy request into an order that only its shopper can read (O1, O3)', async () => {
    const { saleId, startToken } = await openSale(stack)
    const ann = await stack.token('ann')
    const won = await buyWhenAdmitted(stack, saleId, { token: ann, startToken })
    expect(won).toMatchObject({ status: 202, body: { status: 'reserved', quantity: 1, remaining: 9 } })

    const order = await writtenOrder(stack, won.body.orderId, ann)
    expect(order).toMatchObject({ saleId, quantity: 1, amount: 10, currency: 'CNY', status: 'awaiting-payment' })
    const written = order.history.find(({ what }) => what === 'written')
    expect(order.payBy).toBe((written?.at ?? 0) + 900_000)

    const bob = await stack.token('bob')
    expect(await call(stack, `/api/orders/${won.body.orderId}`, { token: bob })).toMatchObject({ status: 404 })
    const own = await call<{ orders: OrderView[] }>(stack, '/api/orders', { token: ann })
    expect(own.body.orders.map((o) => o.orderId)).toContain(won.body.orderId)
  })

  it('answers the repeat of a successful request with its order after the last unit is gone (I5)', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 1 })
    const token = await stack.token('last-one')
    const key = randomUUID()
    const won = await buyWhenAdmitted(stack, saleId, { token, startToken, key })
    expect(won.status).toBe(202)
    const repeat = await eventually(async () => {
      const answer = await buyWhenAdmitted(stack, saleId, { token, startToken, key })
      return answer.headers.has('x-sluice-gate') ? answer : undefined
    })
    expect(repeat).toMatchObject({ status: 410, body: { code: 'sold-out' } })
    const own = await call<{ orders: OrderView[] }>(stack, repeat.body.lookup ?? 'no look-up', { token })
    expect(own.body.orders.map(({ orderId }) => orderId)).toEqual([won.body.orderId])
  })
})
