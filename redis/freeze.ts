/** The typed face of freeze.lua: nobody takes units while a sale's books are rebuilt; who has some still finds them. */
import type { SaleId } from '../core/ids.ts'
import type { Commander } from './command.ts'
import source from './freeze.lua'
import { stockKeys } from './keys.ts'
import { frozenWindow } from './packed-window.ts'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'

export const freezeScript = defineScript('freeze', source)
export const freezeCodes = { frozen: 1, created: 2 } as const

/**
 * Fences the stock of `saleId`, and puts an empty frozen one in the place of one that was lost. Only `unfreeze` lifts
 * the freeze. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function freeze(redis: Commander, saleId: SaleId): Promise<void> {
  const { stock, holds } = stockKeys(saleId)
  const [code] = await freezeScript.run(redis, [stock, holds], [frozenWindow])
  kindOf(freezeCodes, code, 'freeze')
}
