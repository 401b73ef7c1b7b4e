import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisErrorCode } from '../../redis/errors.ts'
import { stockKeys } from '../../redis/keys.ts'
import { reserveCall, reserveScript } from '../../redis/reserve.ts'
import { sendTogether } from '../../redis/together.ts'
import { warmStock } from '../../redis/warm.ts'
import { aPurchase, aSale, type RedisRig, raw, startRedisRig } from './support.ts'

let rig: RedisRig
beforeAll(async () => {
  rig = await startRedisRig()
})
afterAll(() => rig.stop())

describe('commands that travel together', () => {
  it('each get their own reply, in order, and a failing one does not affect the others (I5)', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    const { outbox } = stockKeys(sale.saleId)
    const { keys, args } = reserveCall(aPurchase(sale, 1))
    const evaluate = ['EVAL', reserveScript.source, String(keys.length), ...keys, ...args] as const
    const [taken, unknown, repeated, removed] = await sendTogether(rig.redis, [
      [...evaluate],
      ['EVALSHA', '0'.repeat(40), '1', outbox],
      [...evaluate],
      ['HDEL', outbox, String(args[4]), 'nothing-of-that-name'],
    ])
    expect(taken).toEqual([1, 9, '0', '1', 1])
    expect(redisErrorCode(unknown)).toBe('NOSCRIPT')
    expect(repeated).toEqual([2, 9, '1'])
    expect(removed).toBe(1)
    expect(await raw(rig.redis, 'HLEN', outbox)).toBe(0)
  })

  it('are only those that are safe to repeat', async () => {
    await expect(sendTogether(rig.redis, [['INCR', 'counter']])).rejects.toThrow(TypeError)
    expect(await raw(rig.redis, 'EXISTS', 'counter')).toBe(0)
  })
})
