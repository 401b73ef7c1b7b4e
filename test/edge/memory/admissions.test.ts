import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leaseLifeMs } from '../../../core/gate/admission.ts'
import { type Admission, createAdmissions } from '../../../edge/memory/admissions.ts'
import type { GateStore } from '../../../edge/memory/gate-store.ts'
import { fakeStore, openSaleFacts, saleId, saleIdOf, startOfTests } from '../support.ts'

/** The admissions of one instance over `store`. */
function openOver(store: Pick<GateStore, 'admit'>, time = { now: startOfTests }) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const admissions = createAdmissions({ store, clock: () => time.now, onFailure })
  const spend = (revision = 0) => admissions.spend(saleId, revision, time.now)
  const refusal = (revision = 0) => admissions.refusal(saleId, revision, time.now)?.kind
  return { time, failures, admissions, spend, refusal }
}

function openAdmissions(remaining?: number) {
  const store = fakeStore({ [saleId]: openSaleFacts })
  if (remaining !== undefined) store.replenish(saleId, remaining)
  return { store, ...openOver(store) }
}
const kinds = async (crowd: (Admission | Promise<Admission>)[]) => (await Promise.all(crowd)).map(({ kind }) => kind)
const count = (all: string[], kind: string) => all.filter((one) => one === kind).length

