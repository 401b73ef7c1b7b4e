import { describe, expect, it } from 'vitest'
import { admissionExpiryMs } from '../../../core/gate/admission.ts'
import type { SaleId } from '../../../core/ids.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import { admit, type UnusedAdmissions } from '../../../redis/gate/admit.ts'
import { completeAdmissions, type StockSeen } from '../../../redis/gate/complete-admissions.ts'
import { publishRate, readAdmissions, replenish, type StockSnapshot } from '../../../redis/gate/replenish.ts'
import { admissionsKey } from '../../../redis/keys.ts'
import { pairs } from '../../../redis/reply.ts'
import { aSale, commandCounts, raw, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const second = 1_800_000_000
const now = second * 1000

const ask = (saleId: SaleId, at = now, returned?: UnusedAdmissions) =>
  admit(rig.redis, saleId, { now: at, waiting: 1, ...(returned === undefined ? {} : { returned }) })
const publish = (saleId: SaleId, truth: Partial<StockSnapshot> = {}) =>
  replenish(rig.redis, saleId, { asOf: now, total: 1000, booked: 0, stockRevision: 0, epoch: 1, ratio: 1.2, ...truth })
const publishedSale = async (truth: Partial<StockSnapshot> = {}) => {
  const { saleId } = aSale()
  await publish(saleId, truth)
  return saleId
}
const everythingOf = async (saleId: SaleId) =>
  new Map(pairs(await raw(rig.redis, 'HGETALL', admissionsKey(saleId)), 'admissions'))

describe('admissions (G3, G4, G5)', () => {
  it('of an unlimited stock never end, and are counted as others are, because of its rate (S4, R4)', async () => {
    const saleId = await publishedSale({ total: -1, maxRate: 2560 })
    for (let turn = 1; turn <= 20; turn += 1) {
      expect(await ask(saleId)).toEqual({ kind: 'granted', count: 10, second })
    }
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ total: -1, remaining: -1, out: 200 })
  })

  it('are unknown until units and a ratio are published (I6)', async () => {
    const { saleId } = aSale()
    expect(await ask(saleId)).toEqual({ kind: 'unknown' })
    expect(await readAdmissions(rig.redis, saleId)).toBeUndefined()
    expect(await everythingOf(saleId)).toEqual(new Map())
    const unrated = { asOf: now, total: 5, booked: 0, stockRevision: 0, epoch: 1 }
    expect(await replenish(rig.redis, saleId, unrated)).toMatchObject({ kind: 'replenished', rate: undefined })
    expect(await readAdmissions(rig.redis, saleId)).toBeUndefined()
    expect(await ask(saleId)).toEqual({ kind: 'unknown' })
    expect(await publish(saleId, { total: 5 })).toMatchObject({ kind: 'replenished' })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ remaining: 6 })
    expect(await ask(saleId)).toMatchObject({ kind: 'granted' })
  })

  it.each([undefined, 4])(
    'cost one read and two writes, and one read when none are granted (at most %s a second)',
    async (maxRate) => {
      const saleId = await publishedSale({ total: 1, ratio: 1, ...(maxRate && { total: 100_000, maxRate }) })
      const own = new Set(['evalsha', 'eval', 'info', 'config|resetstat'])
      const commandsOf = async (work: () => Promise<unknown>) => {
        await raw(rig.redis, 'CONFIG', 'RESETSTAT')
        await work()
        const counts = await commandCounts(rig.redis)
        return Object.fromEntries([...counts].filter(([name]) => !own.has(name)))
      }
      expect(await commandsOf(() => ask(saleId))).toEqual({ hmget: 1, hincrby: 1, hset: 1 })
      expect(await commandsOf(() => ask(saleId))).toEqual({ hmget: 1 })
    },
  )

  it('in a key that is not a hash are a fault', async () => {
    const { saleId } = aSale()
    await raw(rig.redis, 'SET', admissionsKey(saleId), 'text')
    await expect(ask(saleId)).rejects.toThrow(UnexpectedReply)
  })
})

