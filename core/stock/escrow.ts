/**
 * The escrow of a sale whose stock is split: which shard may sell how many units, and the transfers that change this. A
 * shard sells only units that were granted to it, so shards never coordinate to sell, and together they cannot sell
 * more than there is (escrow method, O'Neil 1986). `docs/guide/sharding.md` explains the protocol.
 *
 * The escrow is one item in the table, next to the sale. Every function here takes the item that was read and returns the
 * next one, which the caller saves on condition of the revision that was read, like a sale (`saveSale`). A transfer is a
 * stock change of one shard: the item with the transfer is saved first, then add-stock.lua applies it once per number, then
 * the item is saved without it (`finish-stock-change.ts` does the same for a sale). After a crash any caller can repeat a
 * step.
 *
 *   grant     save `grant`    → add-stock.lua, +units    → save `finishTransfer`
 *   recall    save `recall`   → add-stock.lua, -units    → save `finishTransfer`, which grants the units
 *                                to the receiver or adds them to the pool
 *   recovery  save `startRecovery` → freeze.lua, count what its orders may need → save `reissue`
 *                                → restore.lua, unfreeze.lua → save `finishRecovery`
 *
 * The number of a transfer is the revision with which its item is saved, and a shard has at most one transfer under way, so
 * the numbers that a shard receives only increase. A recovery uses such a number as the shard's new generation, and
 * add-stock.lua ignores every smaller number.
 *
 * At any time, pool + units in transit + Σ (available + booked) = total. In the item alone, pool + Σ granted = total: a
 * grant counts from its start, a recall from its end. Both hold for each variant, because all units here are divided by
 * variant (divided-units.ts). A transfer may move several variants.
 */
import { unitsOfVariant, type VariantUnits } from '../sale/variants.ts'
import { type DividedChange, dividedUnits, mapParts, plusParts } from './divided-units.ts'

/** A positive `delta` is a grant, a negative one a recall, whose units go to the shard `receiver` or else to the pool. */
export type Transfer = { number: number; delta: VariantUnits; receiver?: number }

/** True when a transfer takes units from its shard. */
export function isRecall({ delta }: Pick<Transfer, 'delta'>): boolean {
  return Object.values(delta).some((units) => units < 0)
}

/**
 * `granted` is the total of the shard's stock once its `transfer` is finished; a recall is not subtracted before. The
 * recovery of a shard is `started` while it has its granted units, and `reissued` once its unsold units are back in the
 * pool.
 */
export type ShardEscrow = {
  granted: VariantUnits
  generation: number
  transfer?: Transfer
  recovery?: 'started' | 'reissued'
}

/**
 * `pool` are the units that no shard has. `revision` increases with every change. `change` is the number of the last change
 * of the sale's stock, `refused` the number of the last refused one.
 */
export type Escrow = {
  revision: number
  pool: VariantUnits
  change: number
  refused?: number
  shards: readonly ShardEscrow[]
}

/** Returns the escrow of a sale before warming: no shard has units yet. `stock` includes the changes up to `change`. */
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
 * Adds units to the pool or removes some, once for each `number`; later changes have larger numbers. `short`: the pool has
 * too few of `parts`, so units must be recalled from shards first.
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

/** Adjusts the pool so that all units add up to `total`. */
export function withTotal(escrow: Escrow, total: VariantUnits): Escrow {
  const missing = plusParts(total, unitsOfSale(escrow), -1)
  return { ...escrow, revision: escrow.revision + 1, pool: plusParts(escrow.pool, missing) }
}

/** Refuses change `number` permanently. */
export function refuseChange(escrow: Escrow, number: number): Escrow {
  return { ...escrow, revision: escrow.revision + 1, change: number, refused: number }
}

/** True when a transfer with this shard can start. */
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

/** Units to recall from a shard, at least one of each listed variant. */
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
 * Finishes transfer `number` of a shard. `applied`: the shard has changed its total, now or earlier. `refused`: it has too
 * few unsold units. Returns the escrow unchanged when the transfer is no longer under way.
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
 * Marks a shard as lost under a new generation, with which the caller must freeze it. Its transfer ends here: `granted`
 * includes the units of a grant, and still includes those of a recall, so `reissue` finds them. Every attempt to recover a
 * shard starts here, so of two attempts only the later one can finish.
 */
export function startRecovery(escrow: Escrow, shard: number): Escrow {
  const { granted } = shardOf(escrow.shards, shard)
  const revision = escrow.revision + 1
  const lost: ShardEscrow = { granted, generation: revision, recovery: 'started' }
  return { ...escrow, revision, shards: escrow.shards.with(shard, lost) }
}

/**
 * Returns the unsold units of a frozen shard to the pool. `kept` are the units of its active orders and of those that may
 * still arrive. A shard that was rolled back may have sold more than it was granted: then the pool is negative until units
 * are recalled from other shards. Returns the escrow unchanged if another attempt has the shard.
 */
export function reissue(escrow: Escrow, shard: number, generation: number, kept: VariantUnits): Escrow {
  const shardEscrow = shardOf(escrow.shards, shard)
  if (shardEscrow.generation !== generation || shardEscrow.recovery !== 'started') return escrow
  const unsold = plusParts(shardEscrow.granted, kept, -1)
  const shards = escrow.shards.with(shard, { granted: kept, generation, recovery: 'reissued' })
  return { ...escrow, revision: escrow.revision + 1, pool: plusParts(escrow.pool, unsold), shards }
}

/** Ends the recovery: the shard sells again with `granted` as its total. Unchanged if another attempt has it. */
export function finishRecovery(escrow: Escrow, shard: number, generation: number): Escrow {
  const { recovery, ...shardEscrow } = shardOf(escrow.shards, shard)
  if (shardEscrow.generation !== generation || recovery !== 'reissued') return escrow
  return { ...escrow, revision: escrow.revision + 1, shards: escrow.shards.with(shard, shardEscrow) }
}

/** Returns `shards` with a grant under way to one of them. */
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
