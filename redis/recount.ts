/**
 * Runs recount.lua: sets booked to the sum of a sale's holds, when one was lost without the other.
 */
import type { SaleId } from '../core/ids.ts'
import { luaCodes } from '../core/outcome.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import source from './recount.lua'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'

const recountScript = defineScript('recount', source)
export const recountCodes = {
  recounted: 1,
  moved: 2,
  open: 3,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/**
 * `moved`: units were released or restored since the count. `open`: the stock is not frozen. Both
 * changed nothing.
 */
export type Recounted = { kind: keyof typeof recountCodes }

/** The count: `units` in `holds`, and the units booked before it began. */
export type Count = { units: number; holds: number; booked: number }

/**
 * Books the units that the holds of a frozen stock contain. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recount(redis: Commander, saleId: SaleId, count: Count): Promise<Recounted> {
  const { stock, holds } = stockKeys(saleId)
  const args = [count.units, count.holds, count.booked].map(String)
  const [code] = await recountScript.run(redis, [stock, holds], args)
  return { kind: kindOf(recountCodes, code, 'recount') }
}
