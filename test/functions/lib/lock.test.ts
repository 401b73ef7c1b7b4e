import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type LockPorts, systemTimers, withLock } from '../../../functions/lib/lock.ts'
import { watchLocks } from '../../../proof/simulation/parts/locks.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { lockKey } from '../../../redis/keys.ts'
import { acquireLock, releaseLock } from '../../../redis/lock.ts'
import { aSale } from '../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../redis/test-store.ts'

const redis = useRedis()

/** Sleeps, renewals and expiries share the time of the timers, which passes only while the test waits. */
async function pass(milliseconds: number): Promise<void> {
  await redis.settled()
  for (let left = milliseconds; left > 0; left -= 10) {
    await vi.advanceTimersByTimeAsync(Math.min(10, left))
    await redis.settled()
  }
}

const { saleId } = aSale()
let slept: number[]
let gate: TestStore
let locks: ReturnType<typeof watchLocks>
let ports: LockPorts

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'], now: 0 })
  slept = []
  locks = watchLocks(redis, Date.now, (what) => {
    throw new Error(what)
  })
  gate = testStore(locks, 'the lock store')
  let requests = 0
  const newId = () => {
    requests += 1
    return `request-${requests}`
  }
  ports = { gate, newId, sleep, every: systemTimers.every }
})
afterEach(() => vi.useRealTimers())

function sleep(milliseconds: number): Promise<void> {
  slept.push(milliseconds)
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Work that lasts until the test ends it. */
function someWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const seen: { signal?: AbortSignal } = {}
  const work = (signal: AbortSignal) => {
    seen.signal = signal
    return promise
  }
  return { work, finish: resolve, fail: reject, seen }
}

describe('a lock', () => {
  it('is held while the work runs, not only taken before it (K5, L8)', async () => {
    const { work, finish } = someWork()
    const done = withLock(ports, saleId, work)
    await pass(0)
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    finish('made')
    expect(await done).toEqual({ kind: 'done', value: 'made' })
    expect(locks.holder(lockKey(saleId))).toBeUndefined()
  })

  it('of one sale does not block another', async () => {
    const { work, finish } = someWork()
    const first = withLock(ports, saleId, work)
    expect(await withLock(ports, aSale().saleId, async () => 'other')).toEqual({ kind: 'done', value: 'other' })
    finish('')
    await first
  })

  it('rethrows the error of the work and is released', async () => {
    const broken = new Error('the work broke')
    await expect(withLock(ports, saleId, () => Promise.reject(broken))).rejects.toBe(broken)
    expect(locks.holder(lockKey(saleId))).toBeUndefined()
  })

  it('that cannot be acquired because the store is unavailable prevents the work (I6)', async () => {
    gate.goDown()
    let worked = false
    const tried = withLock(ports, saleId, async () => {
      worked = true
    })
    await expect(tried).rejects.toThrow(RedisUnavailable)
    expect(worked).toBe(false)
  })

  it('that cannot be released expires, and the work counts as done', async () => {
    const done = await withLock(ports, saleId, async () => {
      gate.goDown()
      return 'made'
    })
    expect(done).toEqual({ kind: 'done', value: 'made' })
    gate.comeUp()
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    await pass(9000)
    expect(locks.holder(lockKey(saleId))).toBeUndefined()
  })
})

describe('waiting for a lock', () => {
  it('ends after half a second with a try every 50 ms, without starting the work (K5)', async () => {
    await acquireLock(gate, saleId, 'another', 60_000)
    let worked = false
    const tried = withLock(ports, saleId, async () => {
      worked = true
    })
    await pass(499)
    expect(await Promise.race([tried, 'waiting'])).toBe('waiting')
    await pass(1)
    expect(await tried).toEqual({ kind: 'busy' })
    expect(slept).toEqual(Array.from({ length: 10 }, () => 50))
    expect(worked).toBe(false)
    expect(locks.holder(lockKey(saleId))).toBe('another')
  })

  it('acquires it as soon as it is free, instead of failing at once (K5)', async () => {
    await acquireLock(gate, saleId, 'another', 120)
    const tried = withLock(ports, saleId, async () => Date.now())
    await pass(500)
    expect(await tried).toEqual({ kind: 'done', value: 150 })
  })
})

describe('work that takes longer than the lock lasts', () => {
  it('keeps it, by renewing it on the way (K6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await pass(60_000)
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    expect(seen.signal?.aborted).toBe(false)
    finish('late')
    expect(await done).toEqual({ kind: 'done', value: 'late' })
    expect(vi.getTimerCount(), 'renewals end with the work').toBe(0)
    await pass(60_000)
    expect(locks.holder(lockKey(saleId))).toBeUndefined()
  })

  it('is notified when the lock is lost, and does not free the lock of the new holder (K4, K6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await pass(0)
    await releaseLock(gate, saleId, 'request-1')
    await acquireLock(gate, saleId, 'another', 60_000)
    await pass(3000)
    expect(seen.signal?.aborted).toBe(true)
    expect(String(seen.signal?.reason)).toContain(`the lock of ${saleId} was lost`)
    finish('')
    await done
    expect(locks.holder(lockKey(saleId))).toBe('another')
  })

  it('survives two renewals that find the store unavailable (K6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    gate.goDown()
    await pass(2 * 2250)
    gate.comeUp()
    await pass(30_000)
    expect(seen.signal?.aborted).toBe(false)
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    finish('')
    await done
  })

  it('is notified when the store stays unavailable for as long as the lock lasts: others may hold it by then (K6, I6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await pass(2250)
    gate.goDown()
    await pass(8999)
    expect(seen.signal?.aborted).toBe(false)
    await pass(1)
    expect(seen.signal?.aborted).toBe(true)
    finish('')
    await done
  })
})
