/** The entries of sales in the store of the CloudFront Functions. */

import { beforeEach, describe, expect, it } from 'vitest'
import { callsPerChange, callsPerPassKeys, changesPerSale } from '../../../../cli/preflight/costs.ts'
import { entryIn, entryKey, entryText, passKeysKey, soldOutForMs } from '../../../../core/gate/edge-entry.ts'
import { passDays, passKeysIn } from '../../../../core/gate/pass.ts'
import { renewPassKeys, rotatePassKeys } from '../../../../functions/gate/pass-keys.ts'
import type { EdgeStore } from '../../../../functions/lib/shop/shop.ts'
import { createEdgePublisher } from '../../../../functions/sales/publishing/edge-entries.ts'
import { tick } from '../../../../functions/tick/tick.ts'
import { armedTokenOf } from '../../../../redis/gate/armed-token.ts'
import { gateFactsOf, publishRestocked, publishSoldOut, setGate } from '../../../../redis/gate/gate.ts'
import { readListVersions } from '../../../../redis/gate/shared-lists.ts'
import { phone } from '../../../world/stock-record.ts'
import { useWorld } from '../../../world/world.ts'

const rig = useWorld()

const text = () => rig.edgeStore.values.get(entryKey(phone))
const entry = () => entryIn(text() ?? '')
const tickOnce = () => tick(rig.ports, rig.clock.now + 1)

/** Counts the calls of the store's API, and fails or answers `conflict`, as `answer` says. */
function watchStore(answer: (call: number) => 'fail' | 'conflict' | 'work' = () => 'work') {
  const calls = { count: 0, updates: 0 }
  const { etag, read, update } = rig.edgeStore
  const counted =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      calls.count += 1
      if (answer(calls.updates + 1) === 'fail') throw new Error('the store does not answer')
      return call(...args)
    }
  const watched: EdgeStore = {
    etag: counted(etag),
    read: counted(read),
    update: counted(async (...args: Parameters<EdgeStore['update']>) => {
      calls.updates += 1
      return answer(calls.updates) === 'conflict' ? 'conflict' : update(...args)
    }),
  }
  Object.assign(rig.edgeStore, watched)
  return calls
}

async function sellOut(): Promise<void> {
  await rig.open()
  await rig.sell(10)
  await publishSoldOut(rig.ports.gate, phone, 0)
  await tickOnce()
}

describe('the entry of a sale', () => {
  it('is there before its page, and follows every change of the sale (L6)', async () => {
    await rig.create()
    expect(entry()).toMatchObject({ version: 1, flag: 'off', turnKey: null, soldOutAt: null })
    await rig.act('start', { now: true })
    const { startToken, version } = (await rig.facts()) ?? {}
    const turnKey = armedTokenOf(startToken ?? '')
    expect(entry()).toMatchObject({ flag: 'on', turnKey, version, requirePass: 'on', spreadSeconds: 0 })
    await rig.act('pause')
    expect(entry()).toMatchObject({ flag: 'paused' })
    await rig.act('close')
    expect(entry()).toMatchObject({ flag: 'closed' })
  })

  it('fits into 1,024 bytes with the longest that each of its fields can be', () => {
    const [time, key] = [9_999_999_999_999, 'k'.repeat(43)]
    const times = { startsAt: time, endsAt: time, nextStartsAt: time, soldOutAt: time }
    const longest = { version: 999_999_999, flag: 'closed', ...times, kind: 'red-packet', requirePass: 'off' } as const
    expect(entryText({ ...longest, spreadSeconds: 3600, turnKey: key, listKey: key }).length).toBe(313)
  })

  it('says sold out within a second of the tick, and not once units are back (G4, G7)', async () => {
    await sellOut()
    expect(entry()?.soldOutAt).toBeGreaterThan(rig.clock.now - 1_000)
    await rig.act('stock', { delta: 1 })
    expect(entry()?.soldOutAt, 'the call itself publishes it').toBeNull()
  })

  it('says so again before it counts no more, and is not written in between', async () => {
    await sellOut()
    const calls = watchStore()
    rig.clock.now += soldOutForMs / 2 - 5_000
    await tickOnce()
    expect(calls.count).toBe(0)
    rig.clock.now += 10_000
    await tickOnce()
    expect(entry()?.soldOutAt).toBeGreaterThan(rig.clock.now - 5_000)
  })

  it('goes with a sale that is deleted', async () => {
    await rig.create()
    expect(text()).toBeDefined()
    await rig.ask('DELETE', '/sales/phone')
    expect(text()).toBeUndefined()
  })
})