describe('admissions in memory (G4, G5)', () => {
  it('are leased a few at a time and spent without the store (G3)', async () => {
    const { store, spend } = openAdmissions(1024)
    expect((await spend()).kind).toBe('admitted')
    const rest = [spend(), spend(), spend()]
    expect(
      rest.some((one) => one instanceof Promise),
      'no request waits while the lease has some left',
    ).toBe(false)
    expect(store.asks).toHaveLength(1)
    await spend()
    expect(store.asks).toHaveLength(2)
  })

  it('never exceed the limit for any number of concurrent requests, with one lease request at a time (G4, G5)', async () => {
    const { store, spend, refusal } = openAdmissions(12)
    const release = store.hold()
    const crowd = Array.from({ length: 500 }, () => spend())
    expect(store.asks, 'single flight').toHaveLength(1)
    release()
    const answers = await kinds(crowd)
    expect(count(answers, 'admitted')).toBe(12)
    expect(count(answers, 'full')).toBe(488)
    expect(store.asks.map(({ waiting }) => waiting)).toEqual([1, 499, 488])
    expect(refusal()).toBe('full')
  })

  it('are requested twice as many after a lease was used up while it was good (G3)', async () => {
    const { store, spend } = openAdmissions(1000)
    for (let i = 0; i < 200; i += 1) expect((await spend()).kind).toBe('admitted')
    expect(store.asks.map(({ waiting }) => waiting)).toEqual([1, 8, 16, 32, 64, 100, 100])
    expect(store.handedOut(saleId), 'at most 50 in one lease').toBe(4 + 8 + 16 + 32 + 50 + 50 + 50)
  })

  it('are requested for the present crowd alone after a pause, and after a lease that brought none', async () => {
    const { time, store, spend } = openAdmissions(1000)
    for (let i = 0; i < 12; i += 1) await spend()
    time.now += leaseLifeMs
    await spend()
    expect(store.asks.map(({ waiting }) => waiting)).toEqual([1, 8, 1])
    const dry = openAdmissions(1)
    await dry.spend()
    await dry.spend()
    dry.time.now += 2000
    await dry.spend()
    expect(dry.store.asks.map(({ waiting }) => waiting)).toEqual([1, 1, 1])
  })

  it('are not doubled for less than a crowd: unused ones count as sold when the stock is lost (I2)', async () => {
    const { store, spend } = openAdmissions(300)
    for (let i = 0; i < 6; i += 1) await spend()
    expect(store.asks.map(({ waiting }) => waiting)).toEqual([1, 1, 1])
  })

  it('are requested without those that later checks gave back', async () => {
    const { store, spend } = openAdmissions(1000)
    for (let i = 0; i < 40; i += 1) {
      const admission = await spend()
      if (admission.kind === 'admitted' && i % 2 === 0) admission.release()
    }
    expect(Math.max(...store.asks.map(({ waiting }) => waiting))).toBeLessThanOrEqual(32)
  })

  it('are leased to 64 instances of a crowd by fewer than three requests each, none stranded (G3, G5)', async () => {
    const time = { now: startOfTests }
    const store = fakeStore({ [saleId]: openSaleFacts })
    store.replenish(saleId, 1000, { ratio: 1.2 })
    let granted = 0
    const counting: Pick<GateStore, 'admit'> = {
      async admit(...asked) {
        const lease = await store.admit(...asked)
        if (lease.kind === 'granted') granted += 1
        return lease
      },
    }
    const fleet = Array.from({ length: 64 }, () => openOver(counting, time))
    let used = 0
    for (let ms = 0; ms < 6000; ms += 20) {
      for (const { spend } of fleet) {
        if ((await spend()).kind === 'admitted') used += 1
      }
      time.now += 20
    }
    expect(used).toBe(1200)
    expect(granted).toBeLessThan(64 * 3)
  })

  it('are granted to waiting requests in the order of arrival', async () => {
    const { spend } = openAdmissions(3)
    expect(await kinds(Array.from({ length: 5 }, () => spend()))).toEqual([
      'admitted',
      'admitted',
      'admitted',
      'full',
      'full',
    ])
  })

  it('keep no request waiting for longer than a second, even while leases still arrive', async () => {
    const { time, store, spend, refusal } = openAdmissions(200)
    const slow: Pick<GateStore, 'admit'> = {
      admit(...asked) {
        time.now += 300
        return store.admit(...asked)
      },
    }
    const late = openOver(slow, time)
    const answers = await kinds(Array.from({ length: 300 }, () => late.spend()))
    expect(count(answers, 'admitted'), 'one, and fifty by each of three more questions').toBe(151)
    expect(count(answers, 'full')).toBe(149)
    expect(refusal(), 'the next request asks at once').toBeUndefined()
    expect((await spend()).kind).toBe('admitted')
  })

  it('are requested again one to two seconds after there were none, and not before (G4)', async () => {
    const waits = []
    for (let i = 0; i < 40; i++) {
      const { time, store, spend, refusal } = openAdmissions(0)
      await spend()
      while (refusal() === 'full') {
        expect(spend()).toEqual({ kind: 'full' })
        time.now += 10
      }
      expect(store.asks).toHaveLength(1)
      waits.push(time.now - startOfTests)
      await spend()
      expect(store.asks).toHaveLength(2)
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...waits)).toBeLessThanOrEqual(2010)
    expect(new Set(waits).size, 'no two instances together').toBeGreaterThan(10)
  })

  it('expire two seconds after the request, and the rest is returned once (G7)', async () => {
    const { time, store, spend } = openAdmissions(1024)
    await spend()
    time.now += leaseLifeMs - 1
    expect(spend()).toMatchObject({ kind: 'admitted' })
    time.now += 1
    await spend()
    expect(store.asks[1]).toEqual({ now: time.now, waiting: 1, returned: { second: startOfTests / 1000, count: 2 } })
    time.now += leaseLifeMs
    store.goDown()
    await spend()
    time.now += 250
    store.comeUp()
    await spend()
    expect(store.asks[2]?.returned).toMatchObject({ count: 3 })
    expect(store.asks[3], 'a second return would take it from another instance').toEqual({ now: time.now, waiting: 1 })
  })

  it('count the life of a lease from its request: an answer that took too long is worthless', async () => {
    const { time, store, spend } = openAdmissions(1024)
    const release = store.hold()
    const request = spend()
    time.now += leaseLifeMs
    release()
    expect((await request).kind).toBe('full')
    await spend()
    expect(store.asks[1]?.returned).toEqual({ second: startOfTests / 1000, count: 4 })
  })

  it('do not last longer when the clock is set back', async () => {
    const { time, store, spend } = openAdmissions(1024)
    await spend()
    time.now -= 1
    await spend()
    expect(store.asks).toHaveLength(2)
  })

  it('are returned to the store at once, and once, while the stock is recovered (I2)', async () => {
    const { store, admissions, spend } = openAdmissions(1024)
    await spend()
    admissions.returnUnspent(saleId)
    admissions.returnUnspent(saleId)
    expect(store.asks.slice(1)).toMatchObject([{ waiting: 0, returned: { count: 3 } }])
  })

  it('that are being requested, or unknown, are not returned', async () => {
    const { store, admissions, spend } = openAdmissions(1)
    admissions.returnUnspent(saleId)
    const asking = spend()
    admissions.returnUnspent(saleId)
    await asking
    admissions.returnUnspent(saleId)
    expect(store.asks).toHaveLength(1)
  })

  it('go back to their own lease when a request is refused later', async () => {
    const { time, store, spend } = openAdmissions(1)
    const first = await spend()
    if (first.kind !== 'admitted') throw new Error('there is one')
    first.release()
    expect(spend()).toMatchObject({ kind: 'admitted' })
    expect(store.asks).toHaveLength(1)
    const { spend: spendOther, store: other, time: otherTime } = openAdmissions(2)
    const old = await spendOther()
    if (old.kind !== 'admitted') throw new Error('there are two')
    otherTime.now += leaseLifeMs
    await spendOther()
    old.release()
    expect(await kinds([spendOther()]), 'the next lease has no more for it').toEqual(['full'])
    expect(other.asks).toHaveLength(3)
    expect(time.now).toBe(startOfTests)
  })

  it('are refused while the store is unavailable or does not know the sale, with four reads a second (I6)', async () => {
    const unknowing = fakeStore({})
    const unavailable = fakeStore({ [saleId]: openSaleFacts })
    unavailable.goDown()
    for (const store of [unknowing, unavailable]) {
      const { failures, refusal, spend, time } = openOver(store)
      for (let i = 0; i < 100; i++) {
        expect((await spend()).kind).toBe('unavailable')
        expect(refusal()).toBe('unavailable')
        time.now += 10
      }
      expect(store.asks).toHaveLength(4)
      expect(failures).toHaveLength(store === unavailable ? 4 : 0)
    }
  })

  it('of an unlimited stock are leased as others are, so that its rate holds (S4, R4)', async () => {
    const { store, spend, refusal } = openAdmissions()
    store.replenish(saleId, -1, { rate: 80 })
    const answers = await kinds(Array.from({ length: 100 }, () => spend()))
    expect(count(answers, 'admitted')).toBe(80)
    expect(count(answers, 'full')).toBe(20)
    expect(refusal()).toBe('full')
  })

  it('are requested again half a second to a second after the rate allowed none, and not before (R4)', async () => {
    const waits = []
    for (let i = 0; i < 40; i++) {
      const { time, store, spend, refusal } = openAdmissions(1000)
      store.replenish(saleId, 1000, { rate: 1 })
      expect(await kinds([spend(), spend()])).toEqual(['admitted', 'full'])
      const { length } = store.asks
      while (refusal() === 'full') {
        expect(spend()).toEqual({ kind: 'full' })
        time.now += 10
      }
      expect(store.asks).toHaveLength(length)
      waits.push(time.now - startOfTests)
      expect((await spend()).kind).toBe(time.now - startOfTests < 1000 ? 'full' : 'admitted')
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...waits)).toBeLessThanOrEqual(1010)
    expect(new Set(waits).size, 'no two instances together').toBeGreaterThan(10)
  })

  it('belong to one sale each, and a bounded number of sales is remembered', async () => {
    const { time, store, admissions } = openAdmissions(5)
    store.replenish(saleIdOf('phone-43'), 0)
    expect((await admissions.spend(saleIdOf('phone-43'), 0, time.now)).kind).toBe('full')
    expect((await admissions.spend(saleId, 0, time.now)).kind).toBe('admitted')
    for (let i = 0; i < 2000; i++) await admissions.spend(saleIdOf(`sale-${i}`), 0, time.now)
    expect(admissions.refusal(saleIdOf('phone-43'), 0, time.now), 'forgotten').toBeUndefined()
  })

  /**
   * Actions of 50 instances in any order: requests, concurrent requests, returned admissions, time, outages, lost
   * replies. The store counts; it must never see more admissions used than it granted and did not get back.
   */
  it('never exceed what was leased, in any order of events (G5)', async () => {
    const instances = 50
    const step = fc.record({
      instance: fc.nat(instances - 1),
      requests: fc.integer({ min: 0, max: 12 }),
      returned: fc.integer({ min: 0, max: 3 }),
      passMs: fc.constantFrom(0, 0, 1, 40, 300, 1999, 2000, 2500),
      store: fc.constantFrom('fine', 'fine', 'fine', 'unavailable', 'lost-reply'),
      restart: fc.constantFrom(false, false, false, true),
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), fc.array(step, { maxLength: 120 }), async (cap, steps) => {
        const time = { now: startOfTests }
        const store = fakeStore({ [saleId]: openSaleFacts })
        store.replenish(saleId, cap)
        let mode = 'fine'
        const faulty: Pick<GateStore, 'admit'> = {
          async admit(id, ask) {
            if (mode === 'unavailable') throw new Error('unavailable')
            const lease = await store.admit(id, ask)
            if (mode === 'lost-reply') throw new Error('lost')
            return lease
          },
        }
        const open = () => openOver(faulty, time).admissions
        const fleet = Array.from({ length: instances }, open)
        let used = 0
        for (const { instance, requests, returned, passMs, store: next, restart } of steps) {
          mode = next
          if (restart) fleet[instance] = open()
          const admissions = fleet[instance] ?? open()
          const crowd = Array.from({ length: requests }, () => admissions.spend(saleId, 0, time.now))
          const admitted = (await Promise.all(crowd)).filter((one) => one.kind === 'admitted')
          for (const one of admitted.slice(0, returned)) one.release()
          used += Math.max(0, admitted.length - returned)
          time.now += passMs
          expect(used).toBeLessThanOrEqual(store.handedOut(saleId))
          expect(store.handedOut(saleId)).toBeLessThanOrEqual(cap)
        }
      }),
      { numRuns: 150 },
    )
  })
})
