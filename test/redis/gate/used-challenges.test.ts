import { describe, expect, it } from 'vitest'
import { recordChallengeUse } from '../../../redis/gate/used-challenges.ts'
import { solvedKey } from '../../../redis/keys.ts'
import { aSale, raw, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const { saleId } = aSale()
const use = (challenge: string, name: string, ttlMs = 60_000) =>
  recordChallengeUse(rig.redis, saleId, challenge, { use: name, ttlMs })

describe('a solved challenge (R5)', () => {
  it('has one first use among concurrent ones', async () => {
    const uses = await Promise.all(Array.from({ length: 20 }, (_, at) => use('crowd', `key-${at}`)))
    expect(uses.filter((isFirst) => isFirst)).toHaveLength(1)
  })

  it('is remembered only as long as the challenge is valid', async () => {
    await use('brief', 'key-1', 4321.5)
    const ttl = Number(await raw(rig.redis, 'PTTL', solvedKey(saleId, 'brief')))
    expect(ttl).toBeGreaterThan(3000)
    expect(ttl).toBeLessThanOrEqual(4322)
    expect(await use('over', 'key-1', 0)).toBe(true)
  })
})
