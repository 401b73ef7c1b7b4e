/** One suite for every source of a whole sale's orders: in short for the repair, whole for the tables of the console. */

import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { type OrderId, orderQuarters, type SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { orderItem } from '../../functions/table/orders/order-item.ts'
import { reportedOrder } from '../../functions/table/orders/reported-order.ts'
import { saleOrderPages, saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { orderRows, reportedOrderRows } from '../../functions/table/sale/sale-rows.ts'
import { couponCodeOf } from '../../proof/simulation/parts/coupons.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

const byId = (a: { orderId: OrderId }, b: { orderId: OrderId }) => (a.orderId < b.orderId ? -1 : 1)

async function all<One>(pages: AsyncIterable<readonly One[]>): Promise<One[]> {
  const found: One[] = []
  for await (const page of pages) found.push(...page)
  return found
}

describeTables('a whole sale', (the) => {
  const listed = (saleId: SaleId) => all(saleOrderPages(the().table, saleId))
  const rows = (saleId: SaleId, after?: OrderId) => all(orderRows(the().table, saleId, after))

  it('is listed completely, each order once and no other sale’s, from any order on (I4)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { kind: 'coupon', price: 0, stock: 300 })
    const other = await openTableSale(rig, { kind: 'coupon', price: 0 })
    const free = (shopper: number) => ({ status: 'fulfilled', amount: 0, coupons: [couponCodeOf(shopper)] }) as const
    const orders = range(300).map((shopper) =>
      orderOf(sale, shopper, 1, {
        ...free(shopper),
        orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key'),
        reservedAt: 5_000 + shopper,
      }),
    )
    for (let start = 0; start < 300; start += 49) await write(rig, sale, orders.slice(start, start + 49))
    await write(rig, other, [orderOf(other, 1, 1, free(999))])
    const [first = orderOf(sale, 0), ...rest] = orders
    const cancelled = step(first, 'cancelled', { reason: 'unpaid' })
    await rig.ledger.change([cancelled])
    const rejected = orderOf(sale, 301, 1, { status: 'rejected', reason: 'undeliverable', quantity: 2 })
    await rig.ledger.reject(rejected)
    for await (const page of saleOrderPages(rig.table, sale.saleId)) expect(page, 'no page is empty').not.toEqual([])

    const expected = [cancelled.to, rejected, ...rest].sort(byId)
    const inShort = ({ orderId, shopperId, quantity, status, reservedAt }: Order) => {
      return { orderId, shopperId, quantity, status, reservedAt }
    }
    expect((await listed(sale.saleId)).sort(byId)).toEqual(expected.map(inShort))
    expect(await listed(other.saleId)).toHaveLength(1)
    // The writer chooses the part of the cap that counts an order.
    const withoutPart = ({ capPart: _, ...order }: Order) => order
    const found = await rows(sale.saleId)
    expect(found.toSorted(byId).map(withoutPart)).toEqual(expected.map(withoutPart))
    const reported = await all(reportedOrderRows(rig.table, sale.saleId))
    expect(reported.toSorted(byId)).toEqual(found.map(reportedOrder).toSorted(byId))
    const inQuarters = orderQuarters.map((quarter) =>
      Promise.all([
        all(reportedOrderRows(rig.table, sale.saleId, undefined, quarter)),
        all(orderRows(rig.table, sale.saleId, undefined, quarter)),
      ]),
    )
    const read = await Promise.all(inQuarters)
    expect(read.flatMap(([short]) => short)).toEqual(reported)
    expect(read.flatMap(([, whole]) => whole)).toEqual(found)
    expect(Math.min(...read.map(([short]) => short.length))).toBeGreaterThan(0)
    for (const at of [0, 1, 150, 299, 300]) {
      const behind = await all(reportedOrderRows(rig.table, sale.saleId, reported[at]))
      expect(behind, `behind number ${at}`).toEqual(reported.slice(at + 1))
      expect(await rows(sale.saleId, found[at]?.orderId), `behind number ${at}`).toEqual(found.slice(at + 1))
    }
  })

  it('has for a report also orders whose line another version wrote (S4)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { price: 100, stock: 9 })
    const orders = range(9).map((shopper) =>
      orderOf(sale, shopper, 1, { orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key') }),
    )
    await write(rig, sale, orders)
    const { client, name } = rig.table
    for (const [at, order] of orders.entries()) {
      const { reported: _, ...earlier } = orderItem(order)
      const reported = ['0 of another version', undefined, orderItem(order).reported][at % 3]
      await client.send(
        new PutCommand({ TableName: name, Item: { ...earlier, ...(reported !== undefined && { reported }) } }),
      )
    }
    const reported = await all(reportedOrderRows(rig.table, sale.saleId))
    expect(reported.toSorted(byId)).toEqual(orders.map(reportedOrder).toSorted(byId))
  })

  it('has neither totals nor orders before its stock is warmed (S4)', async () => {
    const { saleId } = aSale()
    expect(await saleTotals(the().table, saleId)).toBeUndefined()
    expect([await listed(saleId), await rows(saleId)]).toEqual([[], []])
  })
})
