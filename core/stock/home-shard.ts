/** The shard of a split stock that has all of a shopper's orders (S14). */
import type { ShopperId } from '../ids.ts'
import { slotOf } from './hash-slot.ts'

/** Always the same shard, so repeat, limit, throttle, hold and outbox are decided by one script. */
export function homeShard(shopperId: ShopperId, shardCount: number): number {
  return slotOf(shopperId) % shardCount
}
