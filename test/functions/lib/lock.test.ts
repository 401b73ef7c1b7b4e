import { beforeEach, describe, expect, it } from 'vitest'
import { type LockPorts, realWaiting, withLock } from '../../../functions/lib/lock.ts'
import { watchLocks } from '../../../proof/simulation/parts/locks.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { lockKey } from '../../../redis/keys.ts'
import { acquireLock, releaseLock } from '../../../redis/lock.ts'
import { aSale } from '../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../redis/test-store.ts'

const redis = useRedis()

/** Time that passes only while the test waits: sleeps and renewals share one timeline. */
function virtualTime() {
  let now = 0
  const due: { at: number; run: () => void }[] = []
  const time = {
    now: () => now,
    slept: [] as number[],
    sleep(milliseconds: number) {
      time.slept.push(milliseconds)
      return new Promise<void>((resolve) => {
        due.push({ at: now + milliseconds, run: resolve })
      })
    },
    every(milliseconds: number, task: () => void) {
      let stopped = false
      const next = (at: number) => {
        due.push({
          at,
          run() {
            if (stopped) return
            next(at + milliseconds)
            task()
          },
        })
      }
      next(now + milliseconds)
      return () => {
        stopped = true
      }
    },
    /** Advances by `milliseconds`, running everything that becomes due. */
    async pass(milliseconds: number) {
      const end = now + milliseconds
      await redis.settled()
      for (;;) {
        due.sort((a, b) => a.at - b.at)
        const [first] = due
        if (first === undefined || first.at > end) break
        due.shift()
        now = first.at
        first.run()
        await redis.settled()
      }
      now = end
    },
  }
  return time
}

const { saleId } = aSale()
let time: ReturnType<typeof virtualTime>
let gate: TestStore
let locks: ReturnType<typeof watchLocks>
let ports: LockPorts

beforeEach(() => {
  time = virtualTime()
  locks = watchLocks(redis, time.now, (what) => {
    throw new Error(what)
  })
  gate = testStore(locks, 'the lock store')
  let requests = 0
  const newId = () => {
    requests += 1
    return `request-${requests}`
  }
  ports = { gate, newId, sleep: time.sleep, every: time.every }
})

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
    await time.pass(0)
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
    await time.pass(9000)
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
    await time.pass(499)
    expect(await Promise.race([tried, 'waiting'])).toBe('waiting')
    await time.pass(1)
    expect(await tried).toEqual({ kind: 'busy' })
    expect(time.slept).toEqual(Array.from({ length: 10 }, () => 50))
    expect(worked).toBe(false)
    expect(locks.holder(lockKey(saleId))).toBe('another')
  })

  it('acquires it as soon as it is free, instead of failing at once (K5)', async () => {
    await acquireLock(gate, saleId, 'another', 120)
    const tried = withLock(ports, saleId, async () => time.now())
    await time.pass(500)
    expect(await tried).toEqual({ kind: 'done', value: 150 })
  })

  it('gives it to several waiters one after the other', async () => {
    const busy: string[] = []
    let atWork = 0
    const tries = ['a', 'b', 'c'].map((name) =>
      withLock(ports, saleId, async () => {
        atWork += 1
        expect(atWork).toBe(1)
        busy.push(name)
        await time.sleep(60)
        atWork -= 1
      }),
    )
    await time.pass(500)
    expect(new Set((await Promise.all(tries)).map(({ kind }) => kind))).toEqual(new Set(['done']))
    expect(busy.toSorted()).toEqual(['a', 'b', 'c'])
  })
})

describe('work that takes longer than the lock lasts', () => {
  it('keeps it, by renewing it on the way (K6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await time.pass(60_000)
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    expect(seen.signal?.aborted).toBe(false)
    finish('late')
    expect(await done).toEqual({ kind: 'done', value: 'late' })
    await time.pass(60_000)
    expect(locks.holder(lockKey(saleId))).toBeUndefined()
  })

  it('is notified when the lock is lost, and does not free the lock of the new holder (K4, K6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await time.pass(0)
    await releaseLock(gate, saleId, 'request-1')
    await acquireLock(gate, saleId, 'another', 60_000)
    await time.pass(3000)
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
    await time.pass(2 * 2250)
    gate.comeUp()
    await time.pass(30_000)
    expect(seen.signal?.aborted).toBe(false)
    expect(locks.holder(lockKey(saleId))).toBe('request-1')
    finish('')
    await done
  })

  it('is notified when the store stays unavailable for as long as the lock lasts: others may hold it by then (K6, I6)', async () => {
    const { work, finish, seen } = someWork()
    const done = withLock(ports, saleId, work)
    await time.pass(2250)
    gate.goDown()
    await time.pass(8999)
    expect(seen.signal?.aborted).toBe(false)
    await time.pass(1)
    expect(seen.signal?.aborted).toBe(true)
    finish('')
    await done
  })
})

describe('real timers', () => {
  it('sleep, and repeat a task until it is stopped', async () => {
    let runs = 0
    const stop = realWaiting.every(5, () => {
      runs += 1
    })
    while (runs < 3) await realWaiting.sleep(5)
    stop()
    const then = runs
    await realWaiting.sleep(30)
    expect(runs).toBe(then)
  })
})
