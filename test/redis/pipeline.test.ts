import { describe, expect, it } from 'vitest'
import { redisErrorCode } from '../../redis/errors.ts'
import { raw, useRestRig } from './support.ts'

const rig = useRestRig()

describe('reads in one request', () => {
  it('each get their own reply, in order, and a failing one does not affect the others', async () => {
    await raw(rig.redis, 'HSET', 'known', 'units', '007')
    await raw(rig.redis, 'SET', 'text', 'no hash')
    const [read, wrong, missing] = await rig.redis.pipeline([
      ['HMGET', 'known', 'units', 'price'],
      ['HMGET', 'text', 'units'],
      ['HMGET', 'unknown', 'units'],
    ])
    expect(read).toEqual(['007', null])
    expect(redisErrorCode(wrong)).toBe('WRONGTYPE')
    expect(missing).toEqual([null])
  })

  it('are nothing that writes, whose outcome a lost reply would leave unknown (I5)', async () => {
    await expect(rig.redis.pipeline([['INCR', 'counter']])).rejects.toThrow(TypeError)
    expect(await raw(rig.redis, 'EXISTS', 'counter')).toBe(0)
  })
})
