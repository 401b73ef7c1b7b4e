/** The typed face of recount.lua: the sum of a sale's holds, where counters and holds were not lost together. */
import type { SaleId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import source from './recount.lua'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'

export const recountScript = defineScript('recount', source)
export const recountCodes = {
  recounted: 1,
  moved: 2,
  open: 3,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/**
 * `moved`: units were given back or put back since they were counted. `open`: the stock is not frozen. Either way
 * nothing was changed.
 */
export type Recounted = { kind: keyof typeof recountCodes }

/** What was counted: `units` in `holds`, and how many units were booked before. */
export type Count = { units: number; holds: number; booked: number }

/**
 * Books the units that the holds of a frozen stock were counted to have. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recount(redis: Commander, saleId: SaleId, count: Count): Promise<Recounted> {
  const { stock, holds } = stockKeys(saleId)
  const args = [count.units, count.holds, count.booked].map(String)
  const [code] = await recountScript.run(redis, [stock, holds], args)
  return { kind: kindOf(recountCodes, code, 'recount') }
}
