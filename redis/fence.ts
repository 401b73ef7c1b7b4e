/** The typed face of fence.lua: nobody takes units while a sale's books are rebuilt; who has some still finds them. */
import type { SaleId } from '../core/ids.ts'
import type { Commander } from './command.ts'
import source from './fence.lua'
import { stockKeys } from './keys.ts'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'
import { fencedTerms } from './terms.ts'

export const fenceScript = defineScript('fence', source)
export const fenceCodes = { fenced: 1, created: 2 } as const

/**
 * Fences the stock of `saleId`, and puts an empty fenced one in the place of one that was lost. Only `reopen` lifts
 * the fence. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function fence(redis: Commander, saleId: SaleId): Promise<void> {
  const { stock, holds } = stockKeys(saleId)
  const [code] = await fenceScript.run(redis, [stock, holds], [fencedTerms])
  kindOf(fenceCodes, code, 'fence')
}
