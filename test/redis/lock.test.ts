/** Our lock beside well-known faulty ones: each fault is demonstrated, and ours avoids it. */
import { describe, expect, it } from 'vitest'
import type { Command, Commander } from '../../redis/command.ts'
import { RedisUnavailable } from '../../redis/errors.ts'
import { lockKey, stockKeys } from '../../redis/keys.ts'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'
import { aSale, raw, useRedisRig } from './support.ts'

const rig = useRedisRig()

const get = (key: string) => raw(rig.redis, 'GET', key)
const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const longMs = 60_000

/** Sends what it is given until `commands` commands were sent, then behaves like a killed process. */
function dyingAfter(commands: number): Commander & { sent: Command[] } {
  const sent: Command[] = []
  return {
    sent,
    exec(args) {
      if (sent.length === commands) return new Promise(() => {})
      sent.push(args)
      return rig.redis.exec(args)
    },
  }
}

describe('SETNX and then EXPIRE', () => {
  it('leave a lock for ever if the process dies between them; ours is one command with its expiry (K3)', async () => {
    const naive = dyingAfter(1)
    await naive.exec(['SETNX', 'lock:naive', 'request-1'])
    void naive.exec(['EXPIRE', 'lock:naive', '1'])
    expect(await raw(rig.redis, 'PTTL', 'lock:naive')).toBe(-1)

    const { saleId } = aSale()
    const dying = dyingAfter(1)
    expect(await acquireLock(dying, saleId, 'request-1', longMs)).toBe(true)
    expect(dying.sent).toHaveLength(1)
    expect(Number(await raw(rig.redis, 'PTTL', lockKey(saleId)))).toBeGreaterThan(longMs - 10_000)
  })

  it('both fail after a lost reply, while ours expires with or without the reply (K3)', async () => {
    const { saleId } = aSale()
    const deaf: Commander = {
      async exec(args) {
        await rig.redis.exec(args)
        throw new Error('the reply was lost')
      },
    }
    await expect(acquireLock(deaf, saleId, 'request-1', longMs)).rejects.toThrow(RedisUnavailable)
    expect(await acquireLock(rig.redis, saleId, 'request-2', longMs)).toBe(false)
    expect(Number(await raw(rig.redis, 'PTTL', lockKey(saleId))), 'it runs out').toBeGreaterThan(0)
    await raw(rig.redis, 'PEXPIRE', lockKey(saleId), '0')
    expect(await acquireLock(rig.redis, saleId, 'request-2', longMs)).toBe(true)
  })
})

describe('the user id as owner', () => {
  it('lets the first request of a user free the lock of their second one after expiry; a request id does not (K4)', async () => {
    const { saleId } = aSale()
    await acquireLock(rig.redis, saleId, 'user-7', 30)
    await passed(50)
    await acquireLock(rig.redis, saleId, 'user-7', longMs)
    expect(await releaseLock(rig.redis, saleId, 'user-7'), 'the first request frees the second one').toBe(true)
    expect(await get(lockKey(saleId))).toBeNull()

    const { saleId: ours } = aSale()
    await acquireLock(rig.redis, ours, 'request-1', 30)
    await passed(50)
    await acquireLock(rig.redis, ours, 'request-2', longMs)
    expect(await releaseLock(rig.redis, ours, 'request-1')).toBe(false)
    expect(await renewLock(rig.redis, ours, 'request-1', longMs)).toBe(false)
    expect(await get(lockKey(ours))).toBe('request-2')
  })
})

