/** The stock and its outbox in memory, by the rules of reserve.lua. */
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import type { Sale } from '../../../core/sale.ts'
import type { Outbox, Stock } from '../../../functions/reserve/reserve.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import type { Reservation } from '../../../redis/reserve.ts'
import { darkness, type Switchable } from './darkness.ts'

type Shelf = { sale: Sale; booked: number; byShopper: Map<ShopperId, number>; holds: Map<OrderId, number> }

export type MemoryStock = Stock &
  Outbox &
  Switchable & {
    put: (sale: Sale) => void
    waiting: (saleId: SaleId) => OrderMessage[]
    booked: (saleId: SaleId) => number
    /** The next purchase takes its units, but its answer never arrives. */
    loseNextReply: () => void
  }

export function memoryStock(): MemoryStock {
  const shelves = new Map<SaleId, Shelf>()
  const outbox = new Map<OrderId, OrderMessage>()
  const light = darkness('Redis')
  let losing = false

  const decide = (shelf: Shelf | undefined, purchase: Parameters<Stock['take']>[0]): Reservation => {
    if (shelf === undefined) return { kind: 'unknown-sale' }
    const { sale, booked, byShopper, holds } = shelf
    const remaining = sale.stock === -1 ? -1 : sale.stock - booked
    const held = holds.get(purchase.orderId)
    if (held !== undefined) return { kind: 'repeat', quantity: held, remaining, orderId: purchase.orderId }
    if (sale.flag === 'closed' || purchase.now >= sale.endsAt) return { kind: 'ended' }
    if (sale.flag === 'paused') return { kind: 'paused' }
    if (sale.flag === 'off' || purchase.now < sale.startsAt) return { kind: 'not-started' }
    if (purchase.startToken !== sale.startToken) return { kind: 'stale-page' }
    if (purchase.quantity > sale.maxPerOrder) return { kind: 'invalid-request' }
    const total = (byShopper.get(purchase.shopperId) ?? 0) + purchase.quantity
    if (total > sale.limitPerShopper) return { kind: 'limit-reached' }
    if (remaining !== -1 && remaining < purchase.quantity) return { kind: 'sold-out', remaining, restocks: 0 }
    const { orderId, saleId, shopperId, quantity, now, requestId } = purchase
    const message = { orderId, saleId, shopperId, quantity, reservedAt: now, requestId, epoch: sale.epoch }
    shelf.booked += quantity
    byShopper.set(shopperId, total)
    holds.set(orderId, quantity)
    outbox.set(orderId, message)
    const left = remaining === -1 ? -1 : remaining - quantity
    return { kind: 'reserved', quantity, remaining: left, restocks: 0, message }
  }

  return {
    ...light,
    put: (sale) => {
      shelves.set(sale.saleId, { sale, booked: 0, byShopper: new Map(), holds: new Map() })
    },
    async take(purchase) {
      light.pass()
      const reservation = decide(shelves.get(purchase.saleId), purchase)
      if (losing) {
        losing = false
        throw new RedisUnavailable('the reply was lost')
      }
      return reservation
    },
    async acknowledge(_saleId, orderId) {
      light.pass()
      outbox.delete(orderId)
    },
    waiting: (saleId) => [...outbox.values()].filter((message) => message.saleId === saleId),
    booked: (saleId) => shelves.get(saleId)?.booked ?? 0,
    loseNextReply: () => {
      losing = true
    },
  }
}
