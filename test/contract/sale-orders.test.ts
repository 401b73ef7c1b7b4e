/** One suite for every source of a whole sale's orders. */
import { expect, it } from 'vitest'
import type { OrderId, SaleId } from '../../core/ids.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import type { ListedOrder } from '../../functions/orders/order-ledger.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

describeTables('a whole sale', (the) => {
  const listed = async (saleId: SaleId) => {
    const orders: ListedOrder[] = []
    for await (const page of the().saleOrders.pages(saleId)) {
      expect(page.length, 'no page is empty').toBeGreaterThan(0)
      orders.push(...page)
    }
    return orders
  }

  it('has no totals before its stock is warmed (S4)', async () => {
    expect(await the().saleOrders.totals(aSale().saleId)).toBeUndefined()
  })

  it('counts units and orders, and what is left after a restock (I1, G7)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 10, limitPerShopper: 4 })
    expect(await rig.saleOrders.totals(sale.saleId)).toEqual({ remaining: 10, sold: 0, orders: 0 })
    await write(rig, sale, [orderOf(sale, 1, 1, { quantity: 4 }), orderOf(sale, 2, 1, { quantity: 3 })])
    await rig.addToCap(sale.saleId, 5)
    expect(await rig.saleOrders.totals(sale.saleId)).toEqual({ remaining: 8, sold: 7, orders: 2 })
  })

  it('has no remaining count when it is unlimited (S4)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: -1 })
    await write(rig, sale, [orderOf(sale, 1, 1, { quantity: 2 })])
    expect(await rig.saleOrders.totals(sale.saleId)).toEqual({ remaining: -1, sold: 2, orders: 1 })
  })

  it('is listed completely, each order once, and no other sale’s (I4)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 300 })
    const other = await openTableSale(rig, { stock: 10 })
    const orders = range(300).map((shopper) =>
      orderOf(sale, shopper, 1, {
        orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key'),
        reservedAt: 5_000 + shopper,
      }),
    )
    for (let start = 0; start < 300; start += 49) await write(rig, sale, orders.slice(start, start + 49))
    await write(rig, other, [orderOf(other, 1)])
    const [first] = orders
    if (first === undefined) throw new Error('300 orders were made')
    await rig.ledger.change([step(first, 'cancelled', { reason: 'unpaid' })])
    const rejected = orderOf(sale, 301, 1, { status: 'rejected', reason: 'lost', quantity: 2 })
    await rig.ledger.reject(rejected)

    const byId = (a: { orderId: OrderId }, b: { orderId: OrderId }) => (a.orderId < b.orderId ? -1 : 1)
    const expected = [...orders.map((order) => (order === first ? { ...order, status: 'cancelled' } : order))]
      .concat(rejected)
      .map(({ orderId, shopperId, quantity, status, reservedAt }) => ({
        orderId,
        shopperId,
        quantity,
        status,
        reservedAt,
      }))
    expect((await listed(sale.saleId)).sort(byId)).toEqual(expected.sort(byId))
    expect(await listed(other.saleId)).toHaveLength(1)
  })

  it('has no pages when it has no orders', async () => {
    expect(await listed(aSale().saleId)).toEqual([])
  })

  it('may be stopped in the middle', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 40 })
    await write(
      rig,
      sale,
      range(40).map((shopper) => orderOf(sale, shopper, shopper)),
    )
    for await (const page of rig.saleOrders.pages(sale.saleId)) {
      expect(page.length).toBeGreaterThan(0)
      break
    }
  })
})
