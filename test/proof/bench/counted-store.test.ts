import { afterAll, describe, expect, it } from 'vitest'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'
import { countedStore, storeFailures, takeCounts } from '../../../proof/bench/million/shared-by-gates.ts'
import { replenish } from '../../../redis/gate/replenish.ts'
import { aSale, startRedisRig } from '../../redis/support.ts'

const rig = await startRedisRig()
afterAll(() => rig.stop())

const storeAt = (gateUrl: string) =>
  countedStore(redisGateStore({ gateUrl, readerToken: rig.token, writerToken: rig.token }))

describe('a counted store', () => {
  it('counts each command by its kind, and a script once, by its reply', async () => {
    const { saleId } = aSale()
    const store = storeAt(rig.url)
    takeCounts()
    await Promise.all([store.read(saleId), store.versions(), store.blocklist(), store.filter()])
    const now = Date.now()
    expect(await store.admit(saleId, { now, waiting: 1 })).toEqual({ kind: 'unknown' })
    const units = { stockRevision: 0, epoch: 1, total: 1, booked: 0, ratio: 1 }
    await replenish(rig.redis, saleId, { asOf: now, ...units })
    expect(await store.admit(saleId, { now, waiting: 1 })).toMatchObject({ kind: 'granted', count: 1 })
    expect(await store.admit(saleId, { now, waiting: 1 })).toEqual({ kind: 'none' })
    await store.countDemand(saleId, new Map([['sold-out', 2]]))
    expect(Object.fromEntries(takeCounts().gateCommands)).toEqual({
      'facts of the sale': 1,
      'versions of the lists': 1,
      'block list': 1,
      'filter of sale ids': 1,
      'lease unknown': 1,
      'lease granted': 1,
      'lease none': 1,
      'demand counted': 1,
    })
    expect(takeCounts().gateCommands.size).toBe(0)
    expect(storeFailures.size).toBe(0)
  })

  it('fails like the store behind it, and says why', async () => {
    await expect(storeAt('http://127.0.0.1:9').versions()).rejects.toThrow()
    expect(takeCounts().gateCommands.size).toBe(0)
    expect([...storeFailures]).toEqual([[expect.stringMatching(/Redis/), 1]])
  })
})