describe('the rate of admissions (R4)', () => {
  /** Returns the leases of `instances` that each request ten once, with `clockOff` ms from `at`. */
  const askAll = async (saleId: SaleId, at: number, instances: number, clockOff = (_: number) => 0) => {
    const leases = await Promise.all(
      Array.from({ length: instances }, (_, nth) => admit(rig.redis, saleId, { now: at + clockOff(nth), waiting: 10 })),
    )
    return leases.reduce((sum, lease) => sum + (lease.kind === 'granted' ? lease.count : 0), 0)
  }
  const rated = (maxRate: number, truth: Partial<StockSnapshot> = {}) =>
    publishedSale({ total: 100_000, maxRate, ...truth })

  it('holds over all instances: in a second as many as it says, and as many again in the next', async () => {
    const saleId = await rated(200)
    for (const turn of [0, 1, 2, 5]) {
      expect(await askAll(saleId, now + turn * 1000 + 999, 64)).toBe(200)
      expect(await ask(saleId, now + turn * 1000 + 999)).toEqual({ kind: 'throttled' })
    }
  })

  it('grants a quarter at the start of a second and the rest as it passes', async () => {
    const saleId = await rated(200)
    const granted: number[] = []
    for (const ms of [0, 0, 250, 500, 750, 999]) granted.push(await askAll(saleId, now + ms, 64))
    expect(granted).toEqual([50, 0, 50, 50, 50, 0])
  })

  it('of one in a second grants one', async () => {
    const saleId = await rated(1)
    expect(await askAll(saleId, now, 64)).toBe(1)
    expect(await askAll(saleId, now + 999, 64)).toBe(0)
    expect(await askAll(saleId, now + 1000, 64)).toBe(1)
  })

  it('leaves none of a second to an instance that only asks ahead beyond a 256th', async () => {
    const saleId = await rated(2560)
    expect(await ask(saleId, now + 999)).toMatchObject({ count: 10 })
  })

  it('counts decided requests too, and not what is returned in the same second', async () => {
    const saleId = await rated(20)
    expect(await askAll(saleId, now + 999, 2)).toBe(20)
    await completeAdmissions(rig.redis, saleId, {
      seconds: Array.from({ length: 10 }, () => second),
      seen: undefined,
      now,
    })
    expect(await ask(saleId, now + 999)).toEqual({ kind: 'throttled' })
    const returned = { second, count: 6 }
    expect(await admit(rig.redis, saleId, { now: now + 999, waiting: 50, returned })).toMatchObject({ count: 6 })
    expect(await ask(saleId, now + 999)).toEqual({ kind: 'throttled' })
  })

  it('does not grow by what is returned later: the second has passed', async () => {
    const saleId = await rated(20)
    expect(await askAll(saleId, now + 999, 2)).toBe(20)
    expect(await askAll(saleId, now + 1999, 1)).toBe(10)
    const returned = { second, count: 15 }
    expect(await admit(rig.redis, saleId, { now: now + 1999, waiting: 50, returned })).toMatchObject({ count: 10 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 25 })
  })

  it('holds in the seconds of the fastest clock, with clocks that differ by a second', async () => {
    const saleId = await rated(200)
    const spread = (nth: number) => ((nth * 37) % 2000) - 1000
    let granted = 0
    const seconds = 10
    for (let ms = 0; ms < seconds * 1000; ms += 50) granted += await askAll(saleId, now + ms, 8, spread)
    // Seconds from the slowest clock's first to the fastest clock's last.
    expect(granted).toBeLessThanOrEqual((seconds + 1) * 200)
    // At least a quarter of each second is granted at its start.
    expect(granted).toBeGreaterThanOrEqual((seconds * 200) / 4)
    const fields = await everythingOf(saleId)
    const buckets = [...fields].filter(([name]) => /^b\d+$/.test(name)).map(([, count]) => Number(count))
    expect(Math.max(...buckets)).toBeLessThanOrEqual(200)
  })

  it('is the same for a clock that is late: it names no earlier second', async () => {
    const saleId = await rated(40)
    expect(await askAll(saleId, now + 1000, 64)).toBe(10)
    expect(await askAll(saleId, now + 999, 64)).toBe(0)
    expect((await everythingOf(saleId)).has(`b${second}`)).toBe(false)
  })

  it('blocks a sale for no longer than until the next count after a clock that is an hour ahead', async () => {
    const saleId = await rated(8)
    await askAll(saleId, now + 3_600_000, 64)
    expect(await askAll(saleId, now + 1000, 64)).toBe(0)
    await publish(saleId, { total: 100_000, asOf: now + 2000 })
    expect(await askAll(saleId, now + 2999, 64)).toBe(8)
  })

  it('begins with the setting, follows what is published, and is never above the setting (R8)', async () => {
    const saleId = await publishedSale()
    const rate = async () => (await readAdmissions(rig.redis, saleId))?.rate
    expect(await rate()).toBeUndefined()
    expect(await publish(saleId, { maxRate: 100 })).toMatchObject({ kind: 'replenished', rate: 100 })
    expect(await publish(saleId, { maxRate: 100, rate: 30 })).toMatchObject({ kind: 'replenished', rate: 30 })
    expect(await publish(saleId, { maxRate: 100 }), 'a change of the sale').toMatchObject({ rate: 30 })
    expect(await publish(saleId, {}), 'a release of units').toMatchObject({ rate: 30 })
    expect(await publish(saleId, { maxRate: 100, rate: 900 })).toMatchObject({ rate: 100 })
    expect(await publish(saleId, { maxRate: 7 })).toMatchObject({ rate: 7 })
    expect(await rate()).toBe(7)
    expect(await publish(saleId, { asOf: now - 1, maxRate: 100, rate: 50 })).toEqual({ kind: 'superseded' })
    expect(await rate()).toBe(7)
  })

  it('can be published while the stock does not answer, and changes no count (R8)', async () => {
    const saleId = await publishedSale({ total: 10, booked: 4, ratio: 1, maxRate: 100 })
    await ask(saleId)
    const before = await everythingOf(saleId)
    const change = { asOf: now + 60_000, maxRate: 100, rate: 10 }
    expect(await publishRate(rig.redis, saleId, change)).toMatchObject({ kind: 'replenished', rate: 10 })
    expect(await everythingOf(saleId)).toEqual(new Map([...before, ['rate', '10']]))
    expect(await publishRate(rig.redis, saleId, { ...change, asOf: now - 1, rate: 50 })).toEqual({ kind: 'superseded' })
  })
})

