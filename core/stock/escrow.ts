/**
 * The escrow of a sale whose stock is split: which shard may sell how many units, and the transfers that change this. A
 * shard sells only units that were granted to it, so shards never coordinate to sell, and together they cannot sell
 * more than there is (escrow method, O'Neil 1986). `docs/guide/sharding.md` explains the protocol.
 *
 * The escrow is one item in the table, beside the sale. Every function here takes it as it was read and returns the
 * next one, to be saved on condition of the revision that was read, like a sale's record (`saveSale`). A transfer is a
 * stock change of one shard: its item is saved first, then add-stock.lua applies it once per number, then the item is
 * saved without it (`finish-stock-change.ts` does the same for a sale). After a crash any caller can repeat a step.
 *
 *   grant     save `grant`    → add-stock.lua, +units    → save `settle`
 *   recall    save `recall`   → add-stock.lua, -units    → save `settle`, which grants the units
 *                                to the receiver or adds them to the pool
 *   recovery  save `startRecovery` → freeze.lua, count what its orders may need → save `reissue`
 *                                → restore.lua, unfreeze.lua → save `finishRecovery`
 *
 * A transfer has the revision that its item is saved as for its number, and a shard has at most one transfer under way,
 * so the numbers that a shard receives only rise. A recovery takes such a number as the shard's new generation, and
 * add-stock.lua ignores every smaller number.
 *
 * At any time, pool + units in transit + Σ (available + booked) = total. In the item alone, pool + Σ granted = total: a
 * grant counts from its start, a recall from its end. Both hold of each variant: all units here are divided by variant
 * (divided-units.ts), and a transfer carries units of one or several.
 */
import { unitsOfVariant, type VariantUnits } from '../sale/variants.ts'
import { type DividedChange, dividedUnits, mapParts, plusParts } from './divided-units.ts'

/** `delta` above 0 is a grant, below 0 a recall, whose units go to the shard `receiver`, or else to the pool. */
export type Transfer = { number: number; delta: VariantUnits; receiver?: number }

/** True when a transfer takes units from its shard. */
export function isRecall({ delta }: Pick<Transfer, 'delta'>): boolean {
  return Object.values(delta).some((units) => units < 0)
}

/**
 * `granted` is the total of the shard's stock as soon as its `transfer` is settled; a recall is not
 * subtracted before. A shard in recovery is `started` while it has its granted units, and
 * `reissued` when those that it has not sold are back in the pool.
 */
export type ShardEscrow = {
  granted: VariantUnits
  generation: number
  transfer?: Transfer
  recovery?: 'started' | 'reissued'
}

/**
 * `pool` is what no shard has. `revision` rises with every change. `change` is the number of the last
 * change of the sale's stock, `refused` of the last one that was refused.
 */
export type Escrow = {
  revision: number
  pool: VariantUnits
  change: number
  refused?: number
  shards: readonly ShardEscrow[]
}

/** Returns the escrow of a sale to be warmed: no shard has units yet. `stock` contains the changes up to `change`. */
export function openEscrow(stock: VariantUnits, shardCount: number, change = 0): Escrow {
  const granted = mapParts(stock, () => 0)
  return {
    revision: 0,
    pool: stock,
    change,
    shards: Array.from({ length: shardCount }, () => ({ granted, generation: 0 })),
  }
}

/** Returns all units of the sale, sold or not. */
export function unitsOfSale({ pool, shards }: Escrow): VariantUnits {
  return shards.reduce((sum, { granted }) => plusParts(sum, granted), pool)
}

/**
 * Adds units to the pool, or takes some away, once for each `number`, of which later changes have larger ones. `short`:
 * the pool has too few of `parts` to take away, and the shards must give up some first.
 */
export function changePool(
  escrow: Escrow,
  { number, ...change }: DividedChange & { number: number },
):
  | { kind: 'changed'; escrow: Escrow }
  | { kind: 'repeat' }
  | { kind: 'refused' }
  | { kind: 'short'; parts: readonly string[] } {
  if (escrow.refused === number) return { kind: 'refused' }
  if (number <= escrow.change) return { kind: 'repeat' }
  const delta = dividedUnits(change)
  const pool = plusParts(escrow.pool, delta)
  const parts = Object.keys(delta).filter((id) => unitsOfVariant(pool, id) < 0)
  if (parts.length > 0) return { kind: 'short', parts }
  return { kind: 'changed', escrow: { ...escrow, revision: escrow.revision + 1, pool, change: number } }
}

/** Adds to the pool what the escrow has too few, or takes from it what it has too many, of `total` units. */
export function withTotal(escrow: Escrow, total: VariantUnits): Escrow {
  const missing = plusParts(total, unitsOfSale(escrow), -1)
  return { ...escrow, revision: escrow.revision + 1, pool: plusParts(escrow.pool, missing) }
}

/** Refuses change `number` for good. */
export function refuseChange(escrow: Escrow, number: number): Escrow {
  return { ...escrow, revision: escrow.revision + 1, change: number, refused: number }
}

/** True when a transfer of this shard can start. */
export function isFree({ transfer, recovery }: ShardEscrow): boolean {
  return transfer === undefined && recovery === undefined
}

