/** One suite for every table that finds the order of a coupon code. */

import { expect, it } from 'vitest'
import { parseIdempotencyKey } from '../../core/ids.ts'
import { redeemedCount } from '../../core/orders/redemption.ts'
import { generateCoupons } from '../../functions/orders/new-order.ts'
import { orderOfCoupon } from '../../functions/table/orders/coupon-orders.ts'
import { readPaidOrders } from '../../functions/table/orders/paid-orders.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

const couponSale = { kind: 'coupon', price: 0, stock: -1, limitPerShopper: 1000, maxPerOrder: 1000 } as const

describeTables('the orders of coupon codes', (the) => {
  const anOrder = (sale: Parameters<typeof orderOf>[0], shopper: number, quantity: number) =>
    orderOf(sale, shopper, 1, { quantity, amount: 0, status: 'fulfilled', coupons: generateCoupons(quantity) })

  it('are found by every code, however many the order has (S7)', async () => {
    const sale = await openTableSale(the(), couponSale)
    const large = anOrder(sale, 1, 1000)
    const small = range(20, 2).map((shopper) => anOrder(sale, shopper, 3))
    await write(the(), sale, [large])
    await write(the(), sale, small)
    for (const { orderId, coupons = [] } of [large, ...small]) {
      for (const code of [coupons.at(0), coupons.at(-1), coupons.at(coupons.length >> 1)]) {
        if (code === undefined) throw new Error('the order has no codes')
        expect(await orderOfCoupon(the().table, code)).toBe(orderId)
      }
      expect((await the().ledger.find(orderId))?.coupons).toEqual(coupons)
    }
    const [unknown] = generateCoupons(1)
    expect(unknown && (await orderOfCoupon(the().table, unknown))).toBeUndefined()
  })

  it('count what is redeemed of a sale with the order that changes (S7)', async () => {
    const sale = await openTableSale(the(), couponSale)
    const orders = range(3).map((shopper) => anOrder(sale, shopper, 2))
    await write(the(), sale, orders)
    const [first, second] = orders
    const [code] = first?.coupons ?? []
    if (first === undefined || second === undefined || code === undefined) throw new Error('nothing was issued')
    const key = parseIdempotencyKey('request-1')
    if (key === undefined) throw new Error('that is no key')
    const redemption = { code, shop: 'till', key, at: 7_000 }
    const redeemed = step(first, 'fulfilled', { redemptions: [redemption] })
    expect(await the().ledger.change([redeemed])).toEqual({ kind: 'changed' })
    expect(await the().ledger.change([redeemed]), 'a repeat').toMatchObject({ kind: 'stale' })
    expect(await readPaidOrders(the().table, sale.saleId)).toMatchObject({ orders: 0, refunded: 0, redeemed: 1 })
    const found = await the().ledger.find(first.orderId)
    expect(found && redeemedCount(found)).toBe(1)
    const undone = step(redeemed.to, 'fulfilled', { redemptions: [{ ...redemption, undoneAt: 8_000 }] })
    await the().ledger.change([undone])
    expect((await readPaidOrders(the().table, sale.saleId)).redeemed).toBe(0)
  })
})