it('the rest of a lease is ignored when its bucket has less, or is settled', async () => {
  const saleId = await publishedSale({ total: 12_800, ratio: 1 })
  await ask(saleId)
  await ask(saleId, now, { second, count: 51 })
  await ask(saleId, now, { second: second - 1, count: 1 })
  expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 150 })
  await publish(saleId, { asOf: now + 1000 + admissionExpiryMs })
  expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 0 })
  await ask(saleId, now + 60_000, { second, count: 1 })
  expect((await everythingOf(saleId)).has(`b${second}`)).toBe(false)
})

describe('replenishing admissions (G7)', () => {
  it('replaces a key that is not a hash, because that would reject every request (I6)', async () => {
    const { saleId } = aSale()
    await raw(rig.redis, 'SET', admissionsKey(saleId), 'not ours')
    expect(await publish(saleId, { total: 5, ratio: 1 })).toMatchObject({ kind: 'replenished' })
    expect(await ask(saleId)).toMatchObject({ kind: 'granted' })
  })

  it('frees unused admissions once they are settled, to the millisecond', async () => {
    const saleId = await publishedSale({ total: 10, ratio: 1 })
    for (let turn = 0; turn < 10; turn += 1) await ask(saleId, now + turn * 100)
    const last = now + 1000 + admissionExpiryMs
    const truth = { total: 10, ratio: 1, booked: 4 }
    await publish(saleId, { ...truth, asOf: last - 1 })
    expect(await readAdmissions(rig.redis, saleId)).toEqual({
      ...{ total: 10, booked: 4, maxBooked: 4, out: 10 },
      remaining: 0,
      asOf: last - 1,
      isComplete: true,
      rate: undefined,
    })
    await publish(saleId, { ...truth, asOf: last })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 0, remaining: 6 })
  })

  it('ignores an older snapshot', async () => {
    const saleId = await publishedSale({ total: 10, booked: 8, ratio: 1 })
    const before = await everythingOf(saleId)
    expect(await publish(saleId, { asOf: now - 1, total: 99, booked: 0, ratio: 5 })).toEqual({ kind: 'superseded' })
    expect(await everythingOf(saleId)).toEqual(before)
    expect(await publish(saleId, { total: 10, booked: 7, ratio: 1 })).toMatchObject({ kind: 'replenished' })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ remaining: 3 })
  })

  it('keeps the ratio when none is given, and sums up what is out', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1.5 })
    for (const at of [0, 0, 1000, 2500]) await ask(saleId, now + at)
    await raw(rig.redis, 'HSET', admissionsKey(saleId), 'out', '77')
    const truth = { asOf: now + 3000, total: 100, booked: 10, stockRevision: 0, epoch: 1 }
    await replenish(rig.redis, saleId, truth)
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 4, remaining: 150 - 10 - 4 })
  })

  it('dates no later admission before it, even from an instance whose clock is late', async () => {
    const saleId = await publishedSale({ asOf: now + 20_000 })
    expect(await ask(saleId, now)).toMatchObject({ kind: 'granted', second: second + 20 })
  })

  it('settles what accumulated in hours without it', async () => {
    const saleId = await publishedSale({ total: 1_000_000 })
    const fields = Array.from({ length: 20_000 }, (_, at) => [`b${second - at}`, '1']).flat()
    await raw(rig.redis, 'HSET', admissionsKey(saleId), ...fields)
    await publish(saleId, { total: 1_000_000, asOf: now + 60_000 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ out: 0 })
    const buckets = [...(await everythingOf(saleId)).keys()].filter((field) => /^b\d+$/.test(field))
    expect(buckets).toEqual([])
  })
})

