/** One suite for every source of the coupons of a whole sale. */
import { expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import type { CouponOrder } from '../../functions/control/coupons-csv.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { codeOf } from '../../simulation/memory/counted-coupons.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

describeTables('the coupons of a sale', (the) => {
  const listed = async (saleId: SaleId, part?: number) => {
    const orders: CouponOrder[] = []
    for await (const page of the().couponOrders.pages(saleId, part)) {
      expect(page.length, 'no page is empty').toBeGreaterThan(0)
      orders.push(...page)
    }
    return orders.sort((a, b) => (a.orderId < b.orderId ? -1 : 1))
  }
  const factsOf = ({ orderId, shopperId, status, writtenAt, coupons = [] }: Order): CouponOrder => ({
    orderId,
    shopperId,
    status,
    writtenAt,
    coupons,
  })

  it('are listed with their orders, cancelled ones included and no other sale’s, whole or page by page', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { kind: 'coupon', price: 0, stock: 1000 })
    const other = await openTableSale(rig, { kind: 'coupon', price: 0 })
    const free = { status: 'fulfilled', amount: 0 } as const
    const orders = range(98).map((shopper) =>
      orderOf(sale, shopper, 1, {
        ...free,
        orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key'),
        quantity: 2,
        coupons: [codeOf(2 * shopper), codeOf(2 * shopper + 1)],
      }),
    )
    await write(rig, sale, orders.slice(0, 49))
    await write(rig, sale, orders.slice(49))
    await write(rig, other, [orderOf(other, 1, 1, { ...free, coupons: [codeOf(1)] })])
    await rig.ledger.reject(orderOf(sale, 99, 1, { status: 'rejected', reason: 'lost' }))
    const [first] = orders
    if (first === undefined) throw new Error('98 orders were made')
    const back = step(first, 'cancelled', { reason: 'by-marketer' })
    expect(await rig.ledger.change([back])).toEqual({ kind: 'changed' })

    const expected = [factsOf(back.to), ...orders.slice(1).map(factsOf)].sort((a, b) =>
      a.orderId < b.orderId ? -1 : 1,
    )
    expect(await listed(sale.saleId)).toEqual(expected)
    const parts = await Promise.all(range(rig.couponOrders.parts, 0).map((part) => listed(sale.saleId, part)))
    expect(parts).toHaveLength(32)
    expect(parts.flat().sort((a, b) => (a.orderId < b.orderId ? -1 : 1))).toEqual(expected)
    for (const part of parts) expect(new Set(part.map(({ orderId }) => orderId.at(-1))).size).toBeLessThan(2)
  })

  it('are empty for a sale of goods, and for a sale without orders', async () => {
    const rig = the()
    const goods = await openTableSale(rig)
    await write(rig, goods, [orderOf(goods, 1)])
    expect(await listed(goods.saleId)).toEqual([])
    expect(await listed(aSale().saleId, 31)).toEqual([])
  })
})
