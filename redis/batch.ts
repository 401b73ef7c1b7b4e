/** Sends many orders to a script in one JSON argument, so that scripts need no unbounded argument list. */
import { slicesOf } from '../core/lib/slices.ts'

/** Scripts unpack orders onto a bounded stack, and Redis serves no other client meanwhile. */
export const maxOrdersPerCall = 200

/** Returns `items` as one JSON argument. @throws RangeError for more than `maxOrdersPerCall` */
export function inOneArgument(items: readonly unknown[]): string {
  if (items.length > maxOrdersPerCall) {
    throw new RangeError(`${items.length} orders in one call; at most ${maxOrdersPerCall}`)
  }
  return JSON.stringify(items)
}

/**
 * Calls `call` with at most `maxOrdersPerCall` items at a time. Resolves with its last answer and the sum of `orders`.
 * Without items it calls once, because the answer has the counters.
 */
export async function inBatches<Item, Done extends { orders: number }>(
  items: readonly Item[],
  call: (batch: readonly Item[]) => Promise<Done | { kind: 'unknown-sale' }>,
): Promise<Done | { kind: 'unknown-sale' }> {
  let orders = 0
  for (let from = 0; ; from += maxOrdersPerCall) {
    const answer = await call(items.slice(from, from + maxOrdersPerCall))
    if (!('orders' in answer)) return answer
    orders += answer.orders
    if (from + maxOrdersPerCall >= items.length) return { ...answer, orders }
  }
}

/** Returns `items` in batches of at most `maxOrdersPerCall`. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return slicesOf(items, maxOrdersPerCall)
}
