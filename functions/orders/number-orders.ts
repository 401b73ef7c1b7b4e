/** An order book that gives each order the number that people call it by; a red packet has one of its own. */
import { orderNumberOf } from '../../core/orders/order-number.ts'
import type { Table } from '../lib/shop/table.ts'
import type { OrderBook } from '../table/orders/order-book.ts'
import { takeOrderCounts } from '../table/orders/order-numbers.ts'

/** Counts that a writer takes at once: two batches of orders need one call. */
const atOnce = 100

/** The first write of an order decides its number: that of a repeat is never stored. Numbers are unique, with gaps. */
export function numberOrders(table: Table, book: OrderBook): OrderBook {
  let free = { next: 0, end: 0 }

  return {
    async write(chunk) {
      const named = chunk.filter(({ order }) => order.packet === undefined).length
      if (free.end - free.next < named) {
        const size = Math.max(named, atOnce)
        const taken = await takeOrderCounts(table, size)
        if (taken.kind !== 'taken') return taken
        free = { next: taken.first, end: taken.first + size }
      }
      return book.write(
        chunk.map((entry) => {
          const { order } = entry
          if (order.packet !== undefined) return entry
          return { ...entry, order: { ...order, orderNumber: orderNumberOf(free.next++) } }
        }),
      )
    },
  }
}