/** Starts to move `units` from the pool to a free shard. @throws RangeError on any other */
export function grant(escrow: Escrow, shard: number, units: VariantUnits): Escrow {
  const isTooMuch = Object.entries(units).some(([id, some]) => some > unitsOfVariant(escrow.pool, id))
  if (!areUnits(units) || isTooMuch) {
    throw new RangeError(`cannot grant ${JSON.stringify(units)} of ${JSON.stringify(escrow.pool)}`)
  }
  const revision = escrow.revision + 1
  const pool = plusParts(escrow.pool, units, -1)
  const shards = withGrant(escrow.shards, shard, { number: revision, delta: units })
  return { ...escrow, revision, pool, shards }
}

/** Units that are recalled from a shard, at least one of each variant that is named. */
export type Recall = { shard: number; units: VariantUnits }

/** Starts to recall units from free shards, for `receiver` or for the pool. @throws RangeError */
export function recall(escrow: Escrow, recalls: readonly Recall[], receiver?: number): Escrow {
  const revision = escrow.revision + 1
  const shards = [...escrow.shards]
  for (const { shard, units } of recalls) {
    const before = freeShard(shards, shard)
    if (!areUnits(units)) throw new RangeError(`cannot recall ${JSON.stringify(units)}`)
    const delta = mapParts(units, (some) => -some)
    shards[shard] = { ...before, transfer: { number: revision, delta, ...(receiver !== undefined && { receiver }) } }
  }
  return { ...escrow, revision, shards }
}

function areUnits(units: VariantUnits): boolean {
  const some = Object.values(units)
  return some.length > 0 && some.every((one) => Number.isSafeInteger(one) && one >= 1)
}

/**
 * Ends transfer `number` of a shard: `applied` when the shard changed its total by it, also earlier;
 * `refused` when too few of its units were unsold. Unchanged when the transfer is no longer under way.
 */
export function finishTransfer(escrow: Escrow, shard: number, number: number, outcome: 'applied' | 'refused'): Escrow {
  const { transfer, ...shardEscrow } = shardOf(escrow.shards, shard)
  if (transfer?.number !== number) return escrow
  const revision = escrow.revision + 1
  const shards = escrow.shards.with(shard, shardEscrow)
  if (outcome === 'refused' || !isRecall(transfer)) return { ...escrow, revision, shards }
  const { receiver, delta } = transfer
  shards[shard] = { ...shardEscrow, granted: plusParts(shardEscrow.granted, delta) }
  const recalled = mapParts(delta, (units) => -units)
  const canGrant = receiver !== undefined && isFree(shardOf(shards, receiver))
  if (!canGrant) return { ...escrow, revision, pool: plusParts(escrow.pool, recalled), shards }
  return { ...escrow, revision, shards: withGrant(shards, receiver, { number: revision, delta: recalled }) }
}

/**
 * Takes a shard for lost, under a new generation, with which it must be frozen. Its transfer ends here: the units of a
 * grant are in `granted`, and those of a recall still are, so `reissue` finds them. Every attempt to recover a shard
 * starts with this, so of two attempts only the later one can end.
 */
export function startRecovery(escrow: Escrow, shard: number): Escrow {
  const { granted } = shardOf(escrow.shards, shard)
  const revision = escrow.revision + 1
  const lost: ShardEscrow = { granted, generation: revision, recovery: 'started' }
  return { ...escrow, revision, shards: escrow.shards.with(shard, lost) }
}

/**
 * Returns to the pool what a frozen shard has not sold. `kept` are the units of its standing orders and of those that
 * may still arrive. A shard that went back to an older state may have sold more than was granted to it: then the pool
 * is less than 0 until other shards have given up as much. Unchanged when another attempt has the shard.
 */
export function reissue(escrow: Escrow, shard: number, generation: number, kept: VariantUnits): Escrow {
  const shardEscrow = shardOf(escrow.shards, shard)
  if (shardEscrow.generation !== generation || shardEscrow.recovery !== 'started') return escrow
  const unsold = plusParts(shardEscrow.granted, kept, -1)
  const shards = escrow.shards.with(shard, { granted: kept, generation, recovery: 'reissued' })
  return { ...escrow, revision: escrow.revision + 1, pool: plusParts(escrow.pool, unsold), shards }
}

/** The shard sells again, with `granted` as its total. Unchanged when another attempt has it. */
export function finishRecovery(escrow: Escrow, shard: number, generation: number): Escrow {
  const { recovery, ...shardEscrow } = shardOf(escrow.shards, shard)
  if (shardEscrow.generation !== generation || recovery !== 'reissued') return escrow
  return { ...escrow, revision: escrow.revision + 1, shards: escrow.shards.with(shard, shardEscrow) }
}

/** `shards` with a grant under way to one of them. */
function withGrant(shards: readonly ShardEscrow[], shard: number, transfer: Transfer): readonly ShardEscrow[] {
  const shardEscrow = freeShard(shards, shard)
  return shards.with(shard, { ...shardEscrow, granted: plusParts(shardEscrow.granted, transfer.delta), transfer })
}

function freeShard(shards: readonly ShardEscrow[], shard: number): ShardEscrow {
  const shardEscrow = shardOf(shards, shard)
  if (!isFree(shardEscrow)) throw new RangeError(`shard ${shard} has a transfer under way or is in recovery`)
  return shardEscrow
}

function shardOf(shards: readonly ShardEscrow[], shard: number): ShardEscrow {
  const shardEscrow = shards[shard]
  if (shardEscrow === undefined) throw new RangeError(`the escrow has no shard ${shard}`)
  return shardEscrow
}
