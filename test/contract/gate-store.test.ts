/** One suite for every store of the gate. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildSaleFilter, openSaleFilter } from '../../core/gate/sale-filter.ts'
import type { SaleId } from '../../core/ids.ts'
import { type GateFacts, type GateStore, type Lease, redisGateStore } from '../../edge/memory/gate-store.ts'
import { startUpstashProxy } from '../../local/upstash/proxy.ts'
import { setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import {
  listSale,
  publishCustomers,
  publishFilter,
  readListVersions,
  readSales,
  setBlocked,
} from '../../redis/gate/shared-lists.ts'
import { invitedKey } from '../../redis/keys.ts'
import { readerRights, writerRights } from '../../system/redis-rights.ts'
import { fakeStore, filterKey, openSaleFacts, saleId, saleIdOf, startOfTests } from '../edge/support.ts'
import { raw, shopperNamed, useRedisRig } from '../redis/support.ts'

type Rig = {
  store: GateStore
  publish(id: SaleId, facts: GateFacts): Promise<void>
  replenish(id: SaleId, total: number, change?: { booked?: number; ratio?: number; rate?: number }): Promise<void>
  block(field: string, blocked: boolean): Promise<void>
  invite(id: SaleId, shopperId: string): Promise<void>
  list(id: SaleId): Promise<void>
  publishFilter(): Promise<void>
  publishCustomers(text: string): Promise<void>
  goDown(): Promise<void>
  stop(): Promise<void>
}

async function inMemory(): Promise<Rig> {
  const store = fakeStore({})
  return {
    store,
    async publish(id, facts) {
      store.sales[id] = facts
    },
    replenish: async (...published) => store.replenish(...published),
    block: async (field, blocked) => (blocked ? store.block(field) : store.unblock(field)),
    invite: async (id, shopperId) => store.invite(id, shopperId),
    list: async (id) => store.list(id),
    publishFilter: async () => store.publishFilter(),
    publishCustomers: async (text) => store.setCustomers(text),
    goDown: async () => store.goDown(),
    stop: async () => {},
  }
}

const redis = useRedisRig()

/** With the rights of the edge, over an empty Redis. */
async function inRedis(): Promise<Rig> {
  const { redis: owner, redisPort } = redis
  await raw(owner, 'FLUSHALL')
  const tokens = [
    { token: 'of the reader', rules: readerRights },
    { token: 'of the writer', rules: writerRights },
  ]
  const proxy = await startUpstashProxy({ redisPort, tokens, strict: true })
  return {
    store: redisGateStore({ gateUrl: proxy.url, readerToken: 'of the reader', writerToken: 'of the writer' }),
    publish: (id, facts) => setGate(owner, { ...facts, saleId: id }),
    async replenish(id, total, { booked = 0, ratio = 1, rate } = {}) {
      const counts = { asOf: startOfTests, stockRevision: 0, epoch: 1, total, booked, ratio }
      await replenish(owner, id, rate === undefined ? counts : { ...counts, maxRate: rate })
    },
    block: (field, blocked) => setBlocked(owner, field, blocked, startOfTests),
    async invite(id, shopperId) {
      await raw(owner, 'SADD', invitedKey(id), shopperId)
    },
    async list(id) {
      await listSale(owner, id, true, startOfTests)
    },
    async publishFilter() {
      const { listVersion, saleIds } = await readSales(owner)
      await publishFilter(owner, buildSaleFilter(saleIds, filterKey), listVersion, startOfTests)
    },
    async publishCustomers(text) {
      const { customers } = await readListVersions(owner)
      await publishCustomers(owner, text, customers)
    },
    goDown: proxy.stop,
    stop: proxy.stop,
  }
}

