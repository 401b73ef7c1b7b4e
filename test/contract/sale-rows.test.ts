/** One suite for every source of the rows of a sale's tables. */
import { expect, it } from 'vitest'
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { codeOf } from '../../simulation/memory/counted-coupons.ts'
import { aSale, shopperIdOf } from '../redis/support.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

describeTables('the rows of a sale', (the) => {
  const listed = async (saleId: SaleId, after?: OrderId) => {
    const orders: Order[] = []
    for await (const page of the().rows.orders(saleId, after)) orders.push(...page)
    return orders
  }

  it('are all its orders, whole, cancelled ones included and no other sale’s, from any of them on', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { kind: 'coupon', price: 0, stock: 1000 })
    const other = await openTableSale(rig, { kind: 'coupon', price: 0 })
    const free = { status: 'fulfilled', amount: 0 } as const
    const orders = range(98).map((shopper) =>
      orderOf(sale, shopper, 1, {
        ...free,
        orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key'),
        coupons: [codeOf(shopper)],
      }),
    )
    await write(rig, sale, orders.slice(0, 49))
    await write(rig, sale, orders.slice(49))
    await write(rig, other, [orderOf(other, 1, 1, { ...free, coupons: [codeOf(1)] })])
    const [first] = orders
    if (first === undefined) throw new Error('98 orders were made')
    const back = step(first, 'cancelled', { reason: 'by-marketer' })
    expect(await rig.ledger.change([back])).toEqual({ kind: 'changed' })

    const all = await listed(sale.saleId)
    const byId = (a: Order, b: Order) => (a.orderId < b.orderId ? -1 : 1)
    const expected = [back.to, ...orders.slice(1)].sort(byId)
    expect(all.toSorted(byId).map(withoutPart)).toEqual(expected.map(withoutPart))
    for (const at of [0, 1, 48, 96, 97]) {
      expect(await listed(sale.saleId, all[at]?.orderId), `behind number ${at}`).toEqual(all.slice(at + 1))
    }
  })

  it('are none of a sale without orders', async () => {
    expect(await listed(aSale().saleId)).toEqual([])
  })

  /** Which part of the cap counts an order is up to the writer. */
  const withoutPart = ({ capPart: _, ...order }: Order) => order
})