describe('the store', () => {
  it('is asked nothing while nothing changes', async () => {
    await rig.open()
    const calls = watchStore()
    for (let second = 0; second < 5; second += 1) await tickOnce()
    expect(calls.count).toBe(0)
  })

  it('that another has written meanwhile is read again, and gets the newest facts', async () => {
    await rig.open()
    const calls = watchStore((update) => (update < 3 ? 'conflict' : 'work'))
    await rig.act('pause')
    expect(calls.updates).toBe(3)
    expect(entry()).toMatchObject({ flag: 'paused' })
  })

  it('that does not answer keeps no sale from being paused, is counted, and has it once it answers (I6)', async () => {
    await rig.open()
    let isDown = true
    watchStore(() => (isDown ? 'fail' : 'work'))
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(entry()).toMatchObject({ flag: 'on' })
    expect(rig.telemetry.counted('EdgeStoreFailed')).toBeGreaterThan(0)
    expect(rig.telemetry.lines.map(({ level }) => level)).not.toContain('error')
    isDown = false
    await tickOnce()
    expect(entry()).toMatchObject({ flag: 'paused' })
  })
})

describe('what publishing costs, as the preflight counts it', () => {
  it('is five calls for a change: three of its publisher, two of another that finds it published', async () => {
    await rig.open()
    const other = createEdgePublisher(rig.ports)
    await other(phone)
    const calls = watchStore()
    await rig.act('pause')
    expect(calls.count).toBe(3)
    await other(phone)
    expect(calls).toEqual({ count: callsPerChange, updates: 1 })
  })

  it('is for a sale that sells out, gets units back, sells out again and is sold out for an hour within its changes', async () => {
    const calls = watchStore()
    await sellOut()
    await rig.act('stock', { delta: 1 })
    await tickOnce()
    await rig.buy(11)
    await publishSoldOut(rig.ports.gate, phone, 1)
    for (let minute = 0; minute < 60; minute += 1) {
      rig.clock.now += 60_000
      await tickOnce()
    }
    await rig.act('close')
    expect(calls.updates).toBeGreaterThan(12)
    expect(calls.updates).toBeLessThanOrEqual(changesPerSale)
  })

  it('is three calls for new keys of passes', async () => {
    const calls = watchStore()
    await renewPassKeys(rig.ports)
    expect(calls.count).toBe(callsPerPassKeys)
  })
})

