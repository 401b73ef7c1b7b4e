import { expect, it } from 'vitest'
import { shardNumberOf } from '../../../core/stock/hash-slot.ts'
import { shopperIdOf } from '../../redis/support.ts'

it.each([2, 3, 4, 7, 16])('the home shard of a shopper spreads shoppers evenly over %i shards (S14)', (shardCount) => {
  const shoppers = Array.from({ length: shardCount * 1000 }, (_, at) => shopperIdOf(at))
  const byShard = Map.groupBy(shoppers, (shopper) => shardNumberOf(shopper, shardCount))
  expect([...byShard.keys()].toSorted((a, b) => a - b)).toEqual([...Array(shardCount).keys()])
  const sizes = [...byShard.values()].map(({ length }) => length)
  expect(Math.min(...sizes)).toBeGreaterThan(800)
  expect(Math.max(...sizes)).toBeLessThan(1200)
})
