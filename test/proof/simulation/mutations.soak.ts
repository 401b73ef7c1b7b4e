/** Checks that the simulated sales can fail: they must detect programs with one deliberate defect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SaleKind } from '../../../core/sale/kinds.ts'
import type { Mutation } from '../../../proof/simulation/mutation.ts'
import { type RealRedis, startRealRedis } from '../../../proof/simulation/parts/redis.ts'
import { type SimulateOptions, simulateSale } from '../../../proof/simulation/simulate-sale.ts'
import { simulateSales } from '../../../proof/simulation/simulate-sales.ts'
import { type FoundIn, foundBy } from './found-by.ts'
import { mutations } from './mutations.ts'

/** Seeds whose sales detect them early; a defect that the first does not show is shown by the next. */
const seeds: Record<SaleKind, readonly number[]> = { goods: [1, 4, 2], coupon: [1], 'red-packet': [3, 2, 1] }

/** Rare conditions, such as a lock that expires while its holder is frozen, occur only in some sales. */
const enough = 150

let redis: RealRedis
beforeAll(async () => {
  redis = await startRealRedis()
})
afterAll(() => redis.stop())

/** Returns the sales to search: split stocks or variants only for a defect of those. */
function saleOf({ kind, isSplit, hasVariants, hasCheckout, option = 'none', hasCustomers }: Mutation): SimulateOptions {
  return {
    kind,
    isSplit: isSplit === true,
    hasVariants: hasVariants === true,
    hasCheckout: hasCheckout === true,
    option,
    hasCustomers: hasCustomers === true,
  }
}

/** The sale that detects `mutation`, and what it violates; undefined when no sale does. */
async function firstFailure(mutation: Mutation): Promise<(FoundIn & { violations: readonly string[] }) | undefined> {
  const recorded = foundBy.get(mutation.name)
  const places = seeds[mutation.kind].map((seed) => ({ seed, from: 1, to: enough }))
  if (recorded !== undefined) {
    const { seed, sale } = recorded
    places.unshift({ seed, from: sale, to: sale })
  }
  for (const place of places) {
    const { failed } = await simulateSales(redis, { ...place, ...saleOf(mutation), mutation })
    if (failed !== undefined) return { seed: place.seed, sale: failed.number, violations: failed.violations }
  }
  return undefined
}

/** The sales that were played without a defect, by place and options: several defects show in the same one. */
const sound = new Map<string, Promise<readonly string[]>>()

function violationsWithout({ seed, sale }: FoundIn, options: SimulateOptions): Promise<readonly string[]> {
  const key = JSON.stringify([seed, sale, options])
  const played = sound.get(key) ?? simulateSale(redis, seed, sale, options).then(({ violations }) => violations)
  sound.set(key, played)
  return played
}

describe('simulated sales detect a program that', () => {
  it.each(mutations.map((mutation) => ({ mutation, name: mutation.name })))(
    '$name',
    async ({ mutation, name }) => {
      const found = await firstFailure(mutation)
      if (found === undefined) throw new Error(`no violation in ${enough} sales`)
      const { seed, sale, violations } = found
      if (mutation.found !== undefined) expect(violations[0]).toMatch(mutation.found)
      console.log(`detected by sale ${sale} of seed ${seed}: ${name} (${violations[0]})`)
      expect(await violationsWithout(found, saleOf(mutation))).toEqual([])
    },
    1_200_000,
  )
})
