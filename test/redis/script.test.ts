import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { reserve } from '../../redis/buy/reserve.ts'
import { RedisUnavailable, UnexpectedReply } from '../../redis/errors.ts'
import { defineScript } from '../../redis/script.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { aPurchase, aSale, commandCounts, raw, startRedisRig, useRestRig } from './support.ts'

const rig = useRestRig()
beforeEach(async () => {
  await raw(rig.redis, 'SCRIPT', 'FLUSH')
  await raw(rig.redis, 'CONFIG', 'RESETSTAT')
})

const flagged = (body: string) => `#!lua flags=allow-key-locking\n${body}`

describe('a script', () => {
  it('is called by the hash of its text, as Redis itself computes it (S3, P7)', async () => {
    const hello = createHash('sha1').update("return 'hello world'").digest('hex')
    expect(hello).toBe('5332031c6b470dc5a0dd9b4bf2030dea6d65de91')
    expect(await raw(rig.redis, 'SCRIPT', 'LOAD', "return 'hello world'")).toBe(hello)
  })

  it('runs with one EVAL when Redis does not know it, and none after that (S3, P7)', async () => {
    const echo = defineScript('echo', flagged('return {1, ARGV[1]}'))
    for (let call = 0; call < 3; call += 1) expect(await echo.run(rig.redis, [], ['42'])).toEqual([1, '42'])
    const counts = await commandCounts(rig.redis)
    expect([counts.get('eval'), counts.get('evalsha')]).toEqual([1, 3])
  })

  it('survives SCRIPT FLUSH in the middle of a sale (S3)', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    for (let shopper = 1; shopper <= 3; shopper += 1) {
      expect(await reserve(rig.redis, aPurchase(sale, shopper))).toMatchObject({ kind: 'reserved' })
      await raw(rig.redis, 'SCRIPT', 'FLUSH')
    }
  })

  it('is not run a second time because an argument says noscript', async () => {
    const failing = defineScript(
      'failing',
      flagged("redis.call('INCR', KEYS[1]) return redis.call('LPUSH', KEYS[1], 'x')"),
    )
    await expect(failing.run(rig.redis, ['counted'], ['NOSCRIPT noscript'])).rejects.toThrow(UnexpectedReply)
    await expect(failing.run(rig.redis, ['counted'], ['NOSCRIPT noscript'])).rejects.toThrow(UnexpectedReply)
    expect(await raw(rig.redis, 'GET', 'counted')).toBe('2')
  })

  it('must reply with an array', async () => {
    const number = defineScript('number', flagged('return 1'))
    await expect(number.run(rig.redis, [], [])).rejects.toThrow('number replied without an array')
  })

  it('may touch only the keys it was given', async () => {
    const stray = defineScript('stray', flagged("return {redis.call('GET', 'another')}"))
    await expect(stray.run(rig.redis, ['mine'], [])).rejects.toThrow(UnexpectedReply)
  })

  it('fails as unavailable, not as a fault of ours, while Redis is unavailable', async () => {
    const gone = await startRedisRig()
    await gone.stop()
    const echo = defineScript('echo', flagged('return {1}'))
    await expect(echo.run(gone.redis, [], [])).rejects.toThrow(RedisUnavailable)
  })
})
