import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Accusation, accuse, maxAccusations } from '../../redis/accuse.ts'
import { addressesKey } from '../../redis/keys.ts'
import { aSale, commandCounts, type RedisRig, raw, startRedisRig } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

const { saleId } = aSale()
const rule = { limit: 100, windowSeconds: 60 }
const now = 1_800_000_000_000
const farm = '198.51.100.7'

const tell = (accusations: Accusation[], at = now) => accuse(rig.redis, saleId, rule, accusations, at)

describe('what instances hold against an address (R3)', () => {
  it('adds up over all of them, and shuts it out until its window ends', async () => {
    expect(await tell([{ address: farm, points: 60 }])).toEqual(new Map())
    const shut = await tell([{ address: farm, points: 40 }], now + 5000)
    expect(shut).toEqual(new Map([[farm, now + 60_000]]))
  })

  it('begins anew with the next window', async () => {
    const address = '198.51.100.8'
    await tell([{ address, points: 99 }])
    expect(await tell([{ address, points: 99 }], now + 60_000)).toEqual(new Map())
    expect(await tell([{ address, points: 1 }], now + 60_001)).toEqual(new Map([[address, now + 120_000]]))
  })

  it('is asked about many at once, in two reads and two writes', async () => {
    const accusations = Array.from({ length: maxAccusations }, (_, i) => ({
      address: `2001:db8:0:${i.toString(16)}::/64`,
      points: i % 2 === 0 ? 100 : 1,
    }))
    await tell([])
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    const shut = await tell(accusations)
    expect([...shut.keys()]).toEqual(
      accusations.filter(({ points }) => points === 100).map(({ address }) => address),
    )
    const counts = await commandCounts(rig.redis)
    expect(['hlen', 'hmget', 'hset', 'pexpire'].map((name) => counts.get(name))).toEqual([1, 1, 1, 1])
    await expect(tell([...accusations, { address: farm, points: 1 }])).rejects.toThrow(RangeError)
  })

  it('keeps no more than ten thousand addresses, and forgets them all in time', async () => {
    const key = addressesKey(saleId)
    await raw(rig.redis, 'DEL', key)
    for (let page = 0; page < 101; page += 1) {
      await tell(Array.from({ length: 100 }, (_, i) => ({ address: `10.${page}.${i}.1`, points: 1 })))
    }
    expect(await raw(rig.redis, 'HLEN', key)).toBe(10_000)
    expect(Number(await raw(rig.redis, 'PTTL', key))).toBeGreaterThan(50_000)
    expect(Number(await raw(rig.redis, 'PTTL', key))).toBeLessThanOrEqual(60_000)
  })
})
