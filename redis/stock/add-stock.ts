/** Runs add-stock.lua, which changes the stock of a running sale. */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './add-stock.lua'
import { countersIn, type StockCounters } from './units.ts'

const addStockScript = defineScript('add-stock', source)
const addStockCodes = {
  changed: 1,
  repeat: 2,
  'below-booked': 3,
  unlimited: 4,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/**
 * The counters after the call. `below-booked` changed nothing, because more units are booked than would be left; its counters
 * are those of the variant, if units of a variant were to be removed.
 */
export type StockChange =
  | ({ kind: 'changed' | 'repeat' } & StockCounters)
  | { kind: 'below-booked'; total: number; booked: number }
  | { kind: 'unlimited' | 'unknown-sale' }

/**
 * `delta` is the number of units to add (negative: to remove). `number` is the same for every repeat and larger for every
 * later change. `units` divides `delta` by variant, in a sale with variants.
 */
export type NumberedChange = { number: number; delta: number; units?: VariantUnits }

/**
 * Applies one stock change. A change whose number is not above the last one has no effect.
 * @throws RedisUnavailable, UnexpectedReply; RangeError when `delta` or `number` is not a whole
 *   number
 */
export async function addStock(
  redis: Commander,
  saleId: SaleId,
  { number, delta, units }: NumberedChange,
): Promise<StockChange> {
  if (!Number.isSafeInteger(delta)) throw new RangeError(`cannot add ${delta} units`)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${number} is no number of a change`)
  const keys = [stockKeys(saleId, redis.shard).stock]
  const args = [String(delta), String(number), JSON.stringify(units ?? {})]
  const [code, ...counters] = await addStockScript.run(redis, keys, args)
  const kind = kindOf(addStockCodes, code, 'add-stock')
  if (kind === 'unlimited' || kind === 'unknown-sale') return { kind }
  const { total, booked, stockRevision } = countersIn(counters)
  return kind === 'below-booked' ? { kind, total, booked } : { kind, total, booked, stockRevision }
}
