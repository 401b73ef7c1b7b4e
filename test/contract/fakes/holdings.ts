/**
 * The holds of orders in memory, by the rules of release.lua, restore.lua, freeze.lua and
 * unfreeze.lua.
 */
import type { FinalOrder } from '../../../core/order.ts'
import type { Holdings } from '../../../functions/repair/ports.ts'
import type { RightfulOrder } from '../../../redis/restore.ts'
import type { Switchable } from '../../../simulation/memory/outage.ts'
import { bookedOn, emptyRecord, type MemoryStock, memoryStock, ordersOf, type StockRecord } from './stock.ts'

/** `stock` is the same Redis as `reserve` uses: its stock, and its outage. */
export type MemoryHoldings = Holdings & Switchable & { stock: MemoryStock }

const pageSize = 200

export function memoryHoldings(stock: MemoryStock = memoryStock()): MemoryHoldings {
  const { records, pass, goDown, comeUp } = stock
  return {
    stock,
    goDown,
    comeUp,
    async release(saleId, finals) {
      pass()
      const record = records.get(saleId)
      if (record === undefined) return { kind: 'unknown-sale' }
      const orders = countingRevisions(record, () => finals.filter((order) => giveBack(record, order)).length)
      return { kind: 'released', orders, stockRevision: record.stockRevision }
    },
    async restore(saleId, orders) {
      pass()
      const record = records.get(saleId)
      if (record === undefined) return { kind: 'unknown-sale' }
      const righted = countingRevisions(record, () => orders.filter((order) => putRight(record, order)))
      const count = new Set(righted.map(({ orderId }) => orderId)).size
      return {
        kind: 'restored',
        orders: count,
        booked: bookedOn(record),
        stockRevision: record.stockRevision,
      }
    },
    async freeze(saleId) {
      pass()
      const record = records.get(saleId) ?? emptyRecord()
      record.frozen = true
      records.set(saleId, record)
    },
    async recount(saleId, { holds, booked }) {
      pass()
      const record = records.get(saleId)
      if (record === undefined) return { kind: 'unknown-sale' }
      if (!record.frozen) return { kind: 'open' }
      // Counted each time, so the booked units always equal the holds here.
      if (holds !== record.holds.size || booked !== bookedOn(record)) return { kind: 'moved' }
      record.heldBack = 0
      return { kind: 'recounted' }
    },
    async unfreeze(sale, minStockRevision, heldBack) {
      pass()
      const record = records.get(sale.saleId)
      if (record === undefined) return { kind: 'unknown-sale' }
      const counters = () => ({
        total: record.total,
        booked: bookedOn(record),
        stockRevision: record.stockRevision,
      })
      if (!record.frozen) return { kind: 'open', ...counters() }
      if (sale.version < (record.sale?.version ?? 0)) return { kind: 'superseded', ...counters() }
      const { lastChange: change = 0, ...definition } = sale
      const stockRevision = Math.max(record.stockRevision, minStockRevision) + 1
      const held = Math.max(0, Math.min(heldBack.units ?? 0, sale.stock - bookedOn(record)))
      Object.assign(record, { sale: definition, total: sale.stock, change, stockRevision, frozen: false })
      Object.assign(record, {
        heldBack: record.heldBack + held,
        heldSince: heldBack.since,
        quietSince: undefined,
      })
      return { kind: 'unfrozen', ...counters() }
    },
    async releaseHeldBack(saleId, { since, keep, quietSince }) {
      pass()
      const record = records.get(saleId)
      if (record === undefined) return { kind: 'unknown-sale' }
      if (record.heldSince !== since) return { kind: 'superseded' }
      record.quietSince = quietSince
      const units = Math.max(0, record.heldBack - keep)
      countingRevisions(record, () => {
        record.heldBack -= units
      })
      return { kind: 'released', units, stockRevision: record.stockRevision }
    },
    async *pages(saleId) {
      pass()
      const held = [...(records.get(saleId)?.holds ?? [])].map(([orderId, hold]) => ({ orderId, ...hold }))
      for (let from = 0; from < held.length; from += pageSize) yield held.slice(from, from + pageSize)
    },
    async count(saleId) {
      pass()
      return records.get(saleId)?.holds.size ?? 0
    },
  }
}

/** Does `work`; units returned to an empty stock make a new revision of it. */
function countingRevisions<T>(record: StockRecord, work: () => T): T {
  const before = bookedOn(record)
  const done = work()
  const cameBack = record.total <= before && record.total > bookedOn(record)
  if (record.total !== -1 && cameBack) record.stockRevision += 1
  return done
}

/** True when the order had a hold. */
function giveBack(record: StockRecord, { orderId, shopperId }: FinalOrder): boolean {
  record.outbox.delete(orderId)
  ordersOf(record, shopperId).set(orderId, 0)
  return record.holds.delete(orderId)
}

/** True when this changed the order's record. */
function putRight(record: StockRecord, { orderId, shopperId, quantity, reservedAt }: RightfulOrder): boolean {
  const orders = ordersOf(record, shopperId)
  const known = orders.get(orderId)
  if (known === 0 || quantity === 0) {
    const held = giveBack(record, { orderId, shopperId })
    return held || known !== 0
  }
  const hadHold = record.holds.has(orderId)
  if (!hadHold) record.holds.set(orderId, { quantity, shopperId, reservedAt })
  if (!hadHold && reservedAt < record.heldSince) record.heldBack = Math.max(0, record.heldBack - quantity)
  if (known === undefined) orders.set(orderId, quantity)
  return !hadHold || known === undefined
}