describe('a stock that cannot be counted, because it is lost or frozen', () => {
  const withoutCount = { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }

  it('keeps the gate’s units and admissions, however long it lasts, and grants nothing (I2, I6)', async () => {
    const saleId = await publishedSale({ total: 10, booked: 4, stockRevision: 3, ratio: 1 })
    await ask(saleId)
    const seen = { booked: 5, stockRevision: 3 }
    await completeAdmissions(rig.redis, saleId, { seconds: [], seen, now })
    for (const later of [1000, 60_000]) await publish(saleId, { ...withoutCount, asOf: now + later })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ total: 0, booked: 5, out: 1 })
    expect(await ask(saleId, now + 60_000)).toEqual({ kind: 'none' })
    await completeAdmissions(rig.redis, saleId, {
      seconds: [second],
      seen: { booked: 6, stockRevision: 3 },
      now: now + 60_000,
    })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ booked: 6, out: 0 })
    await publish(saleId, { total: 10, booked: 2, stockRevision: 4, ratio: 1, epoch: 2, asOf: now + 70_000 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ total: 10, booked: 2, remaining: 8 })
  })

  it('has an earlier epoch than the last one: it was rolled back, so its count is ignored (I2)', async () => {
    const saleId = await publishedSale({ total: 10, booked: 4, epoch: 2, ratio: 1 })
    await publish(saleId, { total: 10, booked: 0, epoch: 1, ratio: 1, asOf: now + 1000 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ total: 0, booked: 4, remaining: 0 })
  })

  it.each([
    ['a sale that was counted before it was opened', { epoch: 0 }, 0, true],
    ['a store that began to know it settled admissions ago', {}, admissionExpiryMs, true],
    ['a store that has just begun to know it', {}, admissionExpiryMs - 1, false],
  ] as const)('%s: complete is %o after %i ms: %s', async (_of, truth, laterMs, isComplete) => {
    const saleId = await publishedSale(truth)
    await publish(saleId, { epoch: 1, asOf: now + laterMs })
    await publish(saleId, { ...withoutCount, asOf: now + laterMs + 60_000 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ isComplete })
  })

  it('is not complete in a store that knew nothing before (I2)', async () => {
    const saleId = await publishedSale({ ...withoutCount, ratio: 1 })
    await publish(saleId, { ...withoutCount, asOf: now + 60_000 })
    expect(await readAdmissions(rig.redis, saleId)).toMatchObject({ booked: 0, isComplete: false })
    expect(await ask(saleId, now + 60_000)).toEqual({ kind: 'none' })
  })
})

