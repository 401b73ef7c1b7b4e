import { describe, expect, it } from 'vitest'
import { newsOfOwned, ownOrders } from '../../../static/sale/own-orders.ts'
import { type Reply, shopOfAnswers, tabStore } from '../shop-of-answers.ts'

const lookPath = 'GET /api/orders?sale=mug'
const order = (last: string, status: string, quantity: number, reservedAt: number, payBy: number | null = null) => ({
  ...{ orderId: `mug-${last.repeat(26)}`, saleId: 'mug', quantity, amount: 10, currency: 'EUR', status },
  ...{ reservedAt, payBy },
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
    expect(await own.read()).toEqual(owned)
    expect(own.remembered()).toEqual(owned)
  })

  it('are forgotten once none of them stands, and kept while the shop does not answer', async () => {
    const { own } = browser(['lost', orders(order('a', 'cancelled', 1, 100))])
    own.remember({ orderId: 'mug-x', quantity: 1 })
    expect(await own.read()).toBe('unknown')
    expect(own.remembered()).toBeDefined()
    expect(await own.read()).toBeUndefined()
    expect(own.remembered()).toBeUndefined()
  })

  it('say until when the newest one is to be paid, and nothing of it once that is over', async () => {
    const payBy = Date.UTC(2030, 4, 1, 6, 45)
    const { own } = browser([orders(order('a', 'awaiting-payment', 2, 100, payBy))])
    const owned = { orderId: `mug-${'a'.repeat(26)}`, quantity: 2, payBy }
    expect(await own.read()).toEqual(owned)
    expect(own.remembered()).toEqual(owned)

    const voice = { locale: () => 'de', shortMoment: (ms: number) => new Date(ms).toISOString() }
    const clock = new Intl.DateTimeFormat('de', { hour: '2-digit', minute: '2-digit' }).format(payBy)
    const newsAt = (now: number) => newsOfOwned(owned, now, voice)
    expect(newsAt(payBy - 60_000)).toEqual({ key: 'status.ownedToPay', args: { quantity: 2, time: clock } })
    const day = 86_400_000
    expect(newsAt(payBy - day)).toMatchObject({ args: { time: '2030-05-01T06:45:00.000Z' } })
    expect(newsAt(payBy)).toEqual({ key: 'status.owned', args: { quantity: 2 } })
  })
})
