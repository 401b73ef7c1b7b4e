/** Locks of sales on the clock of Redis. */
import { describe, expect, it } from 'vitest'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'
import { aSale } from './support.ts'
import { useRedis } from './test-store.ts'

const gate = useRedis()

const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Longer than any test needs a lock. */
const longMs = 60_000

describe('locks', () => {
  it('are held by one request at a time, separately for each sale (K1, K3)', async () => {
    const [{ saleId }, other] = [aSale(), aSale()]
    const tries = ['a', 'b', 'c'].map((requestId) => acquireLock(gate, saleId, requestId, longMs))
    expect((await Promise.all(tries)).filter((got) => got)).toHaveLength(1)
    expect(await acquireLock(gate, other.saleId, 'b', longMs)).toBe(true)
  })

  it('are released only by their holder, once (K4)', async () => {
    const { saleId } = aSale()
    await acquireLock(gate, saleId, 'a', longMs)
    expect(await releaseLock(gate, saleId, 'b')).toBe(false)
    expect(await acquireLock(gate, saleId, 'b', longMs)).toBe(false)
    expect(await releaseLock(gate, saleId, 'a')).toBe(true)
    expect(await releaseLock(gate, saleId, 'a')).toBe(false)
    expect(await acquireLock(gate, saleId, 'b', longMs)).toBe(true)
  })

  it('expire, and are lost to their holder then (K3)', async () => {
    const { saleId } = aSale()
    await acquireLock(gate, saleId, 'a', 30)
    await pass(60)
    expect(await renewLock(gate, saleId, 'a', longMs)).toBe(false)
    expect(await acquireLock(gate, saleId, 'b', longMs)).toBe(true)
    expect(await releaseLock(gate, saleId, 'a')).toBe(false)
    expect(await renewLock(gate, saleId, 'b', longMs)).toBe(true)
  })

  it('last longer only when their holder renews them (K6)', async () => {
    const { saleId } = aSale()
    await acquireLock(gate, saleId, 'a', 200)
    expect(await renewLock(gate, saleId, 'b', longMs)).toBe(false)
    expect(await renewLock(gate, saleId, 'a', longMs)).toBe(true)
    await pass(250)
    expect(await acquireLock(gate, saleId, 'b', longMs)).toBe(false)
    expect(await releaseLock(gate, saleId, 'a')).toBe(true)
  })
})
