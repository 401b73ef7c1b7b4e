import { afterAll, describe, expect, it } from 'vitest'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'
import { startCountedStore } from '../../../proof/bench/fleet/counted-store.ts'
import { replenish } from '../../../redis/gate/replenish.ts'
import { aSale, startRedisRig } from '../../redis/support.ts'
import { useStops } from '../../stops.ts'

const rig = await startRedisRig()
afterAll(() => rig.stop())
const stops = useStops()

async function countedAt(url: string) {
  const counted = await startCountedStore(url)
  stops.push(counted.stop)
  return counted
}

const storeAt = (gateUrl: string) => redisGateStore({ gateUrl, readerToken: rig.token, writerToken: rig.token })

describe('a counted store', () => {
  it('counts each command of a pipeline by its kind, and a script once, by its reply', async () => {
    const counted = await countedAt(rig.url)
    const { saleId } = aSale()
    const store = storeAt(counted.url)
    await Promise.all([store.read(saleId), store.versions(), store.blocklist(), store.filter()])
    const now = Date.now()
    expect(await store.admit(saleId, { now, waiting: 1 })).toEqual({ kind: 'unknown' })
    const units = { stockRevision: 0, epoch: 1, total: 1, booked: 0, ratio: 1 }
    await replenish(rig.redis, saleId, { asOf: now, ...units })
    expect(await store.admit(saleId, { now, waiting: 1 })).toMatchObject({ kind: 'granted', count: 1 })
    expect(await store.admit(saleId, { now, waiting: 1 })).toEqual({ kind: 'none' })
    await store.firstUse(saleId, 'challenge', 'use', 1000)
    expect(Object.fromEntries(counted.counts)).toEqual({
      'facts of the sale': 1,
      'versions of the lists': 1,
      'block list': 1,
      'filter of sale ids': 1,
      'lease unknown': 1,
      'lease granted': 1,
      'lease none': 1,
      'other SET': 1,
      'other GET': 1,
    })
  })

  it('passes on what the store refuses, and counts it by its status', async () => {
    const counted = await countedAt(rig.url)
    const wrong = { gateUrl: counted.url, readerToken: 'wrong', writerToken: 'wrong' }
    await expect(redisGateStore(wrong).versions()).rejects.toThrow()
    expect([...counted.failures]).toEqual([['HTTP 401', 1]])
  })

  it('fails like the store behind it, and says why', async () => {
    const counted = await countedAt('http://127.0.0.1:9')
    await expect(storeAt(counted.url).versions()).rejects.toThrow()
    expect(counted.counts.size).toBe(0)
    expect([...counted.failures]).toEqual([[expect.stringMatching(/^Error: .*ECONNREFUSED/), 1]])
  })
})