describe('unlocking in `finally` without holding it', () => {
  it('frees the lock of another holder with a bare DEL, and not with ours (K4, K5)', async () => {
    await raw(rig.redis, 'SET', 'lock:bare', 'request-1', 'NX', 'PX', '60000')
    expect(await raw(rig.redis, 'SET', 'lock:bare', 'request-2', 'NX', 'PX', '60000')).toBeNull()
    expect(await raw(rig.redis, 'DEL', 'lock:bare'), 'request-2 gives up and cleans up').toBe(1)

    const { saleId } = aSale()
    await acquireLock(rig.redis, saleId, 'request-1', longMs)
    expect(await acquireLock(rig.redis, saleId, 'request-2', longMs)).toBe(false)
    expect(await releaseLock(rig.redis, saleId, 'request-2')).toBe(false)
    expect(await get(lockKey(saleId))).toBe('request-1')
  })

  it('reads and deletes in two steps in the sources, between which the lock can change its holder (K4)', async () => {
    await raw(rig.redis, 'SET', 'lock:steps', 'request-1', 'PX', '60000')
    const isOurs = (await get('lock:steps')) === 'request-1'
    await raw(rig.redis, 'PEXPIRE', 'lock:steps', '0')
    await raw(rig.redis, 'SET', 'lock:steps', 'request-2', 'NX', 'PX', '60000')
    if (isOurs) await raw(rig.redis, 'DEL', 'lock:steps')
    expect(await get('lock:steps'), 'request-2 lost its lock').toBeNull()

    const { saleId } = aSale()
    const atOnce = dyingAfter(2)
    await acquireLock(rig.redis, saleId, 'request-1', longMs)
    await releaseLock(atOnce, saleId, 'request-1')
    expect(atOnce.sent.map(([name]) => name)).not.toContain('GET')
    expect(atOnce.sent.map(([name]) => name)).not.toContain('DEL')
  })
})

describe('a counter used as a lock', () => {
  it('stays below zero after two concurrent requests, while a request that does not get ours leaves nothing behind (K1)', async () => {
    await raw(rig.redis, 'SET', 'lock:counter', '1')
    expect(await raw(rig.redis, 'DECR', 'lock:counter')).toBe(0)
    expect(await raw(rig.redis, 'DECR', 'lock:counter')).toBe(-1)
    await raw(rig.redis, 'INCR', 'lock:counter')
    expect(await raw(rig.redis, 'DECR', 'lock:counter'), 'the holder left, and no request gets in').toBe(-1)

    const { saleId } = aSale()
    await acquireLock(rig.redis, saleId, 'request-1', longMs)
    for (const loser of ['request-2', 'request-3']) await acquireLock(rig.redis, saleId, loser, longMs)
    await releaseLock(rig.redis, saleId, 'request-1')
    expect(await acquireLock(rig.redis, saleId, 'request-4', longMs)).toBe(true)
  })
})

describe('a lock', () => {
  it('is held by one request at a time, separately for each sale (K1, K3)', async () => {
    const [{ saleId }, other] = [aSale(), aSale()]
    const tries = ['a', 'b', 'c'].map((request) => acquireLock(rig.redis, saleId, request, longMs))
    expect((await Promise.all(tries)).filter((got) => got)).toHaveLength(1)
    expect(await acquireLock(rig.redis, other.saleId, 'b', longMs)).toBe(true)
  })

  it('lasts longer only when its holder renews it, and is released by that holder once (K4, K6)', async () => {
    const { saleId } = aSale()
    // By the expiry that Redis shows: a term so short that the test could wait for its end may end before its renewal.
    const leftMs = async () => Number(await raw(rig.redis, 'PTTL', lockKey(saleId)))
    await acquireLock(rig.redis, saleId, 'a', longMs)
    expect(await renewLock(rig.redis, saleId, 'b', 2 * longMs)).toBe(false)
    expect(await leftMs()).toBeLessThanOrEqual(longMs)
    expect(await renewLock(rig.redis, saleId, 'a', 2 * longMs)).toBe(true)
    expect(await leftMs()).toBeGreaterThan(longMs)
    expect(await acquireLock(rig.redis, saleId, 'b', longMs)).toBe(false)
    expect(await releaseLock(rig.redis, saleId, 'a')).toBe(true)
    expect(await releaseLock(rig.redis, saleId, 'a')).toBe(false)
    expect(await acquireLock(rig.redis, saleId, 'b', longMs)).toBe(true)
  })
})

it('the key of a lock has nothing in common with the stock’s, which lives in another store (K2)', () => {
  const { saleId } = aSale()
  expect(lockKey(saleId)).toBe(`lock:{${saleId}}`)
  expect(Object.values(stockKeys(saleId))).not.toContain(lockKey(saleId))
})
