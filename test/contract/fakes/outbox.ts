/** The outbox in memory, by the rules of claim-due.lua. */
import type { OrderId } from '../../../core/ids.ts'
import type { Outbox } from '../../../functions/repair/ports.ts'
import type { Switchable } from '../../../simulation/memory/outage.ts'
import { type MemoryStock, memoryStock } from './stock.ts'

/** `stock` is the same Redis as `reserve` uses: its stock, and its outage. */
export type MemoryOutbox = Outbox & Switchable & { stock: MemoryStock }

export function memoryOutbox(stock: MemoryStock = memoryStock()): MemoryOutbox {
  const { records, pass, goDown, comeUp } = stock
  return {
    stock,
    goDown,
    comeUp,
    async *pages(saleId) {
      pass()
      const entries = [...(records.get(saleId)?.outbox ?? [])]
      yield entries.map(([orderId, { message }]) => ({ orderId, body: JSON.stringify(message) }))
    },
    async claimDue(saleId, orderIds, now, minAgeMs) {
      pass()
      const claimed = new Map<OrderId, number>()
      for (const orderId of new Set(orderIds)) {
        const record = records.get(saleId)
        const entry = record?.outbox.get(orderId)
        if (
          record === undefined ||
          entry === undefined ||
          (entry.sentAt !== undefined && now - entry.sentAt < minAgeMs)
        )
          continue
        entry.sends += 1
        entry.sentAt = now
        record.resentAt = now
        claimed.set(orderId, entry.sends)
      }
      return claimed
    },
    async acknowledge(saleId, orderIds) {
      pass()
      for (const orderId of orderIds) records.get(saleId)?.outbox.delete(orderId)
    },
    async size(saleId) {
      pass()
      return records.get(saleId)?.outbox.size ?? 0
    },
  }
}
