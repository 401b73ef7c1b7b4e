/** One suite for every list of sales that the gate may read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSaleFilter } from '../../core/sale-filter.ts'
import type { Catalogue } from '../../functions/sales/publishing/catalogue.ts'
import { redisCatalogue } from '../../functions/stores/catalogue.redis.ts'
import { filterKey } from '../edge/support.ts'
import { type RedisRig, raw, saleIdOf, startRedisRig } from '../redis/support.ts'
import { memoryCatalogue } from './fakes/catalogue.ts'

let redis: RedisRig
beforeAll(async () => {
  redis = await startRedisRig()
})
afterAll(() => redis.stop())

async function inRedis(): Promise<Catalogue> {
  await raw(redis.redis, 'FLUSHALL')
  return redisCatalogue(redis.redis)
}

const [lamp, phone] = [saleIdOf('lamp'), saleIdOf('phone')]

describe.each([
  ['memory', async () => memoryCatalogue()],
  ['Redis', inRedis],
])('the catalogue in %s', (_name, start: () => Promise<Catalogue>) => {
  it('has a new listVersion with each change of the list, and with nothing else (B4)', async () => {
    const catalogue = await start()
    expect(await catalogue.read()).toEqual({ listVersion: 0, filterVersion: 0, saleIds: [] })
    expect(await catalogue.list(lamp, true, 1_000)).toBe(true)
    const { listVersion } = await catalogue.read()
    expect(await catalogue.list(lamp, true, 5_000)).toBe(false)
    expect(await catalogue.read()).toEqual({ listVersion, filterVersion: 0, saleIds: [lamp] })
    await catalogue.list(phone, true, 500)
    const second = await catalogue.read()
    expect(second.listVersion).toBeGreaterThan(listVersion)
    expect([...second.saleIds].sort()).toEqual([lamp, phone])
    await catalogue.list(lamp, false, 500)
    const third = await catalogue.read()
    expect(third.listVersion).toBeGreaterThan(second.listVersion)
    expect(third.saleIds).toEqual([phone])
  })

  it('accepts a filter of the current list only, and detects an outdated one, independent of clocks (B4)', async () => {
    const catalogue = await start()
    await catalogue.list(lamp, true, 1_000)
    const { listVersion, saleIds } = await catalogue.read()
    await catalogue.list(phone, true, 1_001)
    expect(await catalogue.publish(buildSaleFilter(saleIds, filterKey), listVersion, 2_000)).toBe('moved')
    expect(await catalogue.isCurrent()).toBe(false)
    const now = await catalogue.read()
    expect(await catalogue.publish(buildSaleFilter(now.saleIds, filterKey), now.listVersion, 90_000)).toBe(
      'published',
    )
    expect(await catalogue.isCurrent()).toBe(true)
    await catalogue.list(lamp, false, 3_000)
    expect(await catalogue.isCurrent()).toBe(false)
  })
})
