/** The timers a writer sets: without one an unpaid order would keep its units for ever (O8). */
import { describe, expect, it } from 'vitest'
import { writeOrders } from '../../../functions/orders/write-orders.ts'
import { aSale } from '../../redis/support.ts'
import { openWriter } from '../../world/consumers.ts'
import { idOf, orderMessageOf } from '../../world/messages.ts'

describe('the timer of an unpaid order', () => {
  it('is shared only by sales with the same time to pay', async () => {
    const [first, second, quick] = [aSale(), aSale(), aSale({ paymentWindowSeconds: 60 })]
    const { deadlines, telemetry, write } = await openWriter([first, second, quick])
    await write([first, second, quick].map((sale) => orderMessageOf({ sale, shopper: 1 })))
    expect(deadlines.messages).toEqual([
      { orderIds: [idOf({ sale: first, shopper: 1 }), idOf({ sale: second, shopper: 1 })], at: 907_000 },
      { orderIds: [idOf({ sale: quick, shopper: 1 })], at: 67_000 },
    ])
    expect(telemetry.counted('DeadlinesScheduled')).toBe(2)
  })

  it('is not set for orders that were rejected or could not be written', async () => {
    const sale = aSale({ stock: 1, limitPerShopper: 1, maxPerOrder: 1 })
    const capless = aSale()
    const { ports, deadlines, write } = await openWriter([sale])
    ports.offers = { find: async (saleId) => [sale, capless].find((one) => one.saleId === saleId) }
    await write([
      orderMessageOf({ sale, shopper: 1 }),
      orderMessageOf({ sale, shopper: 2 }),
      orderMessageOf({ sale, shopper: 3, quantity: 2 }),
      orderMessageOf({ sale: capless, shopper: 4 }),
    ])
    expect(deadlines.messages).toEqual([{ orderIds: [idOf({ sale, shopper: 1 })], at: 907_000 }])
  })

  it('that cannot be set returns the messages, and their redelivery has no second effect (O8, I5)', async () => {
    const sale = aSale({ stock: 100 })
    const { book, deadlines, telemetry, write } = await openWriter([sale])
    const messages = [1, 2].map((shopper) => orderMessageOf({ sale, shopper }))
    deadlines.goDown()
    expect(await write(messages)).toEqual(messages.map(({ messageId }) => messageId))
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['warn'])
    expect(await book.sold(sale.saleId)).toBe(2)
    deadlines.comeUp()
    expect(await write(messages)).toEqual([])
    expect(await book.sold(sale.saleId)).toBe(2)
    expect(telemetry.counted('OrdersWritten')).toBe(2)
    expect(deadlines.messages.flatMap(({ orderIds }) => orderIds)).toHaveLength(2)
  })

  it('is retried at once after a short queue failure, instead of a redelivery a minute later (O8)', async () => {
    const sale = aSale()
    const { ports, deadlines } = await openWriter([sale])
    let tries = 0
    ports.deadlines = {
      async schedule(messages, now) {
        tries += 1
        if (tries === 1) throw new Error('a connection was reset')
        await deadlines.schedule(messages, now)
      },
    }
    expect(await writeOrders(ports, [orderMessageOf({ sale, shopper: 1 })], ports.clock() + 5000)).toEqual([])
    expect(deadlines.messages).toHaveLength(1)
  })

  it('is not waited for beyond the deadline (I6)', async () => {
    const sale = aSale()
    const { ports } = await openWriter([sale])
    ports.deadlines = { schedule: () => new Promise(() => {}) }
    const message = orderMessageOf({ sale, shopper: 1 })
    expect(await writeOrders(ports, [message], ports.clock() + 30)).toEqual([message.messageId])
  })
})