const other = saleIdOf('phone-43')
const now = startOfTests

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])("the gate's store in %s", (_name, start) => {
  let rig: Rig
  let store: GateStore
  beforeEach(async () => {
    rig = await start()
    store = rig.store
  })
  afterEach(() => rig.stop())

  it('returns the published facts of a sale, and of no other', async () => {
    await rig.publish(saleId, openSaleFacts)
    expect(await store.read(saleId)).toEqual(openSaleFacts)
    expect(await store.read(other)).toBeUndefined()
  })

  it('knows the shoppers on the list of a sale, with the one variant that they may buy or each', async () => {
    const [ann, ben] = [shopperNamed('ann'), shopperNamed('ben')]
    expect(await store.isMember(saleId, ben)).toBe(false)
    await rig.invite(saleId, 'ann m')
    expect(await store.isMember(saleId, ben)).toBe(false)
    await rig.invite(saleId, 'ben')
    for (const variant of [undefined, 's']) expect(await store.isMember(saleId, ben, variant)).toBe(true)
    expect(await store.isMember(other, ben)).toBe(false)
    const ofAnn = await Promise.all(['m', 's', undefined].map((variant) => store.isMember(saleId, ann, variant)))
    expect(ofAnn).toEqual([true, false, false])
  })

  it('has a new version of the block list with every change, and with nothing else (R8)', async () => {
    expect(await store.versions()).toEqual({ blocklist: 0, sales: 0, filter: 0, passKeys: '', customers: '' })
    expect(await store.blocklist()).toEqual([])
    await rig.block('shopper ann', true)
    await rig.block('ip 192.0.2.0/24', true)
    const before = await store.versions()
    expect((await store.blocklist()).toSorted()).toEqual(['ip 192.0.2.0/24', 'shopper ann'])
    await rig.block('shopper ann', false)
    const after = await store.versions()
    expect(after.blocklist).toBeGreaterThan(before.blocklist)
    expect(after).toMatchObject({ sales: 0, filter: 0 })
    expect(await store.blocklist()).toEqual(['ip 192.0.2.0/24'])
  })

  it('has a filter of all sales, whose version says whether it is the newest (B4)', async () => {
    expect(await store.filter()).toBeUndefined()
    expect(await store.saleIds()).toEqual([])
    await rig.list(saleId)
    expect(await store.saleIds()).toEqual([saleId])
    await rig.publishFilter()
    const whole = await store.versions()
    expect(whole.filter).toBeGreaterThanOrEqual(whole.sales)
    const filter = openSaleFilter((await store.filter()) ?? new Uint8Array())
    expect([filter?.mayHold(saleId), filter?.mayHold(other)]).toEqual([true, false])
    await rig.list(other)
    const stale = await store.versions()
    expect(stale.filter).toBeLessThan(stale.sales)
  })

  it('distinguishes the first use of a challenge, its retry and any other use (R5)', async () => {
    const use = (id: SaleId, challenge: string, key: string) => store.firstUse(id, challenge, key, 60_000)
    expect(await use(saleId, 'c1', 'key-1')).toBe(true)
    expect(await use(saleId, 'c1', 'key-2')).toBe(false)
    expect(await use(saleId, 'c1', 'key-1')).toBe(true)
    expect(await use(saleId, 'c2', 'key-2')).toBe(true)
    expect(await use(other, 'c1', 'key-2')).toBe(true)
  })

  it('has the issuers of customers in their present edition alone', async () => {
    expect((await store.versions()).customers).toBe('')
    await rig.publishCustomers('first')
    const { customers: first } = await store.versions()
    expect(await store.customers(first)).toBe('first')
    await rig.publishCustomers('second')
    const { customers: second } = await store.versions()
    expect(second).not.toBe(first)
    expect(await store.customers(second)).toBe('second')
    expect(await store.customers(first)).toBeUndefined()
  })

  it('answers nothing at all while it is unavailable (I6)', async () => {
    await rig.publish(saleId, openSaleFacts)
    await rig.goDown()
    const nowhere = redisGateStore({ gateUrl: 'http://gate.invalid', readerToken: '', writerToken: '' })
    const asked: (() => Promise<unknown>)[] = [
      () => store.read(saleId),
      () => store.admit(saleId, { now, waiting: 1 }),
      () => store.versions(),
      () => store.blocklist(),
      () => store.filter(),
      () => store.saleIds(),
      () => store.customers('any-version'),
      () => store.firstUse(saleId, 'c1', 'key-1', 1000),
      () => store.countDemand(saleId, new Map([['sold-out', 1]])),
      () => store.countRefusedTokens('crm', new Map([['future', 1]]), now),
      () => store.isMember(saleId, shopperNamed('ann')),
    ]
    expect(asked).toHaveLength(Object.keys(nowhere).length)
    for (const ask of asked) await expect(ask()).rejects.toThrow(Error)
  })
})

describe('the two stores', () => {
  it('give the same answers about admissions, and none before these are published (G3, G4, G5, G7, R4, S4, I6)', async () => {
    const question = fc.record({
      passMs: fc.constantFrom(0, 1, 400, 1000, 2500),
      waiting: fc.integer({ min: 0, max: 60 }),
      // An earlier lease to return a part of, rightly or wrongly.
      lease: fc.option(fc.nat(5)),
      surplus: fc.integer({ min: -5, max: 1 }),
    })
    const unit = { booked: fc.integer({ min: 0, max: 400 }), total: fc.integer({ min: -1, max: 400 }) }
    const ratio = fc.constantFrom(1, 1.2, 1.005, 3)
    const rate = fc.option(fc.integer({ min: 1, max: 80 }))
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ...unit, ratio, rate }),
        fc.array(question, { maxLength: 20 }),
        async ({ total, rate, ...counts }, questions) => {
          const published = { ...counts, ...(rate !== null && { rate }) }
          const rigs = [await inMemory(), await inRedis()]
          const leases: Extract<Lease, { kind: 'granted' }>[] = []
          // The whole rate of a second is granted at its end; the fake does not know the way there.
          let time = rate === null ? now : now + 999
          try {
            for (const { store } of rigs)
              expect(await store.admit(saleId, { now, waiting: 1 })).toEqual({ kind: 'unknown' })
            for (const rig of rigs) await rig.replenish(saleId, total, published)
            for (const { passMs, waiting, lease, surplus } of questions) {
              time += rate === null ? passMs : Math.round(passMs / 1000) * 1000
              const old = lease === null ? undefined : leases.at(-1 - lease)
              const count = Math.max(1, (old?.count ?? 0) + surplus)
              const returned = old === undefined ? {} : { returned: { second: old.second, count } }
              const ask = { now: time, waiting, ...returned }
              const [expected, actual] = await Promise.all(rigs.map(({ store }) => store.admit(saleId, ask)))
              expect(expected).toEqual(actual)
              if (actual?.kind === 'granted') leases.push(actual)
            }
          } finally {
            for (const rig of rigs) await rig.stop()
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
