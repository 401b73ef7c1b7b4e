/** The list of a sale's orders by time, on every table: whole, in order, in pages of any size, also where many share a moment. */
import { expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import type { Order, OrderStatus } from '../../core/orders/order.ts'
import type { OrderPlace } from '../../core/orders/order-page.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { findOrderOfNumber, withOrderNumbers } from '../../functions/table/orders/order-numbers.ts'
import { findWrittenOrder } from '../../functions/table/orders/orders.ts'
import { type OrderFilter, ordersByTime } from '../../functions/table/orders/orders-by-time.ts'
import { shopperIdOf } from '../redis/support.ts'
import { describeTables, openTableSale, orderOf, range, step, write } from './table-rig.ts'

describeTables('orders by time', (the) => {
  it('are listed once each, the last reserved first, in pages of any size and by status', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 400 })
    // Seven share each moment, so pages end between orders of one moment.
    const orders = range(196).map((shopper) =>
      orderOf(sale, shopper, 1, {
        orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key'),
        reservedAt: 5_000 + Math.floor(shopper / 7),
      }),
    )
    for (let start = 0; start < orders.length; start += 49) await write(rig, sale, orders.slice(start, start + 49))
    const ended = orders.filter((_, at) => at % 40 === 3)
    for (const order of ended) await rig.ledger.change([step(order, 'cancelled', { reason: 'unpaid' })])

    const inOrder = (some: readonly Order[]) =>
      some
        .toSorted((a, b) => b.reservedAt - a.reservedAt || (a.orderId < b.orderId ? 1 : -1))
        .map(({ orderId }) => orderId)
    async function listed(limit: number, status?: OrderStatus, more: OrderFilter = {}): Promise<OrderId[]> {
      const filter = { ...more, status }
      const found: OrderId[] = []
      let before: OrderPlace | undefined
      do {
        const page = await ordersByTime(rig.table, sale.saleId, { limit, ...filter, before })
        expect(page.places.length).toBeLessThanOrEqual(limit)
        if (page.next !== undefined && filter.dispute === undefined && filter.variant === undefined)
          expect(page.places).toHaveLength(limit)
        found.push(...page.places.map(({ orderId }) => orderId))
        before = page.next
      } while (before !== undefined)
      return found
    }
    for (const limit of [1, 10, 50, 100]) expect(await listed(limit), `${limit}`).toEqual(inOrder(orders))
    expect(await listed(2, 'cancelled')).toEqual(inOrder(ended))
    expect(await listed(10, 'refunded')).toEqual([])
    expect(await listed(10, undefined, { dispute: 'open' })).toEqual([])
    expect(await listed(10, undefined, { variant: 'red' })).toEqual([])
  })

  it('have numbers that no two share, and are found by them, with several writers', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 400 })
    const writers = [1, 2].map(() => withOrderNumbers(rig.table, rig.newWriter()))
    const orders = range(150).map((shopper) =>
      orderOf(sale, shopper, 1, { orderId: deriveOrderId(sale.saleId, shopperIdOf(shopper), 'key') }),
    )
    const written = new Set<string>()
    for (let start = 0; start < orders.length; start += 30) {
      const chunk = orders
        .slice(start, start + 30)
        .map((order) => ({ order, messageIds: ['m'], limit: sale.limitPerShopper, capped: true }))
      // A repeat is a duplicate, and the number of the first write stays.
      for (const writer of start % 60 === 0 ? writers : writers.toReversed()) await writer.write(chunk)
    }
    for (const { orderId } of orders) {
      const order = await findWrittenOrder(rig.table, orderId)
      if (order?.orderNumber === undefined) throw new Error(`${orderId} has no number`)
      written.add(order.orderNumber)
      expect((await findOrderOfNumber(rig.table, order.orderNumber))?.orderId).toBe(orderId)
    }
    expect(written.size).toBe(orders.length)
  })
})
