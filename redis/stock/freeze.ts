/**
 * Runs freeze.lua: while a sale is recovered no units are taken; repeats still find their order.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './freeze.lua'
import { frozenWindow } from './packed-window.ts'
import { newTag } from './stock-definition.ts'

const freezeScript = defineScript('freeze', source)
const freezeCodes = { frozen: 1, created: 2, late: 3 } as const

/**
 * Freezes the stock of `saleId`, and creates an empty frozen stock when it was lost. Only
 * `unfreeze` undoes it, of a shard with the same `generation` (core/stock/rights.ts). Does nothing when a
 * later recovery has the shard. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function freeze(redis: Commander, saleId: SaleId, generation = 0): Promise<void> {
  const args = [frozenWindow, newTag(), String(generation)]
  const [code] = await freezeScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  kindOf(freezeCodes, code, 'freeze')
}
