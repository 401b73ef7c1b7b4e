/** Runs freeze.lua and unfreeze.lua. A frozen sale sells nothing while it is recovered; repeats still find their order. */

import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import freezeSource from './freeze.lua'
import { emptyDefinition, newFreezeId } from './stock-definition.ts'
import unfreezeSource from './unfreeze.lua'
import { countersIn, type StockCounters, storedUnits } from './units.ts'
import { definitionArguments, type WarmSale } from './warm.ts'

const freezeScript = defineScript('freeze', freezeSource)
const freezeCodes = { frozen: 1, created: 2, late: 3 } as const

/**
 * Freezes the stock of `saleId`, and creates an empty frozen stock if it was lost. Only `unfreeze` with the same `generation`
 * of a shard (core/stock/escrow.ts) undoes it. Does nothing if a later recovery has the shard. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function freeze(redis: Commander, saleId: SaleId, generation = 0): Promise<void> {
  const args = [newFreezeId(), String(generation), JSON.stringify(emptyDefinition)]
  const [code] = await freezeScript.run(redis, [stockKeys(saleId, redis.shard).stock], args)
  kindOf(freezeCodes, code, 'freeze')
}

const unfreezeScript = defineScript('unfreeze', unfreezeSource)
const unfreezeCodes = { unfrozen: 1, open: 2, superseded: 3, 'unknown-sale': luaCodes['unknown-sale'] } as const

/**
 * The counters afterwards. `open`: the stock was unfrozen already, or another recovery has it. `superseded`: Redis has a newer
 * version of the sale, and the stock stays frozen; read the sale again.
 */
export type Unfrozen = ({ kind: 'unfrozen' | 'open' | 'superseded' } & StockCounters) | { kind: 'unknown-sale' }

/** Units that are not for sale, because lost reservations from before `since` (epoch ms) may still arrive. */
export type HeldBack = { units: number; since: number }

/**
 * Unfreezes `sale`, which was read after it was frozen, and sets its units and definition. `minStockRevision` is the latest
 * stock revision that the gate knows, because a lost stock has lost its own. Up to `heldBack` units, and as many of each
 * variant, are not sold. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function unfreeze(
  redis: Commander,
  sale: WarmSale,
  minStockRevision: number,
  heldBack: HeldBack,
): Promise<Unfrozen> {
  const held = [minStockRevision, heldBack.units, heldBack.since, sale.generation ?? 0].map(String)
  const args = [String(storedUnits(sale.stock)), ...definitionArguments(sale), ...held]
  const [code, ...counters] = await unfreezeScript.run(redis, [stockKeys(sale.saleId, redis.shard).stock], args)
  const kind = kindOf(unfreezeCodes, code, 'unfreeze')
  if (kind === 'unknown-sale') return { kind }
  return { kind, ...countersIn(counters) }
}
