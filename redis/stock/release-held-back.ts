/** Runs release-held-back.lua, which puts units held back in a recovery on sale again. */
import type { SaleId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import type { Commander } from '../command.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './release-held-back.lua'

const releaseHeldBackScript = defineScript('release-held-back', source)
const releaseHeldBackCodes = { released: 1, superseded: 2, 'unknown-sale': luaCodes['unknown-sale'] } as const

/** `units` counts the released units of the sale or of its variants. `stockRevision` is the revision afterwards. */
export type ReleasedHeldBack =
  | { kind: 'released'; units: number; stockRevision: number }
  | { kind: 'superseded' | 'unknown-sale' }

/**
 * `since` (epoch ms) identifies the unfreeze that held the units back. At most `keep` stay held back. `quietSince` (epoch ms)
 * is stored: the queue was empty at every check since then; undefined if it is not empty. `isFinal`: the kept units
 * belong to dead letters; before that the stock is not sold out. At most `keepOf` of each variant stay held back; without
 * it all do.
 */
export type HeldBackRelease = {
  since: number
  keep: number
  quietSince: number | undefined
  isFinal: boolean
  keepOf?: VariantUnits | undefined
}

/**
 * Releases the held-back units beyond `keep`. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function releaseHeldBack(
  redis: Commander,
  saleId: SaleId,
  request: HeldBackRelease,
): Promise<ReleasedHeldBack> {
  const { since, keep, quietSince, isFinal, keepOf } = request
  const quiet = quietSince === undefined ? '' : String(quietSince)
  const ofVariants = keepOf === undefined ? '' : JSON.stringify(keepOf)
  const args = [String(since), String(keep), quiet, isFinal ? '1' : '', ofVariants]
  const [code, units, stockRevision] = await releaseHeldBackScript.run(
    redis,
    [stockKeys(saleId, redis.shard).stock],
    args,
  )
  const kind = kindOf(releaseHeldBackCodes, code, 'release-held-back')
  if (kind !== 'released') return { kind }
  return { kind, units: integer(units, 'units'), stockRevision: integer(stockRevision, 'stockRevision') }
}
