/**
 * The holds of orders in memory, by the rules of release.lua, restore.lua, freeze.lua and
 * unfreeze.lua.
 */
import type { FinalOrder } from '../../../core/order.ts'
import type { Holdings } from '../../../functions/repair/ports.ts'
import type { RightfulOrder } from '../../../redis/restore.ts'
import type { Switchable } from '../../../simulation/memory/outage.ts'
import { bookedOn, emptyShelf, type MemoryStock, memoryStock, ordersOf, type Shelf } from './stock.ts'

/** `stock` is the same Redis as `reserve` uses: its stock, and its outage. */
export type MemoryHoldings = Holdings & Switchable & { stock: MemoryStock }

const pageSize = 200

export function memoryHoldings(stock: MemoryStock = memoryStock()): MemoryHoldings {
  const { shelves, pass, goDown, comeUp } = stock
  return {
    stock,
    goDown,
    comeUp,
    async release(saleId, finals) {
      pass()
      const shelf = shelves.get(saleId)
      if (shelf === undefined) return { kind: 'unknown-sale' }
      const orders = countingRevisions(shelf, () => finals.filter((order) => giveBack(shelf, order)).length)
      return { kind: 'released', orders, stockRevision: shelf.stockRevision }
    },
    async restore(saleId, orders) {
      pass()
      const shelf = shelves.get(saleId)
      if (shelf === undefined) return { kind: 'unknown-sale' }
      const righted = countingRevisions(shelf, () => orders.filter((order) => putRight(shelf, order)))
      const count = new Set(righted.map(({ orderId }) => orderId)).size
      return { kind: 'restored', orders: count, booked: bookedOn(shelf), stockRevision: shelf.stockRevision }
    },
    async freeze(saleId) {
      pass()
      const shelf = shelves.get(saleId) ?? emptyShelf()
      shelf.frozen = true
      shelves.set(saleId, shelf)
    },
    async recount(saleId, { holds, booked }) {
      pass()
      const shelf = shelves.get(saleId)
      if (shelf === undefined) return { kind: 'unknown-sale' }
      if (!shelf.frozen) return { kind: 'open' }
      // Counted each time, so the booked units always equal the holds here.
      if (holds !== shelf.holds.size || booked !== bookedOn(shelf)) return { kind: 'moved' }
      shelf.heldBack = 0
      return { kind: 'recounted' }
    },
    async unfreeze(sale, minStockRevision, heldBack) {
      pass()
      const shelf = shelves.get(sale.saleId)
      if (shelf === undefined) return { kind: 'unknown-sale' }
      const counters = () => ({
        total: shelf.total,
        booked: bookedOn(shelf),
        stockRevision: shelf.stockRevision,
      })
      if (!shelf.frozen) return { kind: 'open', ...counters() }
      if (sale.version < (shelf.sale?.version ?? 0)) return { kind: 'superseded', ...counters() }
      const { lastChange: change = 0, ...definition } = sale
      const stockRevision = Math.max(shelf.stockRevision, minStockRevision) + 1
      const held = Math.max(0, Math.min(heldBack.units ?? 0, sale.stock - bookedOn(shelf)))
      Object.assign(shelf, { sale: definition, total: sale.stock, change, stockRevision, frozen: false })
      Object.assign(shelf, {
        heldBack: shelf.heldBack + held,
        heldSince: heldBack.since,
        quietSince: undefined,
      })
      return { kind: 'unfrozen', ...counters() }
    },
    async releaseHeldBack(saleId, { since, keep, quietSince }) {
      pass()
      const shelf = shelves.get(saleId)
      if (shelf === undefined) return { kind: 'unknown-sale' }
      if (shelf.heldSince !== since) return { kind: 'superseded' }
      shelf.quietSince = quietSince
      const units = Math.max(0, shelf.heldBack - keep)
      countingRevisions(shelf, () => {
        shelf.heldBack -= units
      })
      return { kind: 'released', units, stockRevision: shelf.stockRevision }
    },
    async *pages(saleId) {
      pass()
      const held = [...(shelves.get(saleId)?.holds ?? [])].map(([orderId, hold]) => ({ orderId, ...hold }))
      for (let from = 0; from < held.length; from += pageSize) yield held.slice(from, from + pageSize)
    },
    async count(saleId) {
      pass()
      return shelves.get(saleId)?.holds.size ?? 0
    },
  }
}

/** Does `work`; units returned to an empty stock make a new revision of it. */
function countingRevisions<T>(shelf: Shelf, work: () => T): T {
  const before = bookedOn(shelf)
  const done = work()
  const cameBack = shelf.total <= before && shelf.total > bookedOn(shelf)
  if (shelf.total !== -1 && cameBack) shelf.stockRevision += 1
  return done
}

/** True when the order had a hold. */
function giveBack(shelf: Shelf, { orderId, shopperId }: FinalOrder): boolean {
  shelf.outbox.delete(orderId)
  ordersOf(shelf, shopperId).set(orderId, 0)
  return shelf.holds.delete(orderId)
}

/** True when this changed the order's record. */
function putRight(shelf: Shelf, { orderId, shopperId, quantity, reservedAt }: RightfulOrder): boolean {
  const orders = ordersOf(shelf, shopperId)
  const known = orders.get(orderId)
  if (known === 0 || quantity === 0) {
    const held = giveBack(shelf, { orderId, shopperId })
    return held || known !== 0
  }
  const hadHold = shelf.holds.has(orderId)
  if (!hadHold) shelf.holds.set(orderId, { quantity, shopperId, reservedAt })
  if (!hadHold && reservedAt < shelf.heldSince) shelf.heldBack = Math.max(0, shelf.heldBack - quantity)
  if (known === undefined) orders.set(orderId, quantity)
  return !hadHold || known === undefined
}
