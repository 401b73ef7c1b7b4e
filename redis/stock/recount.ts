/** Runs recount.lua: sets what is left of a stock by the counted units of its orders. */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import { textOfUnits, type VariantUnits } from '../../core/sale/variants.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './recount.lua'
import { storedUnits } from './units.ts'

const recountScript = defineScript('recount', source)
const recountCodes = { recounted: 1, moved: 2, open: 3, 'unknown-sale': luaCodes['unknown-sale'] } as const

/**
 * `moved`: units were released or restored since the count. `open`: the stock is not frozen. Both
 * changed nothing.
 */
export type Recounted = { kind: keyof typeof recountCodes }

/**
 * The count: `units` of orders out of `total`, and the stock's tag before it began. `variants` are the
 * their units by variant; absent for a sale without variants.
 */
export type Count = {
  units: number
  total: number
  tag: string
  variants?: VariantUnits
}

/**
 * Books the counted units of a frozen stock. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recount(redis: Commander, saleId: SaleId, count: Count): Promise<Recounted> {
  const args = [String(storedUnits(count.total) - count.units), count.tag]
  if (count.variants !== undefined) args.push(textOfUnits(count.variants))
  const [code] = await recountScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  return { kind: kindOf(recountCodes, code, 'recount') }
}
