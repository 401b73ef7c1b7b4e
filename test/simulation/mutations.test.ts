/** Whether the played sales can fail at all: programs that are wrong in one place must be found out by them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SaleKind } from '../../core/sale.ts'
import { type RealRedis, startRealRedis } from '../../simulation/parts/redis.ts'
import { simulateSale } from '../../simulation/simulate-sale.ts'
import { type Run, type RunOptions, simulateSales } from '../../simulation/simulate-sales.ts'
import { foundBy } from './found-by.ts'
import { mutations } from './mutations.ts'

/** Those that find them soon. */
const seeds: Record<SaleKind, number> = { goods: 1, coupon: 1, 'red-packet': 5 }

/** Rare mishaps, such as a lock that runs out while its holder stands still, take some sales to meet. */
const enough = 150

let redis: RealRedis
beforeAll(async () => {
  redis = await startRealRedis()
})
afterAll(() => redis.stop())

async function firstFailure(name: string, options: Omit<RunOptions, 'from' | 'to'>): Promise<Run> {
  const recorded = foundBy.get(name)
  if (recorded !== undefined) {
    const run = await simulateSales(redis, { ...options, from: recorded, to: recorded })
    if (run.failed !== undefined) return run
  }
  return simulateSales(redis, { ...options, from: 1, to: enough })
}

describe('played sales find out a program that', () => {
  it.each(mutations.map((mutation) => ({ mutation, name: mutation.name })))(
    '$name',
    async ({ mutation, name }) => {
      const { kind } = mutation
      const seed = seeds[kind]
      const { failed } = await firstFailure(name, { seed, kind, mutation })
      if (failed === undefined) throw new Error(`nothing was seen in ${enough} sales`)
      if (mutation.found !== undefined) expect(failed.violations[0]).toMatch(mutation.found)
      console.log(`found out by sale ${failed.number}: ${name} (${failed.violations[0]})`)
      expect((await simulateSale(redis, seed, failed.number, { kind })).violations).toEqual([])
    },
    120_000,
  )
})
