/** An order on its way into the table, and how orders are put together into transactions. */
import type { Order } from '../../core/order.ts'

/**
 * `messageIds` are all the messages that asked for this order. `limit` is the sale's limit per shopper;
 * `capped` is false for an unlimited stock.
 */
export type Entry = { order: Order; messageIds: readonly string[]; limit: number; capped: boolean }

/** Items DynamoDB takes in one transaction. */
const maxItems = 100

/** An order costs two items (itself and its buyer's total), a sale in the transaction one (its cap). */
const itemsPerOrder = 2
const itemsPerSale = 1

/** Orders of one sale that fill one transaction: 49. The batch size of the queue's event source. */
export const fullBatch = Math.floor((maxItems - itemsPerSale) / itemsPerOrder)

/**
 * Groups that each fit one transaction: within the item limit, and no shopper twice in one sale, because an
 * item may appear only once. 49 orders of one sale make 99 items.
 */
export function chunksOf(entries: readonly Entry[]): Entry[][] {
  const chunks: Array<{ entries: Entry[]; keys: Set<string>; items: number }> = []
  for (const entry of entries) {
    const { saleId, shopperId } = entry.order
    const buyer = `${saleId}#${shopperId}`
    const cost = (keys: ReadonlySet<string>) => itemsPerOrder + (keys.has(saleId) ? 0 : itemsPerSale)
    let chunk = chunks.find(({ keys, items }) => !keys.has(buyer) && items + cost(keys) <= maxItems)
    if (chunk === undefined) {
      chunk = { entries: [], keys: new Set(), items: 0 }
      chunks.push(chunk)
    }
    chunk.items += cost(chunk.keys)
    chunk.keys.add(saleId).add(buyer)
    chunk.entries.push(entry)
  }
  return chunks.map((chunk) => chunk.entries)
}
