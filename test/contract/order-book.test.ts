/** One suite for every order book of `write-orders`; DynamoDB also under parallel writers. */

import { expect, it, vi } from 'vitest'
import type { Sale } from '../../core/sale/sale.ts'
import { dueReleases } from '../../functions/table/orders/releases.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { couponCodeOf } from '../../proof/simulation/parts/coupons.ts'
import { aSale, orderIdOf } from '../redis/support.ts'
import { describeTables, entryOf, openTableSale, orderOf, range } from './table-rig.ts'

const entry = (sale: Sale, shopper: number, order = 1, changes: Parameters<typeof orderOf>[3] = {}) =>
  entryOf(sale, orderOf(sale, shopper, order, changes))

/** For a database that is busy with a megabyte. */
const patience = { timeout: 100_000, interval: 200 }

describeTables('the order book', (the) => {
  const soldOf = async ({ saleId }: Sale) => (await saleTotals(the().table, saleId))?.sold

  it('writes 49 orders at once and reads each back unchanged (O3)', async () => {
    const sale = await openTableSale(the(), { stock: 49 })
    const chunk = range(49).map((shopper) => entry(sale, shopper))
    expect(await the().book.write(chunk)).toEqual({ kind: 'written' })
    expect(await the().ledger.find(orderIdOf(sale.saleId, 33, 1))).toEqual(chunk[32]?.order)
    expect(await soldOf(sale)).toBe(49)
  })

  it('keeps the codes of a coupon order as first written, with any repeat (I5, S7)', async () => {
    const sale = await openTableSale(the(), { stock: 10, kind: 'coupon', price: 0 })
    const free = { status: 'fulfilled', amount: 0, quantity: 2 } as const
    const first = entry(sale, 1, 1, { ...free, coupons: [couponCodeOf(1), couponCodeOf(2)] })
    const repeat = entry(sale, 1, 1, { ...free, coupons: [couponCodeOf(3), couponCodeOf(4)] })
    expect(await the().plainBook.write([first])).toEqual({ kind: 'written' })
    const { orderId } = first.order
    expect(await the().plainBook.write([repeat])).toMatchObject({ duplicates: new Set([orderId]) })
    expect(await the().ledger.find(orderId)).toEqual(first.order)
    expect((await the().ledger.findMany([orderId])).get(orderId)).toEqual(first.order)
  })

  it('writes an order of as many coupons as one order may have', async () => {
    const sale = await openTableSale(the(), { stock: -1, kind: 'coupon', price: 0, limitPerShopper: 1000 })
    const coupons = range(1000).map(couponCodeOf)
    const orders = range(49).map((shopper) =>
      entry(sale, shopper, 1, { status: 'fulfilled', amount: 0, quantity: 1000, coupons }),
    )
    // A megabyte may take longer than the client waits on a busy machine; its messages are then delivered again.
    await vi.waitUntil(async () => (await the().plainBook.write(orders)).kind !== 'unavailable', patience)
    const totals = await saleTotals(the().table, sale.saleId)
    expect(totals).toMatchObject({ sold: 49_000, orders: 49 })
    expect(await the().ledger.find(orderIdOf(sale.saleId, 49, 1))).toMatchObject({ coupons })
  })

  it('has room in one transaction for 48 rejected orders and one that is accepted', async () => {
    const sale = await openTableSale(the(), { stock: 1 })
    const chunk = range(48).map((shopper) => entry(sale, shopper, 1, { status: 'rejected', reason: 'over-cap' }))
    expect(await the().book.write([...chunk, entry(sale, 49)])).toEqual({ kind: 'written' })
    expect(await dueReleases(the().table, sale.saleId)).toHaveLength(48)
  })

  it('refuses to write for a sale without a cap (I6)', async () => {
    const sale = aSale({ stock: 5 })
    await expect(the().book.write([entry(sale, 1)])).rejects.toThrow(/cap/)
    expect(await the().ledger.find(orderIdOf(sale.saleId, 1, 1))).toBeUndefined()
  })
})
