/** The wishes of shards as the banker has seen them, so that each is served once. */

import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import { isNothing, mapParts } from '../../core/stock/divided-units.ts'
import type { ShardReading } from '../../core/stock/transfer-plan.ts'
import type { StockFacts } from '../../redis/stock/stock.ts'
import type { NotedWish } from '../../redis/stock/wishes.ts'

/** A wish since it was first seen, at `seenAt` (epoch ms). Served, it is over once its units are sold. */
type SeenWish = NotedWish & { seenAt: number; state: 'new' | 'served' | 'over' }

/** How long a wish counts, ms; a shopper who still waits has asked again by then. */
const wishedForMs = 3000

/** The most shards whose last wish is remembered. */
const mostRemembered = 1000

/**
 * A memory of the wishes of many shards. Times are those of one clock, because the functions that note
 * wishes have others.
 */
export function rememberWishes() {
  const known = new Map<string, SeenWish>()
  return {
    /** The last wish of a shard; undefined when there is none, or the shopper is gone by now. */
    see(saleId: SaleId, at: number, shard: StockFacts | Error | undefined, now: number): SeenWish | undefined {
      if (shard === undefined || shard instanceof Error) return undefined
      const name = `${saleId}:${at}`
      const noted = shard.wish
      const before = known.get(name)
      const isSame = noted === undefined || noted.count === before?.count
      const wish = isSame ? before : { ...noted, seenAt: now, state: 'new' as const }
      if (wish !== undefined) setBounded(known, name, wish, mostRemembered)
      return wish !== undefined && now - wish.seenAt < wishedForMs ? wish : undefined
    },
  }
}

/**
 * The units that came for a wish stay with the shard for a moment, or two shards would take the last
 * units from each other.
 */
export function promising(reading: ShardReading, wish: SeenWish | undefined): ShardReading {
  if (reading === undefined || wish === undefined || wish.state === 'over') return reading
  const lacking = mapParts(wish.units, (units, id) => Math.max(0, units - (reading.left[id] ?? 0)))
  if (isNothing(lacking)) return { ...reading, promised: wish.units }
  if (wish.state === 'served') wish.state = 'over'
  return reading
}
