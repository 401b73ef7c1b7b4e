/** Small rushes for a stock that is split over four databases, through the whole system. */
import { describe, expect, it } from 'vitest'
import type { RushOptions } from '../../../proof/rush/options.ts'
import { runRush } from '../../../proof/rush/run-rush.ts'
import { calm, openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem({ databases: 4 })

const split: RushOptions = {
  ...{ ...calm, shoppers: 240, stock: 40, shards: 4, settleMs: 120_000 },
  // Longer than several throttles of a shopper who retried too often, on a busy machine too.
  patienceMs: 300_000,
}

const exactly = { sold: 40, expected: 40, oversold: 0, lost: 0, stranded: 0, violations: [] }

describe('a rush of 240 for 40 units over four databases', () => {
  it('sells every unit, and no shopper gives up (S14, S15)', async () => {
    const result = await runRush(system, split)
    expect(result.verdict).toEqual(exactly)
    expect(result.gaveUp).toBe(0)
  }, 600_000)

  it('sells every unit when all shoppers have the same home shard (S15)', async () => {
    const result = await runRush(system, { ...split, oneShard: true })
    expect(result.verdict).toEqual(exactly)
    expect(result.gaveUp).toBe(0)
  }, 600_000)

  // The last play: the database stays lost.
  it('sells every unit after a database was lost for good (P10, I1)', async () => {
    const result = await runRush(system, { ...split, kill: 'db-3', settleMs: 240_000 })
    expect(result.verdict).toEqual(exactly)
    expect(result.gaveUp).toBe(0)
    expect(result.lostDatabase?.movedShards).toMatchObject([{ from: 'db-3' }])
  }, 900_000)
})
