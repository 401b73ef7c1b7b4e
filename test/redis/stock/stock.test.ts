/** What the facts of several shards say of the whole stock. */
import { describe, expect, it } from 'vitest'
import { readShard, type StockFacts, sumOfShards } from '../../../redis/stock/stock.ts'
import { aWarmSale } from '../support.ts'
import { useRedis } from '../test-store.ts'

const redis = useRedis()

/** Facts of a shard of ten units, as Redis has them, apart from `changes`. */
async function shard(changes: Partial<StockFacts>): Promise<StockFacts> {
  const facts = await readShard(redis, (await aWarmSale(redis)).saleId)
  if (facts === undefined) throw new Error('the stock is missing')
  return { ...facts, ...changes }
}

describe('the facts of a split stock', () => {
  it('are the sums of its shards, with the definition of the one that is furthest behind (S14)', async () => {
    const behind = await shard({ version: 3, flag: 'on', booked: 4, heldSince: 7 })
    const ahead = await shard({ version: 4, flag: 'paused', booked: 1, heldSince: 9 })
    for (const shards of [
      [behind, ahead],
      [ahead, behind],
    ]) {
      expect(sumOfShards(shards)).toMatchObject({
        ...{ version: 3, flag: 'on', isSplit: true, frozen: false },
        ...{ total: 20, booked: 5, available: 15, heldSince: 9 },
      })
    }
  })

  it('are those of shards that sell, and frozen only where none does (I6)', async () => {
    const frozen = await shard({ version: 2, flag: 'on', frozen: true })
    const selling = await shard({ version: 3, flag: 'paused' })
    expect(sumOfShards([frozen, selling, undefined])).toMatchObject({ version: 3, frozen: false, total: 20 })
    expect(sumOfShards([frozen, undefined])).toMatchObject({ version: 2, frozen: true, total: 10 })
    expect(sumOfShards([undefined, undefined])).toBeUndefined()
  })
})
