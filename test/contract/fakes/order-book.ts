/** Orders, buyers' totals and caps in memory; a chunk is written whole or not at all. */
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { Order } from '../../../core/order.ts'
import type { OrderBook } from '../../../functions/write-orders/commit.ts'
import { darkness, type Switchable } from './darkness.ts'

export type MemoryBook = OrderBook &
  Switchable & {
    openCap: (saleId: SaleId, stock: number) => Promise<void>
    find: (orderId: OrderId) => Promise<Order | undefined>
    sold: (saleId: SaleId) => Promise<number>
    /** The next `times` writes meet another transaction. */
    beBusy: (times: number) => void
    /** Transactions asked for, refused ones included. */
    writes: number
  }

type Cap = { remaining: number; sold: number; capped: boolean }

export function memoryOrderBook(): MemoryBook {
  const orders = new Map<OrderId, Order>()
  const totals = new Map<string, number>()
  const caps = new Map<SaleId, Cap>()
  const light = darkness('DynamoDB')
  let busy = 0

  const book: MemoryBook = {
    ...light,
    writes: 0,
    beBusy: (times) => {
      busy = times
    },
    async openCap(saleId, stock) {
      caps.set(saleId, { remaining: stock, sold: 0, capped: stock !== -1 })
    },
    find: async (orderId) => orders.get(orderId),
    sold: async (saleId) => caps.get(saleId)?.sold ?? 0,
    async write(chunk) {
      book.writes += 1
      try {
        light.pass()
      } catch (cause) {
        return { kind: 'dark', cause }
      }
      if (busy > 0) {
        busy -= 1
        return { kind: 'busy' }
      }
      const duplicates = new Set<OrderId>()
      const overLimit = new Set<OrderId>()
      const short = new Map<SaleId, number>()
      const wanted = new Map<SaleId, number>()
      for (const { order, limit } of chunk) {
        const { orderId, saleId, shopperId, quantity, status } = order
        if (orders.has(orderId)) duplicates.add(orderId)
        if (status === 'rejected') continue
        wanted.set(saleId, (wanted.get(saleId) ?? 0) + quantity)
        const total = totals.get(`${saleId} ${shopperId}`) ?? 0
        if (!orders.has(orderId) && total + quantity > limit) overLimit.add(orderId)
      }
      for (const [saleId, quantity] of wanted) {
        const cap = caps.get(saleId)
        if (cap === undefined) throw new Error(`the cap of ${saleId} is missing`)
        if (cap.capped && cap.remaining < quantity) short.set(saleId, cap.remaining)
      }
      if (duplicates.size + overLimit.size + short.size > 0) {
        return { kind: 'refused', duplicates, overLimit, caps: short }
      }
      for (const { order } of chunk) {
        orders.set(order.orderId, order)
        const cap = caps.get(order.saleId)
        if (order.status === 'rejected' || cap === undefined) continue
        const buyer = `${order.saleId} ${order.shopperId}`
        totals.set(buyer, (totals.get(buyer) ?? 0) + order.quantity)
        cap.remaining -= order.quantity
        cap.sold += order.quantity
      }
      return { kind: 'written' }
    },
  }
  return book
}