describe('decided clicks', () => {
  const decide = (saleId: SaleId, seen: StockSeen | undefined, at = now, count = 1) =>
    completeAdmissions(rig.redis, saleId, { seconds: Array.from({ length: count }, () => second), seen, now: at })
  const saw = (booked: number, stockRevision = 0): StockSeen => ({ booked, stockRevision })
  const read = (saleId: SaleId) => readAdmissions(rig.redis, saleId)
  /** Grants everything that is available in the bucket of `second`. */
  const drain = async (saleId: SaleId, at = now) => {
    let count = 0
    for (;;) {
      const lease = await admit(rig.redis, saleId, { now: at, waiting: 50 })
      if (lease.kind !== 'granted') return count
      count += lease.count
    }
  }

  it('are no longer out; those that took units are booked (G5, G7)', async () => {
    const saleId = await publishedSale({ total: 10, ratio: 1.2 })
    for (let i = 0; i < 3; i += 1) await ask(saleId)
    expect(await read(saleId)).toMatchObject({ booked: 0, out: 3, remaining: 9 })
    await decide(saleId, saw(2), now, 2)
    expect(await read(saleId)).toMatchObject({ booked: 2, out: 1, remaining: 9 })
    await decide(saleId, undefined)
    expect(await read(saleId)).toMatchObject({ booked: 2, out: 0, remaining: 10 })
  })

  it('free only their own admissions: none in a settled bucket, and no more than it has', async () => {
    const saleId = await publishedSale({ total: 10, ratio: 1 })
    await ask(saleId)
    await ask(saleId, now + 1000)
    await decide(saleId, undefined, now, 5)
    expect(await read(saleId)).toMatchObject({ out: 1 })
    await decide(saleId, undefined)
    expect(await read(saleId)).toMatchObject({ out: 1 })
  })

  it('survive an older count, even after older reports of other clicks', async () => {
    const saleId = await publishedSale({ total: 10, ratio: 1 })
    for (let i = 0; i < 3; i += 1) await ask(saleId)
    await decide(saleId, saw(3), now + 3000)
    await decide(saleId, saw(1), now + 500)
    await publish(saleId, { total: 10, ratio: 1, booked: 1, asOf: now + 1000 })
    expect(await read(saleId)).toMatchObject({ booked: 3 })
    await publish(saleId, { total: 10, ratio: 1, booked: 0, asOf: now + 5000 })
    expect(await read(saleId), 'a later count includes what was released').toMatchObject({ booked: 0 })
  })

  it('override a count until two seconds after the start of their second, for clocks that differ by a second (G5)', async () => {
    for (const [asOf, booked] of [
      [now + 1999, 3],
      [now + 2000, 0],
    ] as const) {
      const saleId = await publishedSale({ total: 10, ratio: 1 })
      await ask(saleId)
      await decide(saleId, saw(3), now + 999)
      await publish(saleId, { total: 10, ratio: 1, booked: 0, asOf })
      expect(await read(saleId), `counted ${asOf - now} ms later`).toMatchObject({ booked })
    }
  })

  it('count even if they saw fewer units booked than others did before a release (G5)', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1, booked: 50 })
    for (let i = 0; i < 2; i += 1) await ask(saleId)
    await decide(saleId, saw(51))
    // Twenty are released, are counted from the third second on, and one is taken right after the count.
    await decide(saleId, saw(32), now + 3100)
    await publish(saleId, { total: 100, ratio: 1, booked: 31, asOf: now + 3000 })
    expect(await read(saleId)).toMatchObject({ booked: 32 })
  })

  it('grant nothing twice when units were added before they are published to the gate (G5)', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1 })
    expect(await drain(saleId)).toBe(100)
    // All are decided, and find the hundred units that were added before the first of them.
    await decide(saleId, saw(100, 1), now + 100, 100)
    expect(await read(saleId)).toMatchObject({ booked: 100, out: 0, remaining: 0 })
    await publish(saleId, { asOf: now + 50, total: 200, booked: 0, stockRevision: 1, ratio: 1 })
    expect(await read(saleId)).toMatchObject({ booked: 100, out: 0, remaining: 100 })
    expect(await drain(saleId)).toBe(100)
  })

  it('block no request once the last unit was released, however shortly after (G7, O9)', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1, booked: 99 })
    await ask(saleId)
    await decide(saleId, saw(100), now + 100)
    expect(await read(saleId)).toMatchObject({ booked: 100, remaining: 0 })
    await publish(saleId, { asOf: now + 1000, total: 100, booked: 99, stockRevision: 1, ratio: 1 })
    expect(await read(saleId)).toMatchObject({ booked: 99, remaining: 1 })
    // A click from before is reported late.
    await decide(saleId, saw(100), now + 1100)
    expect(await ask(saleId, now + 1200)).toMatchObject({ kind: 'granted' })
  })

  it('of one revision count with the most units they saw, even if a count from before that revision comes in between', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1, booked: 100 })
    await decide(saleId, saw(95, 1), now + 500)
    await publish(saleId, { asOf: now + 600, total: 100, booked: 100, ratio: 1 })
    await decide(saleId, saw(82, 1), now + 400)
    expect(await read(saleId)).toMatchObject({ booked: 100 })
    await publish(saleId, { asOf: now + 700, total: 100, booked: 95, stockRevision: 1, ratio: 1 })
    expect(await read(saleId)).toMatchObject({ booked: 95, remaining: 5 })
  })

  it('that see fewer units booked than before let others in at once (G7)', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1 })
    expect(await drain(saleId)).toBe(100)
    await decide(saleId, saw(100), now, 90)
    await decide(saleId, saw(80, 1), now + 1000)
    expect(await read(saleId), 'no count since').toMatchObject({ booked: 80, out: 9 })
  })

  it('do not keep an old maximum alive one after the other (G7)', async () => {
    const saleId = await publishedSale({ total: 100, ratio: 1 })
    expect(await drain(saleId)).toBe(100)
    await decide(saleId, saw(99), now, 90)
    // Twenty are released into a stock that had something left, and one of the ten clicks is decided each second.
    for (let at = 1; at <= 2; at += 1) {
      await decide(saleId, saw(79 + at), now + at * 1000)
      await publish(saleId, { asOf: now + at * 1000 + 1, total: 100, booked: 79 + at, ratio: 1 })
    }
    expect(await read(saleId)).toMatchObject({ booked: 81, out: 8, remaining: 11 })
  })

  it('count as much as ever when units are taken away (G5, G7)', async () => {
    const saleId = await publishedSale({ total: 1000, ratio: 1 })
    expect(await drain(saleId)).toBe(1000)
    for (const booked of [200, 400]) await decide(saleId, saw(booked), now, 200)
    await publish(saleId, { asOf: now + 100, total: 500, booked: 400, ratio: 1 })
    await decide(saleId, saw(401), now + 200)
    for (const count of [200, 200, 160]) await decide(saleId, undefined, now + 200, count)
    expect(await read(saleId)).toMatchObject({ total: 500, booked: 401, out: 39, remaining: 60 })
    await publish(saleId, { asOf: now + 300, total: 500, booked: 401, ratio: 1 })
    expect(await drain(saleId, now + 400)).toBe(60)
  })

  it('of an unpublished or unlimited sale change nothing', async () => {
    const { saleId } = aSale()
    await decide(saleId, saw(5))
    expect(await everythingOf(saleId)).toEqual(new Map())
    const unlimited = await publishedSale({ total: -1 })
    await decide(unlimited, undefined)
    expect(await ask(unlimited)).toMatchObject({ kind: 'granted' })
  })
})
