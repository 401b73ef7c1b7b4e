import { expect, it } from 'vitest'
import { useRedis } from '../../redis/test-store.ts'
import { playWithdrawals } from './withdrawal-play.ts'

const redis = useRedis()
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

it.each([1, 4])(
  `10,000 orders over %i shards, withdrawn from under faults, have each cent and unit once, with seed ${seed} (I1, I4, O9)`,
  async (shards) => {
    const { violations, seen } = await playWithdrawals(redis, { count: 10_000, seed, shards })
    expect(violations).toEqual([])
    for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(100)
  },
  900_000,
)
