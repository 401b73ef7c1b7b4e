import { describe, expect, it } from 'vitest'
import type { Command, Commander } from '../../redis/command.ts'
import { RedisUnavailable } from '../../redis/errors.ts'
import { lockKey, stockKeys } from '../../redis/keys.ts'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'
import { aSale, raw, useRedisRig } from './support.ts'

const rig = useRedisRig()

const longMs = 60_000
const leftMs = async (key: string) => Number(await raw(rig.redis, 'PTTL', key))

/** Notes the commands that it sends. */
function recording(): Commander & { sent: Command[] } {
  const sent: Command[] = []
  return {
    sent,
    exec(args) {
      sent.push(args)
      return rig.redis.exec(args)
    },
  }
}

describe('a lock', () => {
  it('is held by one request at a time, separately for each sale (K1, K3)', async () => {
    const [{ saleId }, other] = [aSale(), aSale()]
    const tries = ['a', 'b', 'c'].map((request) => acquireLock(rig.redis, saleId, request, longMs))
    expect((await Promise.all(tries)).filter((got) => got)).toHaveLength(1)
    expect(await acquireLock(rig.redis, other.saleId, 'b', longMs)).toBe(true)
  })

  it('is one command with its expiry, so that it ends if its process dies (K3)', async () => {
    const { saleId } = aSale()
    const dying = recording()
    expect(await acquireLock(dying, saleId, 'request-1', longMs)).toBe(true)
    expect(dying.sent).toHaveLength(1)
    expect(await leftMs(lockKey(saleId))).toBeGreaterThan(longMs - 10_000)
  })

  it('expires also if the reply to its holder was lost (K3)', async () => {
    const { saleId } = aSale()
    const deaf: Commander = {
      async exec(args) {
        await rig.redis.exec(args)
        throw new Error('the reply was lost')
      },
    }
    await expect(acquireLock(deaf, saleId, 'request-1', longMs)).rejects.toThrow(RedisUnavailable)
    expect(await acquireLock(rig.redis, saleId, 'request-2', longMs)).toBe(false)
    expect(await leftMs(lockKey(saleId)), 'it runs out').toBeGreaterThan(0)
    await raw(rig.redis, 'PEXPIRE', lockKey(saleId), '0')
    expect(await acquireLock(rig.redis, saleId, 'request-2', longMs)).toBe(true)
  })

  it('is neither released nor renewed by a request that does not hold it, or no longer does (K4, K5)', async () => {
    const { saleId } = aSale()
    await acquireLock(rig.redis, saleId, 'request-1', longMs)
    await raw(rig.redis, 'PEXPIRE', lockKey(saleId), '0')
    await acquireLock(rig.redis, saleId, 'request-2', longMs)
    for (const other of ['request-1', 'request-3']) {
      expect(await releaseLock(rig.redis, saleId, other)).toBe(false)
      expect(await renewLock(rig.redis, saleId, other, 2 * longMs)).toBe(false)
    }
    expect(await raw(rig.redis, 'GET', lockKey(saleId))).toBe('request-2')
    expect(await leftMs(lockKey(saleId))).toBeLessThanOrEqual(longMs)
  })

  it('is compared and deleted in one step, between whose parts it cannot change its holder (K4)', async () => {
    const { saleId } = aSale()
    const atOnce = recording()
    await acquireLock(rig.redis, saleId, 'request-1', longMs)
    await releaseLock(atOnce, saleId, 'request-1')
    expect(atOnce.sent.map(([name]) => name)).not.toContain('GET')
    expect(atOnce.sent.map(([name]) => name)).not.toContain('DEL')
  })

  it('lasts longer when its holder renews it, and is released by that holder once (K4, K6)', async () => {
    const { saleId } = aSale()
    await acquireLock(rig.redis, saleId, 'a', longMs)
    expect(await renewLock(rig.redis, saleId, 'a', 2 * longMs)).toBe(true)
    expect(await leftMs(lockKey(saleId))).toBeGreaterThan(longMs)
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
