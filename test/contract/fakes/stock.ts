/** The stock and its outbox in memory, by the rules of reserve.lua. */
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/order-message.ts'
import type { Sale } from '../../../core/sale.ts'
import type { Outbox } from '../../../functions/buy/dispatch.ts'
import type { Stock } from '../../../functions/buy/reserve.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import type { Reservation } from '../../../redis/reserve.ts'
import type { Hold } from '../../../redis/stock.ts'
import type { WarmSale } from '../../../redis/warm.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'

/**
 * One sale in Redis: its units and definition, its buyers (0 once cancelled) and their tries, the
 * holds, and the outbox. A frozen stock that replaced a lost one has no definition.
 */
export type StockRecord = {
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

export type MemoryStock = Stock &
  Outbox<OrderId> &
  Switchable & {
    records: Map<SaleId, StockRecord>
    /** Throws while unavailable: for the other fakes of the same Redis. */
    pass: () => void
    put: (sale: WarmSale) => void
    waiting: (saleId: SaleId) => OrderMessage[]
    booked: (saleId: SaleId) => number
    /** The next request takes its units, but its answer is lost. */
    loseNextReply: () => void
  }

export function emptyRecord(): StockRecord {
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

/** Units that cannot be bought: those of holds, and those held back. */
export function bookedOn({ holds, heldBack }: StockRecord): number {
  return [...holds.values()].reduce((sum, { quantity }) => sum + quantity, heldBack)
}

/** The buyer's record in the sale, for reading and changing. */
export function ordersOf({ buyers }: StockRecord, shopperId: ShopperId): Map<OrderId, number> {
  const orders = buyers.get(shopperId) ?? new Map<OrderId, number>()
  buyers.set(shopperId, orders)
  return orders
}

/**
 * Counts a try of the shopper; when the window is full it counts nothing and returns the wait in ms
 * (R2).
 */
function countTry({ tries }: StockRecord, { throttle }: Sale, shopperId: ShopperId, now: number): number {
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
  const records = new Map<SaleId, StockRecord>()
  const light = outage('Redis')
  let losing = false

  const decide = (record: StockRecord | undefined, purchase: Parameters<Stock['take']>[0]): Reservation => {
    if (record === undefined) return { kind: 'unknown-sale' }
    const { sale, total, stockRevision, frozen } = record
    const { orderId, saleId, shopperId, quantity, now, requestId, startToken } = purchase
    const booked = bookedOn(record)
    const remaining = total === -1 ? -1 : Math.max(0, total - booked)
    const mine = ordersOf(record, shopperId)
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
    const retryAfterMs = countTry(record, sale, shopperId, now)
    if (retryAfterMs > 0) return { kind: 'too-many-requests', retryAfterMs }
    if (isRefused) return { kind: asksTooMuch ? 'invalid-request' : 'limit-reached' }
    const message = { orderId, saleId, shopperId, quantity, reservedAt: now, requestId, epoch: sale.epoch }
    mine.set(orderId, quantity)
    record.holds.set(orderId, { quantity, shopperId, reservedAt: now })
    record.outbox.set(orderId, { message, sends: 0, sentAt: undefined })
    const left = remaining === -1 ? -1 : remaining - quantity
    return { kind: 'reserved', quantity, remaining: left, stockRevision, booked: booked + quantity, message }
  }

  return {
    ...light,
    records,
    put: (sale) => {
      records.set(sale.saleId, { ...emptyRecord(), sale, total: sale.stock, change: sale.lastChange ?? 0 })
    },
    async take(purchase) {
      light.pass()
      const reservation = decide(records.get(purchase.saleId), purchase)
      if (losing) {
        losing = false
        throw new RedisUnavailable('the reply was lost')
      }
      return reservation
    },
    async acknowledge(saleId, orderId) {
      light.pass()
      records.get(saleId)?.outbox.delete(orderId)
    },
    waiting: (saleId) => [...(records.get(saleId)?.outbox.values() ?? [])].map(({ message }) => message),
    booked: (saleId) => {
      const record = records.get(saleId)
      return record === undefined ? 0 : bookedOn(record)
    },
    loseNextReply: () => {
      losing = true
    },
  }
}
