import { describe, expect, it } from 'vitest'
import { ownOrders } from '../../../static/client/sale/own-orders.ts'
import { type Reply, shopOfAnswers, tabStore } from '../shop-of-answers.ts'

const lookPath = 'GET /api/orders?sale=mug'
const order = (last: string, status: string, quantity: number, reservedAt: number) => ({
  ...{ orderId: `mug-${last.repeat(26)}`, saleId: 'mug', quantity, amount: 10, currency: 'EUR', status },
  ...{ reservedAt, payBy: null },
})
const orders = (...list: ReturnType<typeof order>[]): Reply => ({ status: 200, body: { orders: list } })

function browser(answers: Reply[], name: string | null = 'ann') {
  const { fetch, asked } = shopOfAnswers({ [lookPath]: answers })
  const device = { name }
  return { own: ownOrders({ fetch, store: tabStore(), who: () => device.name }, 'mug'), asked, device }
}

describe('the orders that a shopper has of a sale', () => {
  it('are remembered after a win, without asking the shop', () => {
    const { own, asked } = browser([])
    expect(own.remembered()).toBeUndefined()
    own.remember({ orderId: 'mug-x', quantity: 2 })
    expect(own.remembered()).toEqual({ orderId: 'mug-x', quantity: 2 })
    expect(asked).toEqual([])
  })

  it('belong to no other person of the same device', () => {
    const { own, device } = browser([])
    own.remember({ orderId: 'mug-x', quantity: 2 })
    device.name = 'bob'
    expect(own.remembered()).toBeUndefined()
    device.name = null
    expect(own.remembered()).toBeUndefined()
  })

  it('are those that still hold units: the newest leads on, all of them count to the limit', async () => {
    const answer = orders(order('c', 'cancelled', 3, 300), order('b', 'reserved', 2, 200), order('a', 'paid', 1, 100))
    const { own } = browser([answer])
    const owned = { orderId: `mug-${'b'.repeat(26)}`, quantity: 3 }
    expect(await own.look()).toEqual(owned)
    expect(own.remembered()).toEqual(owned)
  })

  it('are forgotten once none of them stands, and kept while the shop does not answer', async () => {
    const { own } = browser(['lost', orders(order('a', 'cancelled', 1, 100))])
    own.remember({ orderId: 'mug-x', quantity: 1 })
    expect(await own.look()).toBe('unknown')
    expect(own.remembered()).toBeDefined()
    expect(await own.look()).toBeUndefined()
    expect(own.remembered()).toBeUndefined()
  })
})