describe('the keys of passes', () => {
  const atGate = async () => passKeysIn((await readListVersions(rig.ports.gate)).passKeys)
  const inStore = () => passKeysIn(rig.edgeStore.values.get(passKeysKey) ?? '')

  it('are there for today and the two days to come, the same at the gate and in the store', async () => {
    await renewPassKeys(rig.ports)
    expect([...inStore().keys()]).toEqual(passDays(rig.clock.now))
    expect(await atGate()).toEqual(inStore())
    expect(new Set(inStore().values()).size).toBe(3)
  })

  it('stay as they are while none is missing, and cost no call then', async () => {
    await renewPassKeys(rig.ports)
    const before = inStore()
    const calls = watchStore()
    await renewPassKeys(rig.ports)
    expect([calls.count, inStore()]).toEqual([0, before])
  })

  it('of the next day are made a day ahead, and those of the past go', async () => {
    await renewPassKeys(rig.ports)
    const [, tomorrow, after] = [...inStore()]
    rig.clock.now += 86_400_000
    await renewPassKeys(rig.ports)
    expect([...inStore()].slice(0, 2)).toEqual([tomorrow, after])
    expect(inStore().size).toBe(3)
  })

  it('that the gate has lost come back from the store: passes stay good', async () => {
    await renewPassKeys(rig.ports)
    const before = inStore()
    await rig.loseList()
    await rig.loseGate()
    await renewPassKeys(rig.ports)
    expect([inStore(), await atGate()]).toEqual([before, before])
  })

  it('are made by one of two runs at once', async () => {
    await Promise.all([renewPassKeys(rig.ports), renewPassKeys(rig.ports)])
    await renewPassKeys(rig.ports)
    expect(await atGate()).toEqual(inStore())
  })

  describe('after one has leaked', () => {
    beforeEach(() => renewPassKeys(rig.ports))
    const days = () => passDays(rig.clock.now)
    const anyOf = (former: ReadonlyMap<number, string>) => new Set(former.values())

    it('are others at the gate, while the store has none, and the next run brings the store in step (I5)', async () => {
      const leaked = anyOf(inStore())
      await rotatePassKeys(rig.ports)
      const rotated = await atGate()
      expect(rig.edgeStore.values.get(passKeysKey)).toBeUndefined()
      // Until the day after tomorrow no pass can need the third one.
      expect([...rotated.keys()]).toEqual(days().slice(0, 2))
      await renewPassKeys(rig.ports)
      expect(inStore()).toEqual(await atGate())
      expect([...inStore()].slice(0, 2)).toEqual([...rotated])
      expect([...inStore().values()].filter((key) => leaked.has(key))).toEqual([])
    })

    it('are gone from the store for ten seconds before the gate has new ones: no location refuses a new pass', async () => {
      const before = await atGate()
      const seen: unknown[] = []
      const since = rig.clock.now
      rig.ports.sleep = async (milliseconds) => {
        seen.push([rig.edgeStore.values.has(passKeysKey), await atGate()])
        rig.clock.now += milliseconds
      }
      await rotatePassKeys(rig.ports)
      expect(seen).toEqual([[false, before]])
      expect(rig.clock.now - since).toBe(10_000)
    })

    it('do not come back from the store, nor from a run that had read them before', async () => {
      const leaked = anyOf(inStore())
      const former = rig.edgeStore.values.get(passKeysKey)
      rig.clock.now += 86_400_000
      // The rotation comes between this run's reads and its writes, and the store gets back what was in it.
      const { etag } = rig.edgeStore
      rig.edgeStore.etag = async () => {
        rig.edgeStore.etag = etag
        await rotatePassKeys(rig.ports)
        await rig.edgeStore.update(await etag(), new Map([[passKeysKey, former]]))
        return etag()
      }
      await renewPassKeys(rig.ports)
      await renewPassKeys(rig.ports)
      expect([...(await atGate()).values()].filter((key) => leaked.has(key))).toEqual([])
      expect(inStore()).toEqual(await atGate())
      expect([...inStore().keys()]).toEqual(days())
    })

    it('stay as they are at the gate when the store cannot be changed, and the command says so', async () => {
      const before = await atGate()
      watchStore(() => 'conflict')
      await expect(rotatePassKeys(rig.ports)).rejects.toThrow('others keep changing the store')
      expect(await atGate()).toEqual(before)
    })

    it('are replaced again by a second call', async () => {
      await rotatePassKeys(rig.ports)
      const once = anyOf(await atGate())
      await rotatePassKeys(rig.ports)
      expect([...anyOf(await atGate())].filter((key) => once.has(key))).toEqual([])
    })
  })
})

describe('what one publisher has written and another has replaced', () => {
  it('is written again when units come back: the entry does not stay sold out (L6, G7)', async () => {
    await rig.open()
    const [one, other] = [createEdgePublisher(rig.ports), createEdgePublisher(rig.ports)]
    await one(phone)
    await publishSoldOut(rig.ports.gate, phone, 0)
    await other(phone)
    expect(entry()?.soldOutAt).not.toBeNull()
    await publishRestocked(rig.ports.gate, phone, 1)
    await one(phone)
    expect(entry()?.soldOutAt).toBeNull()
  })

  it('is written again when a freeze ends: the entry does not stay frozen (L6)', async () => {
    await rig.open()
    const sale = await rig.sale()
    const [one, other] = [createEdgePublisher(rig.ports), createEdgePublisher(rig.ports)]
    await one(phone)
    await setGate(rig.ports.gate, gateFactsOf(sale, { frozen: true }))
    await other(phone)
    expect(entry()?.flag).toBe('frozen')
    await setGate(rig.ports.gate, gateFactsOf(sale, { frozen: false }))
    await one(phone)
    expect(entry()?.flag).toBe('on')
  })
})
