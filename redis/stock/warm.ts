/** Runs warm.lua, which warms a sale before its start (G1) and applies later changes of its definition. */
import { luaCodes } from '../../core/outcome.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Commander } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { stockDefinition } from './stock-definition.ts'
import { stockOf, storedUnits, variantsArgument } from './units.ts'
import source from './warm.lua'

const warmScript = defineScript('warm', source)
const warmCodes = { warmed: 1, defined: 2, superseded: 3, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** `lastChange` is the number of the last stock change in `stock`. `generation` is that of a recovered shard. */
export type WarmSale = Sale & { lastChange?: number; generation?: number }

/** `version` is the stored version afterwards. `superseded`: Redis has a newer one, and nothing changed. */
export type DefinitionUpdate = { kind: 'applied' | 'superseded'; version: number } | { kind: 'unknown-sale' }

/**
 * Warms `sale` with `sale.stock` units unless its stock exists, and sets the definition unless Redis has a newer one. Resolves
 * with the counters afterwards. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function warmStock(redis: Commander, sale: WarmSale): Promise<{ total: number; booked: number }> {
  const reply = await run(redis, sale, String(storedUnits(sale.stock)))
  if (reply.kind === 'unknown-sale') throw new UnexpectedReply('warm did not create the stock')
  return { total: stockOf(integer(reply.total, 'total')), booked: integer(reply.booked, 'booked') }
}

/**
 * Sets the definition of an existing stock unless Redis has a newer one: the start flag (G2, G3, C6) and other changes while
 * a sale runs. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function updateDefinition(redis: Commander, sale: Sale): Promise<DefinitionUpdate> {
  const { kind, version } = await run(redis, sale, '')
  if (kind === 'unknown-sale') return { kind }
  return { kind: kind === 'superseded' ? kind : 'applied', version: integer(version, 'version') }
}

async function run(redis: Commander, sale: WarmSale, total: string) {
  const keys = [stockKeys(sale.saleId, redis.shard).stock]
  const [code, version, units, booked] = await warmScript.run(redis, keys, [total, ...definitionArguments(sale)])
  return { kind: kindOf(warmCodes, code, 'warm'), version, total: units, booked }
}

/** Returns the definition, the last stock change and the variants of `sale`, in the order of warm.lua and unfreeze.lua. */
export function definitionArguments(sale: WarmSale): string[] {
  const definition = JSON.stringify(stockDefinition(sale))
  return [String(sale.version), definition, String(sale.lastChange ?? 0), variantsArgument(sale)]
}
