/** Many orders in one script call, as one argument, so that a script needs no unbounded argument list. */
import { slicesOf } from '../core/lib/slices.ts'

/** Orders per call: a script unpacks them onto a bounded stack, and Redis serves no other client meanwhile. */
export const maxOrdersPerCall = 200

/** `items` as one argument, JSON. @throws RangeError when there are more than a call may name */
export function inOneArgument(items: readonly unknown[]): string {
  if (items.length > maxOrdersPerCall) {
    throw new RangeError(`${items.length} orders in one call; at most ${maxOrdersPerCall}`)
  }
  return JSON.stringify(items)
}

/**
 * Calls `call` with at most `maxOrdersPerCall` of `items` at a time: its last answer, with the
 * `orders` of all. Without items it is called once, because its answer has the counters.
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

/** `items` in batches that one call may name. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  return slicesOf(items, maxOrdersPerCall)
}
