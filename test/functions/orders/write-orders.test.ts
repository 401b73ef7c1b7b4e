import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import { pointerPath } from '../../../core/sale/pointer.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readMessages } from '../../../functions/orders/read-messages.ts'
import { writeOrders } from '../../../functions/orders/write-orders.ts'
import { createPointerPublisher } from '../../../functions/sales/publishing/pointer.ts'
import { wakingShopfront } from '../../../functions/sales/publishing/shopfront.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { range } from '../../contract/table-rig.ts'
import { aRain } from '../../redis/packets/rain.ts'
import { aSale, raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openWriter } from '../../world/consumers.ts'
import { idOf, orderMessageOf } from '../../world/messages.ts'
import { switchableSite } from '../../world/site.ts'

const redis = useRedis()

/** An order as it leaves its outbox. */
const acknowledgedOf = (asked: { sale: Sale; shopper: number }) => ({
  orderId: idOf(asked),
  shopperId: shopperIdOf(asked.shopper),
})

describe('write-orders', () => {
  it('writes a full batch of one sale in one transaction (O3)', async () => {
    const sale = aSale({ stock: 100, price: 250 })
    const { book, telemetry, refreshed, write } = await openWriter([sale])
    const before = book.counted.transactions
    const failed = await write(range(49).map((shopper) => orderMessageOf({ sale, shopper })))
    expect(failed).toEqual([])
    expect(book.counted.transactions - before).toBe(1)
    expect(await book.find(idOf({ sale, shopper: 7 }))).toEqual({
      orderId: idOf({ sale, shopper: 7 }),
      orderNumber: expect.stringMatching(/^[1-9]\d{8}$/),
      saleId: sale.saleId,
      shopperId: 'shopper-7',
      quantity: 1,
      amount: 250,
      currency: 'CNY',
      status: 'awaiting-payment',
      reservedAt: 5_000,
      writtenAt: 7_000,
      payBy: 7_000 + 900_000,
      cancelAt: 7_000 + 900_000,
      history: [
        { at: 5_000, what: 'reserved', status: 'reserved' },
        { at: 7_000, what: 'written', status: 'awaiting-payment' },
      ],
    })
    expect(telemetry.counted('OrdersWritten')).toBe(49)
    expect(refreshed).toEqual([sale.saleId])
  })

  it('treats a redelivered message, in another batch or in the same, as done (O6, I5)', async () => {
    const sale = aSale({ stock: 100 })
    const { book, telemetry, write } = await openWriter([sale])
    const batch = range(10).map((shopper) => orderMessageOf({ sale, shopper }))
    await write(batch)
    expect(await write(batch)).toEqual([])
    const twins = [orderMessageOf({ sale, shopper: 11 }), orderMessageOf({ sale, shopper: 11 }, ' again')]
    expect(await write([...batch, ...twins])).toEqual([])
    expect(await book.sold(sale.saleId)).toBe(11)
    expect(telemetry.counted('DuplicatesDropped')).toBe(20)
    expect(telemetry.counted('OrdersWritten')).toBe(11)
  })

  it('merges the messages of one order, whichever comes first: it keeps the admission, and all are done with it (O6, G7)', async () => {
    const sale = aSale({ stock: 100 })
    const { ports } = await openWriter([sale])
    const admitted = { second: 5, booked: 1, stockRevision: 0 }
    const sent = orderMessageOf({ sale, shopper: 1, admitted })
    const again = orderMessageOf({ sale, shopper: 1 }, ' again')
    for (const messages of [
      [sent, again],
      [again, sent],
    ]) {
      const { entries } = await readMessages(ports, messages, 60_000)
      const messageIds = messages.map(({ messageId }) => messageId)
      expect(entries).toMatchObject([{ admitted, messageIds }])
    }
  })

  it('clears the outbox and reports the admissions of a batch, with one call each for a sale (O4, G7)', async () => {
    const [sale, other] = [aSale({ stock: 100 }), aSale({ stock: 100 })]
    const { acknowledged, write } = await openWriter([sale, other])
    const admitted = range(3).map((booked) => ({ second: 5, booked, stockRevision: 0 }))
    const batch = [
      ...range(3).map((shopper) => orderMessageOf({ sale, shopper, admitted: admitted[shopper - 1] })),
      orderMessageOf({ sale: other, shopper: 4 }),
    ]
    await write(batch)
    expect(acknowledged.removed).toEqual([
      { saleId: sale.saleId, ids: range(3).map((shopper) => acknowledgedOf({ sale, shopper })) },
      { saleId: other.saleId, ids: [acknowledgedOf({ sale: other, shopper: 4 })] },
    ])
    expect(acknowledged.completed).toEqual([{ saleId: sale.saleId, decided: admitted }])
    await write(batch)
    expect(acknowledged.removed, 'a repeat clears the outbox again').toHaveLength(4)
    expect(acknowledged.completed, 'an admission is completed once').toHaveLength(1)
  })

  it('clears what was moved to the dead-letter queue from the outbox, and nothing that comes again (O4, O7)', async () => {
    const [sale, unknown] = [aSale({ stock: 100 }), aSale()]
    const { acknowledged, book, write } = await openWriter([sale])
    const batch = [
      { sale: unknown, shopper: 1 },
      { sale, shopper: 2 },
    ].map((order) => orderMessageOf(order))
    book.goDown()
    await write(batch)
    const deadLettered = { saleId: unknown.saleId, ids: [acknowledgedOf({ sale: unknown, shopper: 1 })] }
    expect(acknowledged.removed).toEqual([deadLettered])
  })

  it('keeps the orders when outbox and gate do not answer (I2)', async () => {
    const sale = aSale({ stock: 100 })
    const { ports, book, telemetry, write } = await openWriter([sale])
    const fail = () => Promise.reject(new RedisUnavailable('gone'))
    Object.assign(ports, { outbox: { remove: fail }, admissions: { complete: fail } })
    expect(await write([orderMessageOf({ sale, shopper: 1, admitted: { second: 5 } })])).toEqual([])
    expect(await book.sold(sale.saleId)).toBe(1)
    expect([telemetry.counted('AcknowledgeFailed'), telemetry.counted('GateUpdateFailed')]).toEqual([1, 1])
  })

  it('rejects what can never become an order to the dead-letter queue with the reason, and writes the others (O7, N1)', async () => {
    const sale = aSale({ stock: 100 })
    const priceless = aSale({ price: Number.MAX_SAFE_INTEGER, stock: 10 })
    const rain = aRain([1, 2, 3])
    const variants = ['s', 'm'].map((id) => ({ id, name: id, stock: 3 }))
    const sized = aSale({ stock: 6, variants, limitPerShopper: 5, maxPerOrder: 5 })
    const { book, deadLetters, telemetry, write } = await openWriter([sale, priceless, rain, sized])
    const poison = [
      { messageId: 'not json', body: '{' },
      { messageId: 'not an order', body: '{"orderId":"x"}' },
      { messageId: 'too much', body: orderMessageOf({ sale, shopper: 90, quantity: 1001 }).body },
      { messageId: 'extra field', body: orderMessageOf({ sale, shopper: 91 }).body.replace('{', '{"x":1,') },
      { ...orderMessageOf({ sale: aSale(), shopper: 92 }), messageId: 'no such sale' },
      { ...orderMessageOf({ sale: priceless, shopper: 93, quantity: 2 }), messageId: 'inexact amount' },
      { ...orderMessageOf({ sale: rain, shopper: 94 }), messageId: 'no packet' },
      orderMessageOf({ sale, shopper: 97, packet: { number: 0, amount: 1 } }),
      orderMessageOf({ sale: rain, shopper: 97, packet: { number: 0, amount: 0 } }),
      orderMessageOf({ sale: sized, shopper: 95 }),
      orderMessageOf({ sale: sized, shopper: 96, quantity: 1, variant: 'xl' }),
      orderMessageOf({ sale, shopper: 98, quantity: 1, variant: 's' }),
    ]
    const good = range(5).map((shopper) => orderMessageOf({ sale, shopper }))
    good.push(orderMessageOf({ sale: sized, shopper: 6, quantity: 3, variant: 'm' }))
    expect(await write([...poison, ...good])).toEqual([])
    expect([await book.sold(sale.saleId), await book.sold(sized.saleId)]).toEqual([5, 3])
    expect(deadLetters.letters.map(({ body }) => body)).toEqual(poison.map(({ body }) => body))
    expect(deadLetters.letters.map(({ reason }) => reason).slice(0, 9)).toEqual([
      'body must be JSON',
      'orderId is not a valid id',
      'quantity must be at most 1000',
      'x is not a known field',
      expect.stringMatching(/^there is no sale sale-\d+$/),
      expect.stringMatching(/is not an exact amount$/),
      `a red packet is missing, or ${rain.saleId} has none`,
      `a red packet is missing, or ${sale.saleId} has none`,
      'packet.amount must be at least 1',
    ])
    expect(telemetry.counted('DeadLettered')).toBe(12)
  })

  it('redelivers an unreadable message when it cannot be moved to the dead-letter queue (O7)', async () => {
    const sale = aSale({ stock: 100 })
    const { book, deadLetters, telemetry, write } = await openWriter([sale])
    deadLetters.goDown()
    const bad = { messageId: 'not json', body: '{' }
    expect(await write([bad, orderMessageOf({ sale, shopper: 1 })])).toEqual(['not json'])
    expect(await book.sold(sale.saleId)).toBe(1)
    expect(telemetry.counted('DeadLettered')).toBe(0)
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['warn'])
  })

  it('returns only the messages of a sale that cannot be read (I6)', async () => {
    const [unavailable, sale] = [aSale({ stock: 100 }), aSale({ stock: 100 })]
    const { ports, book, deadLetters, telemetry, write } = await openWriter([unavailable, sale])
    const { offers } = ports
    ports.offers = {
      find: (saleId) =>
        saleId === unavailable.saleId ? Promise.reject(new Error('unavailable')) : offers.find(saleId),
    }
    const unlucky = [1, 2].map((shopper) => orderMessageOf({ sale: unavailable, shopper }))
    const failed = await write([...unlucky, orderMessageOf({ sale, shopper: 1 })])
    expect(failed).toEqual(unlucky.map(({ messageId }) => messageId))
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['warn'])
    expect(await book.sold(sale.saleId)).toBe(1)
    expect(deadLetters.letters).toEqual([])
  })

  it('commits the other messages when one transaction throws, here for a sale without a cap (O7)', async () => {
    const sale = aSale({ stock: 100 })
    const draft = aSale({ stock: 10 })
    const { ports, book, write } = await openWriter([sale])
    ports.offers = { find: async (saleId) => (saleId === sale.saleId ? sale : draft) }
    const bad = orderMessageOf({ sale: draft, shopper: 99 })
    const messages = range(30).map((shopper) => orderMessageOf({ sale, shopper }))
    expect(await write(messages.toSpliced(17, 0, bad))).toEqual([bad.messageId])
    expect(await book.sold(sale.saleId)).toBe(30)
    expect(book.counted.transactions, 'halves, not one by one').toBeLessThan(15)
  })

  it('ends in time when transactions keep throwing, and returns the rest (I2)', async () => {
    const sale = aSale({ stock: 100 })
    const { ports, write } = await openWriter([sale])
    let writes = 0
    ports.writer = {
      write: async () => {
        writes += 1
        await ports.sleep(2_000)
        throw new Error('the table refuses all of it')
      },
    }
    expect(await write(range(49).map((shopper) => orderMessageOf({ sale, shopper })))).toHaveLength(49)
    expect(writes).toBeLessThanOrEqual(5)
  })

  it('enforces the cap: an order above it is rejected, and its shopper can see that (I1, I2)', async () => {
    const sale = aSale({ stock: 30 })
    const { book, telemetry, write } = await openWriter([sale])
    const failed = await write(range(49).map((shopper) => orderMessageOf({ sale, shopper })))
    expect(failed).toEqual([])
    const orders = await Promise.all(range(49).map((shopper) => book.find(idOf({ sale, shopper }))))
    expect(orders.filter((order) => order?.status === 'awaiting-payment')).toHaveLength(30)
    const rejected = orders.filter((order) => order?.reason === 'over-cap')
    expect(rejected).toHaveLength(19)
    expect(rejected[0]?.history).toEqual([
      { at: 5_000, what: 'reserved', status: 'reserved' },
      { at: 7_000, what: 'rejected', status: 'rejected' },
    ])
    expect(await book.sold(sale.saleId)).toBe(30)
    expect(telemetry.counted('OrdersRejected')).toBe(19)
    const alarms = telemetry.lines.filter(({ level, message }) => level === 'error' && message === 'order rejected')
    expect(alarms, 'Redis sold more units than exist: an alarm must fire').toHaveLength(19)
  })

  it('returns the messages when the table stays busy or unavailable, and writes them on redelivery (I2, I6)', async () => {
    const sale = aSale({ stock: 100 })
    const { book, telemetry, write } = await openWriter([sale])
    const messages = [orderMessageOf({ sale, shopper: 1 }), orderMessageOf({ sale, shopper: 2 })]
    book.beBusy(Number.POSITIVE_INFINITY)
    expect((await write(messages)).sort()).toEqual(messages.map(({ messageId }) => messageId).sort())
    book.beBusy(0)
    book.goDown()
    expect(await write(messages)).toHaveLength(2)
    expect(telemetry.counted('MessagesFailed')).toBe(4)
    book.comeUp()
    expect(await write(messages)).toEqual([])
    expect(await book.sold(sale.saleId)).toBe(2)
  })

  it('publishes the remaining count after the last batch, also one that fills its transaction (C8)', async () => {
    const sale = aSale({ stock: 200 })
    const { ports, book, write } = await openWriter([sale])
    const site = switchableSite()
    await warmStock(redis, sale)
    const pointer = createPointerPublisher({ site, table: book.table, stock: redis, clock: ports.clock })
    const woken: SaleId[] = []
    ports.shopfront = wakingShopfront(pointer, async (saleId) => void woken.push(saleId))
    for (const from of [1, 50]) {
      await raw(redis, 'HINCRBY', stockKeys(sale.saleId).stock, 'booked', '49')
      await write(range(49, from).map((shopper) => orderMessageOf({ sale, shopper })))
    }
    const published: unknown = JSON.parse(site.objects.get(pointerPath(sale.saleId))?.body ?? 'null')
    expect(published).toMatchObject({ remaining: 102 })
    expect(woken).toEqual([])
  })

  it('wakes reconcile once after the batch with the last unit, from the stock that it reads anyway (G4)', async () => {
    const [sale, endless] = [aSale({ stock: 2 }), aSale({ stock: -1 })]
    const { ports, book, write } = await openWriter([sale, endless])
    for (const one of [sale, endless]) await warmStock(redis, one)
    const { clock } = ports
    const pointer = createPointerPublisher({ site: switchableSite(), table: book.table, stock: redis, clock })
    const woken: SaleId[] = []
    ports.shopfront = wakingShopfront(pointer, async (saleId) => void woken.push(saleId))
    const sell = async (shopper: number) => {
      await raw(redis, 'HINCRBY', stockKeys(sale.saleId).stock, 'booked', '1')
      await write([sale, endless].map((one) => orderMessageOf({ sale: one, shopper })))
    }
    await sell(1)
    expect(woken).toEqual([])
    await sell(2)
    expect(woken).toEqual([sale.saleId])
  })

  it('publishes the remaining count once the messages have left their outbox (C8)', async () => {
    const sale = aSale({ stock: 200 })
    const { ports, acknowledged, write } = await openWriter([sale])
    const removed: number[] = []
    ports.shopfront = { refresh: async () => void removed.push(acknowledged.removed.length) }
    await write([orderMessageOf({ sale, shopper: 1 })])
    expect(removed).toEqual([1])
  })

  const never = () => new Promise<never>(() => {})

  it('keeps the orders when the shopfront of one sale does not answer, and refreshes the others (O7)', async () => {
    const [silent, sale] = [aSale({ stock: 100 }), aSale({ stock: 100 })]
    const { ports, book, telemetry, refreshed } = await openWriter([silent, sale])
    const { refresh } = ports.shopfront
    ports.shopfront = { refresh: (saleId) => (saleId === silent.saleId ? never() : refresh(saleId)) }
    const messages = [orderMessageOf({ sale: silent, shopper: 1 }), orderMessageOf({ sale, shopper: 1 })]
    expect(await writeOrders(ports, messages, ports.clock() + 30)).toEqual([])
    expect([await book.sold(silent.saleId), await book.sold(sale.saleId)]).toEqual([1, 1])
    expect(refreshed).toEqual([sale.saleId])
    expect(telemetry.counted('PublishFailed')).toBe(1)
  })

  it('returns a batch at its deadline when no sale can be read, after one try for each (I6)', async () => {
    const sale = aSale({ stock: 100 })
    const { ports } = await openWriter([sale])
    let asked = 0
    ports.offers = {
      find: () => {
        asked += 1
        return never()
      },
    }
    let now = 0
    ports.clock = () => now
    setTimeout(() => {
      now = 30
    }, 25)
    const messages = range(49).map((shopper) => orderMessageOf({ sale, shopper }))
    expect(await writeOrders(ports, messages, 30)).toHaveLength(49)
    expect(asked).toBe(1)
  })
})
