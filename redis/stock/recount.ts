/** Runs recount.lua, which books the counted units of a stock's orders. */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './recount.lua'

const recountScript = defineScript('recount', source)
const recountCodes = { recounted: 1, moved: 2, open: 3, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** `moved`: units were released or restored since the count. `open`: the stock is not frozen. Both changed nothing. */
export type Recounted = { kind: keyof typeof recountCodes }

/** `units` of orders, and those of each variant. `frozen` and `moves` are those of the stock before the count. */
export type Count = { units: number; variants: VariantUnits; frozen: string; moves: number }

/**
 * Books the counted units of a frozen stock. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recount(redis: Commander, saleId: SaleId, count: Count): Promise<Recounted> {
  const args = [String(count.units), count.frozen, String(count.moves), JSON.stringify(count.variants)]
  const [code] = await recountScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  return { kind: kindOf(recountCodes, code, 'recount') }
}
