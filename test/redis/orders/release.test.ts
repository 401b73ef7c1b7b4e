import { describe, expect, it } from 'vitest'
import { defaultThrottle, type Sale } from '../../../core/sale/sale.ts'
import { readCounts } from '../../../proof/stock-counts.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import { shopperField, stockKeys } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { aPurchase, aWarmSale, everythingOf, orderIdOf, raw, shopperIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const warmed = (changes?: Partial<Sale>) => aWarmSale(rig.redis, changes)

const everything = (sale: Sale) => everythingOf(rig.redis, sale.saleId)

/** One order of `quantity` units by each of the first `shoppers`. */
async function sold(sale: Sale, shoppers: number, quantity = 1) {
  const purchases = Array.from({ length: shoppers }, (_, shopper) => aPurchase(sale, shopper + 1, 1, { quantity }))
  await Promise.all(purchases.map((purchase) => reserve(rig.redis, purchase)))
  return purchases.map(({ orderId, shopperId }) => ({ orderId, shopperId }))
}

describe('releasing units', () => {
  it('of one order named twice in one call releases them once', async () => {
    const sale = await warmed()
    const [order] = await sold(sale, 1, 2)
    if (order === undefined) throw new Error('an order was made')
    const released = await release(rig.redis, sale.saleId, [order, order])
    expect(released).toMatchObject({ kind: 'released', orders: 1 })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ booked: 0, available: 10 })
  })

  it('without a hold releases nothing (S19, O9)', async () => {
    const sale = await warmed()
    await sold(sale, 1)
    const before = await readCounts(rig.redis, sale.saleId)
    const unknown = { orderId: orderIdOf(sale.saleId, 7, 1), shopperId: shopperIdOf(7) }
    expect(await release(rig.redis, sale.saleId, [unknown])).toEqual({ kind: 'released', orders: 0, stockRevision: 0 })
    expect(await readCounts(rig.redis, sale.saleId)).toEqual({ ...before, buyers: 2 })
  })

  it('keeps the record of a shopper short who buys and cancels 1,500 times (I5)', async () => {
    const sale = await warmed({ throttle: { ...defaultThrottle, perShopper: { limit: 1000, windowSeconds: 1 } } })
    const size = async () =>
      String(await raw(rig.redis, 'HGET', stockKeys(sale.saleId).stock, shopperField(shopperIdOf(1)))).length
    const purchases = Array.from({ length: 1500 }, (_, order) => ({
      ...aPurchase(sale, 1, order + 1),
      now: sale.startsAt + 1 + 2 * order,
    }))
    const kinds = new Map<string, number>()
    for (const purchase of purchases) {
      const { kind } = await reserve(rig.redis, purchase)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (kind === 'reserved') await release(rig.redis, sale.saleId, [purchase])
    }
    // Only what was taken and released is remembered; the times of tries expire with their window.
    expect(await size()).toBeLessThan(16 * 1000 + 30 * 64)
    expect(kinds).toEqual(
      new Map([
        ['reserved', 30],
        ['limit-reached', 1470],
      ]),
    )
    // Nothing is lost: every old request still finds its order.
    for (const purchase of purchases.slice(0, 30)) {
      expect(await reserve(rig.redis, purchase)).toMatchObject({ kind: 'repeat', quantity: 0 })
    }
    expect(await readCounts(rig.redis, sale.saleId)).toMatchObject({ booked: 0, holds: [], outbox: 0 })
    // Another shopper buys as before.
    expect(await reserve(rig.redis, aPurchase(sale, 2))).toMatchObject({ kind: 'reserved' })
  })

  it('of an order of another sale is rejected before anything is sent', async () => {
    const [sale, other] = [await warmed(), await warmed()]
    await sold(sale, 1)
    const theirs = await sold(other, 1)
    const before = [await everything(sale), await everything(other)]
    await expect(release(rig.redis, sale.saleId, theirs)).rejects.toThrow(RangeError)
    expect([await everything(sale), await everything(other)]).toEqual(before)
  })

  it('removes a message that was given up, even if it was sent again before (O7)', async () => {
    const sale = await warmed()
    const orders = await sold(sale, 1)
    const { outbox } = stockKeys(sale.saleId)
    const [word = '', message = ''] = [await raw(rig.redis, 'HGETALL', outbox)].flat().map(String)
    await raw(rig.redis, 'HSET', outbox, word, `3 000000000009000 ${message}`)
    await release(rig.redis, sale.saleId, orders)
    expect(await raw(rig.redis, 'HLEN', outbox)).toBe(0)
  })

  it('reports an unknown sale, and creates nothing after FLUSHALL (S18, P10)', async () => {
    const sale = await warmed()
    const orders = await sold(sale, 1)
    await raw(rig.redis, 'FLUSHALL')
    expect(await release(rig.redis, sale.saleId, orders)).toEqual({ kind: 'unknown-sale' })
    expect(await raw(rig.redis, 'DBSIZE')).toBe(0)
  })

  it('accepts two hundred orders at once and rejects more, before anything is sent', async () => {
    const sale = await warmed({ stock: 300 })
    const orders = await sold(sale, maxOrdersPerCall + 1)
    await expect(release(rig.redis, sale.saleId, orders)).rejects.toThrow(RangeError)
    const released = await release(rig.redis, sale.saleId, orders.slice(0, maxOrdersPerCall))
    expect(released).toMatchObject({ orders: maxOrdersPerCall })
    expect(await release(rig.redis, sale.saleId, [])).toEqual({ kind: 'released', orders: 0, stockRevision: 0 })
    expect(await readCounts(rig.redis, sale.saleId)).toMatchObject({ booked: 1, outbox: 1 })
  })

  it('releases nothing when one record is malformed: all or none', async () => {
    const sale = await warmed()
    const orders = await sold(sale, 2)
    const { stock } = stockKeys(sale.saleId)
    const second = shopperField(shopperIdOf(2))
    const record = String(await raw(rig.redis, 'HGET', stock, second))
    await raw(rig.redis, 'HSET', stock, second, record.replace('"units":1', '"units":"nonsense"'))
    const before = await everything(sale)
    await expect(release(rig.redis, sale.saleId, orders)).rejects.toThrow(UnexpectedReply)
    expect(await everything(sale)).toEqual(before)
  })
})

it.each([
  ['not a release of an unlimited stock', { stock: -1, sold: 1, total: -1, calls: [1], revisions: [0] }],
  [
    'not a release while more is booked than exists',
    { stock: 3, sold: 3, total: 1, calls: [1, 1, 1], revisions: [0, 0, 1] },
  ],
  ['a release of more than is booked beyond the units', { stock: 10, sold: 10, total: 8, calls: [3], revisions: [1] }],
])('a restock is %s (O9, G7)', async (_what, { stock, sold: count, total, calls, revisions }) => {
  const sale = await warmed({ stock })
  const orders = await sold(sale, count)
  if (total !== stock) {
    const fields = ['total', String(total), 'booked', String(count)] as const
    await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, ...fields)
  }
  for (const [nth, some] of calls.entries()) {
    const released = await release(rig.redis, sale.saleId, orders.splice(0, some))
    expect(released).toEqual({ kind: 'released', orders: some, stockRevision: revisions[nth] })
  }
  expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ total, booked: orders.length })
})
