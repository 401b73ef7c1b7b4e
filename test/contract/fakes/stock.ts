/** The stock and its outbox in memory, by the rules of reserve.lua. */
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import type { Sale } from '../../../core/sale.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import type { Purchase, Reservation } from '../../../redis/reserve.ts'
import type { Hold } from '../../../redis/stock.ts'
import type { WarmSale } from '../../../redis/warm.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'

/**
 * What Redis has of one sale: its units and definition, who bought what (0 once given back) and tried when, what is held,
 * and what waits to be sent. A frozen shelf that took the place of a lost one has no definition.
 */
export type Shelf = {
  sale: Sale | undefined
  total: number
  stockRevision: number
  change: number
  frozen: boolean
  heldBack: number
  heldSince: number
  quietSince: number | undefined
  resentAt: number
  buyers: Map<ShopperId, Map<OrderId, number>>
  tries: Map<ShopperId, number[]>
  holds: Map<OrderId, Hold>
  outbox: Map<OrderId, { message: OrderMessage; sends: number; sentAt: number | undefined }>
}

export type Reserver = {
  take: (purchase: Purchase) => Promise<Reservation>
  acknowledge: (saleId: SaleId, orderId: OrderId) => Promise<void>
}

export type MemoryStock = Reserver &
  Switchable & {
    shelves: Map<SaleId, Shelf>
    /** Throws while unavailable: for the other fakes that stand for the same Redis. */
    pass: () => void
    put: (sale: WarmSale) => void
    waiting: (saleId: SaleId) => OrderMessage[]
    booked: (saleId: SaleId) => number
    /** The next purchase takes its units, but its answer never arrives. */
    loseNextReply: () => void
  }

export function emptyShelf(): Shelf {
  return {
    sale: undefined,
    total: 0,
    stockRevision: 0,
    change: 0,
    frozen: false,
    heldBack: 0,
    heldSince: 0,
    quietSince: undefined,
    resentAt: 0,
    buyers: new Map(),
    tries: new Map(),
    holds: new Map(),
    outbox: new Map(),
  }
}

/** Units that cannot be bought: what is held, and what is held back. */
export function bookedOn({ holds, heldBack }: Shelf): number {
  return [...holds.values()].reduce((sum, { quantity }) => sum + quantity, heldBack)
}

/** What the buyer had of the sale, to read and to change. */
export function ordersOf({ buyers }: Shelf, shopperId: ShopperId): Map<OrderId, number> {
  const orders = buyers.get(shopperId) ?? new Map<OrderId, number>()
  buyers.set(shopperId, orders)
  return orders
}

/** Counts a try of the shopper; ms to wait, and nothing counted, when the window is full (R2). */
function countTry({ tries }: Shelf, { throttle }: Sale, shopperId: ShopperId, now: number): number {
  const { limit, windowSeconds } = throttle.perShopper
  const before = tries.get(shopperId) ?? []
  const at = Math.max(now, before.at(-1) ?? 0)
  const kept = before.filter((time) => at - time < windowSeconds * 1000)
  const oldest = kept[kept.length - limit]
  if (oldest !== undefined) return oldest + windowSeconds * 1000 - at
  tries.set(shopperId, [...kept, at])
  return 0
}

export function memoryStock(): MemoryStock {
  const shelves = new Map<SaleId, Shelf>()
  const light = outage('Redis')
  let losing = false

  const decide = (shelf: Shelf | undefined, purchase: Purchase): Reservation => {
    if (shelf === undefined) return { kind: 'unknown-sale' }
    const { sale, total, stockRevision, frozen } = shelf
    const { orderId, saleId, shopperId, quantity, now, requestId, startToken } = purchase
    const booked = bookedOn(shelf)
    const remaining = total === -1 ? -1 : Math.max(0, total - booked)
    const mine = ordersOf(shelf, shopperId)
    const known = mine.get(orderId)
    if (known !== undefined) return { kind: 'repeat', quantity: known, remaining, orderId }
    if (frozen || sale === undefined) return { kind: 'unavailable' }
    if (sale.flag === 'closed' || now >= sale.endsAt) return { kind: 'ended' }
    if (sale.flag === 'paused') return { kind: 'paused' }
    if (sale.flag === 'off' || now < sale.startsAt) return { kind: 'not-started' }
    if (startToken !== sale.startToken) return { kind: 'stale-page' }
    if (quantity < 1) return { kind: 'invalid-request' }
    const bought = [...mine.values()].reduce((sum, units) => sum + units, 0)
    const asksTooMuch = quantity > sale.maxPerOrder
    const isRefused = asksTooMuch || bought + quantity > sale.limitPerShopper
    if (!isRefused && remaining !== -1 && remaining < quantity)
      return { kind: 'sold-out', remaining, stockRevision, booked }
    const retryAfterMs = countTry(shelf, sale, shopperId, now)
    if (retryAfterMs > 0) return { kind: 'too-many-requests', retryAfterMs }
    if (isRefused) return { kind: asksTooMuch ? 'invalid-request' : 'limit-reached' }
    const message = { orderId, saleId, shopperId, quantity, reservedAt: now, requestId, epoch: sale.epoch }
    mine.set(orderId, quantity)
    shelf.holds.set(orderId, { quantity, shopperId, reservedAt: now })
    shelf.outbox.set(orderId, { message, sends: 0, sentAt: undefined })
    const left = remaining === -1 ? -1 : remaining - quantity
    return { kind: 'reserved', quantity, remaining: left, stockRevision, booked: booked + quantity, message }
  }

  return {
    ...light,
    shelves,
    put: (sale) => {
      shelves.set(sale.saleId, { ...emptyShelf(), sale, total: sale.stock, change: sale.lastChange ?? 0 })
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
    async acknowledge(saleId, orderId) {
      light.pass()
      shelves.get(saleId)?.outbox.delete(orderId)
    },
    waiting: (saleId) => [...(shelves.get(saleId)?.outbox.values() ?? [])].map(({ message }) => message),
    booked: (saleId) => {
      const shelf = shelves.get(saleId)
      return shelf === undefined ? 0 : bookedOn(shelf)
    },
    loseNextReply: () => {
      losing = true
    },
  }
}
