import { describe, expect, it } from 'vitest'
import type { Command } from '../../redis/command.ts'
import { redisErrorCode } from '../../redis/errors.ts'
import { stockKeys } from '../../redis/keys.ts'
import { reserveCall, reserveScript } from '../../redis/reserve.ts'
import { readStock } from '../../redis/stock.ts'
import { warmStock } from '../../redis/warm.ts'
import { aPurchase, aSale, raw, useRestRig } from './support.ts'

const rig = useRestRig()

describe('commands that travel together', () => {
  it('each get their own reply, in order, and a failing one does not affect the others (I5)', async () => {
    const sale = aSale()
    await warmStock(rig.redis, sale)
    const { outbox } = stockKeys(sale.saleId)
    const { tag = '' } = (await readStock(rig.redis, sale.saleId)) ?? {}
    const { keys, args } = reserveCall(aPurchase(sale, 1), undefined)
    const [shopper = '', , ...order] = args.slice(0, 6)
    const evaluate: Command = [
      'EVAL',
      reserveScript.source,
      String(keys.length),
      ...keys,
      shopper,
      tag,
      ...order,
    ]
    const [taken, unknown, repeated, removed] = await rig.redis.together([
      evaluate,
      ['EVALSHA', '0'.repeat(40), '1', outbox],
      evaluate,
      ['HDEL', outbox, String(args[3]), 'nothing-of-that-name'],
    ])
    expect(taken).toBe(9)
    expect(redisErrorCode(unknown)).toBe('NOSCRIPT')
    expect(repeated).toEqual([2, '1', '9'])
    expect(removed).toBe(1)
    expect(await raw(rig.redis, 'HLEN', outbox)).toBe(0)
  })

  it('are only those that are safe to repeat', async () => {
    await expect(rig.redis.together([['INCR', 'counter']])).rejects.toThrow(TypeError)
    expect(await raw(rig.redis, 'EXISTS', 'counter')).toBe(0)
  })
})
