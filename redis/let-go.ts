/** The typed face of let-go.lua: units that were held back in a recovery are for sale again. */
import type { SaleId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import { sortableTime } from '../core/sortable-time.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import source from './let-go.lua'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'

export const letGoScript = defineScript('let-go', source)
export const letGoCodes = { 'let-go': 1, superseded: 2, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** `units` are for sale from here on; `restocks` is the revision of the stock afterwards. */
export type LetGo =
  | { kind: 'let-go'; units: number; restocks: number }
  | { kind: 'superseded' | 'unknown-sale' }

/**
 * `since` (epoch ms) names the reopening that held the units back. At most `keep` of them stay held back. `quietSince` (epoch
 * ms) is remembered: since then the queue has been empty each time it was looked at, undefined when it is not.
 */
export type Keeping = { since: number; keep: number; quietSince: number | undefined }

/**
 * Sells the units that are held back beyond `keep`. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function letGo(redis: Commander, saleId: SaleId, keeping: Keeping): Promise<LetGo> {
  const { since, keep, quietSince } = keeping
  const args = [sortableTime(since), String(keep), quietSince === undefined ? '' : String(quietSince)]
  const [code, units, restocks] = await letGoScript.run(redis, [stockKeys(saleId).stock], args)
  const kind = kindOf(letGoCodes, code, 'let-go')
  if (kind !== 'let-go') return { kind }
  return { kind, units: integer(units, 'units'), restocks: integer(restocks, 'restocks') }
}
