/**
 * Checks that the simulated sales can fail: they must detect programs with one deliberate defect.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SaleKind } from '../../core/settings.ts'
import { type RealRedis, startRealRedis } from '../../simulation/parts/redis.ts'
import { simulateSale } from '../../simulation/simulate-sale.ts'
import { type Run, type RunOptions, simulateSales } from '../../simulation/simulate-sales.ts'
import { foundBy } from './found-by.ts'
import { mutations } from './mutations.ts'

/** Seeds whose sales detect them early. */
const seeds: Record<SaleKind, number> = { goods: 1, coupon: 1, 'red-packet': 3 }

/**
 * Rare conditions, such as a lock that expires while its holder is frozen, occur only in some
 * sales.
 */
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

describe('simulated sales detect a program that', () => {
  it.each(mutations.map((mutation) => ({ mutation, name: mutation.name })))(
    '$name',
    async ({ mutation, name }) => {
      const { kind } = mutation
      const seed = seeds[kind]
      const { failed } = await firstFailure(name, { seed, kind, mutation })
      if (failed === undefined) throw new Error(`no violation in ${enough} sales`)
      if (mutation.found !== undefined) expect(failed.violations[0]).toMatch(mutation.found)
      console.log(`detected by sale ${failed.number}: ${name} (${failed.violations[0]})`)
      expect((await simulateSale(redis, seed, failed.number, { kind })).violations).toEqual([])
    },
    300_000,
  )
})
