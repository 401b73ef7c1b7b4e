/** One suite for every store of locks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Locks } from '../../functions/lib/lock.ts'
import { redisLocks } from '../../functions/stores/locks.redis.ts'
import { aSale, type RedisRig, startRedisRig } from '../redis/support.ts'
import { memoryLocks } from './fakes/locks.ts'

type Rig = { locks: Locks; pass: (milliseconds: number) => Promise<void>; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  let now = 0
  return {
    locks: memoryLocks(() => now),
    pass: async (milliseconds) => {
      now += milliseconds
    },
    stop: async () => {},
  }
}

async function inRedis(): Promise<Rig> {
  const rig: RedisRig = await startRedisRig()
  return {
    locks: redisLocks(rig.redis),
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    stop: rig.stop,
  }
}

/** Longer than any test takes while it holds a lock. */
const longMs = 60_000

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('locks in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('are held by one request at a time, per sale (K1, K3)', async () => {
    const { locks } = rig
    const [{ saleId }, other] = [aSale(), aSale()]
    const tries = ['a', 'b', 'c'].map((requestId) => locks.acquire(saleId, requestId, longMs))
    expect((await Promise.all(tries)).filter((got) => got)).toHaveLength(1)
    expect(await locks.acquire(other.saleId, 'b', longMs)).toBe(true)
  })

  it('are freed by their holder only, once (K4)', async () => {
    const { locks } = rig
    const { saleId } = aSale()
    await locks.acquire(saleId, 'a', longMs)
    expect(await locks.release(saleId, 'b')).toBe(false)
    expect(await locks.acquire(saleId, 'b', longMs)).toBe(false)
    expect(await locks.release(saleId, 'a')).toBe(true)
    expect(await locks.release(saleId, 'a')).toBe(false)
    expect(await locks.acquire(saleId, 'b', longMs)).toBe(true)
  })

  it('expire by themselves, and are then lost to their holder (K3)', async () => {
    const { locks, pass } = rig
    const { saleId } = aSale()
    await locks.acquire(saleId, 'a', 30)
    await pass(60)
    expect(await locks.renew(saleId, 'a', longMs)).toBe(false)
    expect(await locks.acquire(saleId, 'b', longMs)).toBe(true)
    expect(await locks.release(saleId, 'a')).toBe(false)
    expect(await locks.renew(saleId, 'b', longMs)).toBe(true)
  })

  it('last longer when their holder renews them, and only then (K6)', async () => {
    const { locks, pass } = rig
    const { saleId } = aSale()
    await locks.acquire(saleId, 'a', 200)
    expect(await locks.renew(saleId, 'b', longMs)).toBe(false)
    expect(await locks.renew(saleId, 'a', longMs)).toBe(true)
    await pass(250)
    expect(await locks.acquire(saleId, 'b', longMs)).toBe(false)
    expect(await locks.release(saleId, 'a')).toBe(true)
  })
})
