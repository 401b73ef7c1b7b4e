import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { readCounts } from '../../../proof/stock-counts.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { shopperField, stockKeys } from '../../../redis/keys.ts'
import { type ExpectedOrder, restore } from '../../../redis/orders/restore.ts'
import { ordersOfShopper, readHold } from '../../../redis/stock/stock.ts'
import { aPurchase, aSale, aWarmSale, orderIdOf, raw, shopperIdOf, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const warmed = (changes?: Partial<Sale>) => aWarmSale(rig.redis, changes)

/** Order `order` of `shopper` as the table of orders knows it. */
const anOrder = (sale: Sale, shopper: number, quantity: number, order = 1): ExpectedOrder => ({
  orderId: orderIdOf(sale.saleId, shopper, order),
  shopperId: shopperIdOf(shopper),
  quantity,
  reservedAt: 5_000,
})

describe('restoring orders', () => {
  it('writes them as a reservation does', async () => {
    const [sale, twin] = [await warmed({ limitPerShopper: 3 }), await warmed({ limitPerShopper: 3 })]
    for (const order of [1, 2]) await reserve(rig.redis, aPurchase(sale, 1, order))
    await restore(rig.redis, twin.saleId, [anOrder(twin, 1, 1, 1), anOrder(twin, 1, 1, 2)])
    const read = ({ saleId }: Sale) => raw(rig.redis, 'HGET', stockKeys(saleId).stock, shopperField(shopperIdOf(1)))
    expect(await read(twin)).toEqual(await read(sale))
  })

  it('gives an order that holds other units its own, and no other order of its shopper (I4)', async () => {
    const sale = await warmed({ limitPerShopper: 5, maxPerOrder: 3 })
    for (const [order, quantity] of [3, 1, 1].entries())
      await reserve(rig.redis, aPurchase(sale, 1, order, { quantity }))
    expect(await restore(rig.redis, sale.saleId, [anOrder(sale, 1, 1, 0)])).toMatchObject({ orders: 1, booked: 3 })
    const held = await ordersOfShopper(rig.redis, sale.saleId, shopperIdOf(1))
    expect(held.map(({ quantity }) => quantity)).toEqual([1, 1, 1])
  })

  it.each([
    ['the standing one first', [2, 0]],
    ['the final one first', [0, 2]],
    ['twice the same', [2, 2]],
  ])('of one order listed twice counts it once, %s', async (_, quantities) => {
    const sale = await warmed()
    const orders = quantities.map((quantity) => anOrder(sale, 1, quantity))
    const booked = quantities.includes(0) ? 0 : 2
    expect(await restore(rig.redis, sale.saleId, orders)).toMatchObject({ orders: 1, booked })
    const books = await readCounts(rig.redis, sale.saleId)
    expect(books?.booked).toBe(booked)
    expect(books?.holds).toHaveLength(booked === 0 ? 0 : 1)
    expect(await ordersOfShopper(rig.redis, sale.saleId, shopperIdOf(1))).toMatchObject([
      { orderId: orderIdOf(sale.saleId, 1, 1), quantity: booked },
    ])
  })

  it('reports an unknown sale and creates nothing (S18)', async () => {
    const sale = aSale()
    expect(await restore(rig.redis, sale.saleId, [anOrder(sale, 1, 1)])).toEqual({ kind: 'unknown-sale' })
    expect(await readCounts(rig.redis, sale.saleId)).toBeUndefined()
    expect(await readHold(rig.redis, orderIdOf(sale.saleId, 1, 1), shopperIdOf(1))).toBeUndefined()
  })

  it('accepts two hundred orders at once, and rejects more and invalid quantities', async () => {
    const sale = await warmed({ stock: 300 })
    const orders = Array.from({ length: maxOrdersPerCall + 1 }, (_, shopper) => anOrder(sale, shopper, 1))
    await expect(restore(rig.redis, sale.saleId, orders)).rejects.toThrow(RangeError)
    const some = orders.slice(0, maxOrdersPerCall)
    expect(await restore(rig.redis, sale.saleId, some)).toMatchObject({ orders: 200, booked: 200 })
    expect(await restore(rig.redis, sale.saleId, [])).toMatchObject({ orders: 0, booked: 200 })
    for (const quantity of [-1, 1.5, Number.NaN]) {
      const odd = restore(rig.redis, sale.saleId, [anOrder(sale, 1, quantity)])
      await expect(odd).rejects.toThrow(RangeError)
    }
  })
})
