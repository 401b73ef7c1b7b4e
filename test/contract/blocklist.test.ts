/** The copy of the block list in the gate's store. */
import { beforeEach, describe, expect, it } from 'vitest'
import { readBlocklist, readListVersions, setBlocked } from '../../redis/shared-lists.ts'
import { raw } from '../redis/support.ts'
import { useRedis } from '../redis/test-store.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const redis = useRedis()
beforeEach(() => raw(redis, 'FLUSHALL'))

describe('the published block list', () => {
  it('is a set, and may be published twice (I5)', async () => {
    for (const field of ['shopper ann', 'shopper ann', 'ip 10.0.0.0/8'])
      await setBlocked(redis, field, true, noon)
    expect([...(await readBlocklist(redis))].sort()).toEqual(['ip 10.0.0.0/8', 'shopper ann'])
    for (const field of ['shopper ann', 'shopper ann']) await setBlocked(redis, field, false, noon)
    expect(await readBlocklist(redis)).toEqual(['ip 10.0.0.0/8'])
  })

  it('has a new listVersion with each change, so that every instance reads it again (R8)', async () => {
    const listVersion = async () => (await readListVersions(redis)).blocklist
    await setBlocked(redis, 'shopper ann', true, noon)
    const first = await listVersion()
    await setBlocked(redis, 'shopper ann', true, noon + 5)
    expect(await listVersion()).toBe(first)
    await setBlocked(redis, 'shopper ann', false, noon - 5)
    expect(await listVersion()).toBeGreaterThan(first)
  })
})
