/**
 * Plans the transfer for a shard that has too few units for a shopper, and decides when a split stock, or a variant of it, is
 * really sold out. Every grant takes at least 1/2N of the pool of a variant, and every recall at least half of the units
 * of the richest shard, so the number of transfers grows with the logarithm of the stock; `docs/guide/sharding.md` derives
 * the bounds.
 */
import { allUnits, unitsOfVariant, type VariantUnits } from '../sale/variants.ts'
import { areAllZero, filterParts, mapParts, type PartUnits, plusParts } from './divided-units.ts'
import { type Escrow, grant, isFree, type Recall, recall } from './escrow.ts'

/**
 * Counters of a shard from the stock's hash. `change` is the number of the last transfer or the generation, `refused` that of
 * the last refused transfer. `stockRevision` increases with every grant, and when units return to a shard that has none of
 * their variant.
 */
export type ShardStock = {
  total: VariantUnits
  left: VariantUnits
  stockRevision: number
  change: number
  refused?: number
  isFrozen: boolean
}

/**
 * A shard's counters; undefined if it is unavailable, lost or frozen. `earmarked` units have just arrived for a shopper, so
 * they are not recalled for a moment.
 */
export type ShardReading =
  | (Pick<ShardStock, 'left' | 'stockRevision' | 'change'> & { earmarked?: VariantUnits })
  | undefined

/** The escrow, and the shards, which were read after it. */
export type EscrowSnapshot = { escrow: Escrow; readings: readonly ShardReading[] }

/** A shard with a demand. Without `wanted` it may only be running low. */
export type DemandingShard = { shard: number; wanted?: PartUnits | undefined }

/**
 * `save`: save this escrow and carry out its transfers. `enough`: the shard has the units. `wait`: units are in transit or on
 * a shard that cannot be read; the shopper must retry. `short`: only the units of the pool seem to be left, which
 * `confirmedLeft` must confirm before shoppers are told.
 */
export type TransferPlan = { kind: 'save'; escrow: Escrow } | { kind: 'enough' | 'wait' | 'short' }

/** Returns how many units of a variant a shard gets when it runs low; 0 if the pool has none. */
function grantSize({ pool, shards }: Pick<Escrow, 'pool' | 'shards'>, id: string): number {
  return Math.ceil(unitsOfVariant(pool, id) / (2 * shards.length))
}

/**
 * Returns the grant that a shard should request before it is empty: the next grant of each variant of which it has less than
 * that. A grant below the largest order is not worth a message, because it would scatter the last units again.
 */
export function runningLow(left: VariantUnits, escrow: Escrow, maxPerOrder: number): VariantUnits {
  const next = mapParts(escrow.pool, (_, id) => grantSize(escrow, id))
  return filterParts(next, (size, id) => size >= maxPerOrder && unitsOfVariant(left, id) < size)
}

/** Plans the next transfer for a demand. The plan is stale once the escrow's revision has changed. */
export function planTransfer(
  snapshot: EscrowSnapshot,
  { shard, wanted }: DemandingShard,
  maxPerOrder: number,
): TransferPlan {
  const { escrow, readings } = snapshot
  const owing = planDebt(snapshot)
  if (owing !== undefined) return owing
  const own = readings[shard]
  if (own === undefined || !isFreeAt(escrow, shard)) return { kind: 'wait' }
  if (wanted === undefined) {
    const low = runningLow(own.left, escrow, maxPerOrder)
    return areAllZero(low) ? { kind: 'enough' } : { kind: 'save', escrow: grant(escrow, shard, low) }
  }
  const { id, units } = wanted
  const missing = units - unitsOfVariant(own.left, id)
  if (missing <= 0) return { kind: 'enough' }
  if (unitsOfVariant(escrow.pool, id) >= missing) {
    return { kind: 'save', escrow: grant(escrow, shard, { [id]: Math.max(missing, grantSize(escrow, id)) }) }
  }
  const richest = recallable(snapshot, [id]).find((other) => other.shard !== shard)
  const half = Math.ceil(unitsOfVariant(richest?.units ?? {}, id) / 2)
  // No single recall is enough: collect all units, so that a grant can have the exact number.
  if (richest === undefined || half < missing) return planCollection(snapshot, id)
  return { kind: 'save', escrow: recall(escrow, [{ shard: richest.shard, units: { [id]: half } }], shard) }
}

/** If the pool or a shard has sold more units than it has, grants or recalls units to cover them. */
function planDebt(snapshot: EscrowSnapshot): TransferPlan | undefined {
  const { escrow, readings } = snapshot
  for (const [at, reading] of readings.entries()) {
    if (reading === undefined || !isFreeAt(escrow, at)) continue
    const given = mapParts(reading.left, (_, id) => Math.min(unitsOfVariant(escrow.pool, id), owedTo(reading, id)))
    const units = filterParts(given, (some) => some > 0)
    if (!areAllZero(units)) return { kind: 'save', escrow: grant(escrow, at, units) }
  }
  const isOwed = (id: string) =>
    unitsOfVariant(escrow.pool, id) < 0 ||
    readings.some((reading, at) => owedTo(reading, id) > 0 && isFreeAt(escrow, at))
  const recalls = recallable(snapshot, Object.keys(escrow.pool).filter(isOwed))
  return recalls.length > 0 ? { kind: 'save', escrow: recall(escrow, recalls) } : undefined
}

function planCollection(snapshot: EscrowSnapshot, id: string): TransferPlan {
  const { escrow, readings } = snapshot
  const isUnderWay = escrow.shards.some(({ transfer }, at) => transfer !== undefined && readings[at] !== undefined)
  if (isUnderWay) return { kind: 'wait' }
  const recalls = recallable(snapshot, [id])
  if (recalls.length > 0) return { kind: 'save', escrow: recall(escrow, recalls) }
  return isComplete(snapshot) ? { kind: 'short' } : { kind: 'wait' }
}

/**
 * Returns the units of each variant that the whole stock had left when the escrow was read for the second time, without
 * variants for which this is uncertain. It is certain if both snapshots found no unit of the variant on any shard, the
 * second one found nothing in transit and could read every shard, and no shard changed its revision or last transfer: then
 * no shard received units in between, and all units left were in the pool. Units that shards have oversold are subtracted.
 */
export function confirmedLeft(first: EscrowSnapshot, second: EscrowSnapshot): VariantUnits {
  if (!isComplete(second)) return {}
  const isSame = second.readings.every((reading, at) => {
    const before = first.readings[at]
    if (before === undefined || reading === undefined) return false
    return before.stockRevision === reading.stockRevision && before.change === reading.change
  })
  if (!isSame) return {}
  const snapshots = [...first.readings, ...second.readings]
  const confirmed = filterParts(second.escrow.pool, (_, id) =>
    snapshots.every((one) => unitsOfVariant(one?.left ?? {}, id) <= 0),
  )
  return mapParts(confirmed, (pool, id) => second.readings.reduce((left, reading) => left - owedTo(reading, id), pool))
}

/** Returns how many units a shard has oversold, which happens only after its data was rolled back. */
function owedTo(reading: ShardReading, id: string): number {
  return Math.max(0, -unitsOfVariant(reading?.left ?? {}, id))
}

/** Returns the units of the variants `ids` that can be recalled from free shards, the richest shard first. */
export function recallable({ escrow, readings }: EscrowSnapshot, ids: readonly string[]): Recall[] {
  return readings
    .map((reading, shard): Recall => {
      const isRecallable = reading !== undefined && isFreeAt(escrow, shard)
      const available = isRecallable ? plusParts(reading.left, reading.earmarked ?? {}, -1) : {}
      return { shard, units: filterParts(available, (units, id) => units > 0 && ids.includes(id)) }
    })
    .filter(({ units }) => !areAllZero(units))
    .sort((a, b) => allUnits(b.units) - allUnits(a.units))
}

/** True when no unit is in transit and every shard can be read. */
function isComplete({ escrow, readings }: EscrowSnapshot): boolean {
  return escrow.shards.every((shardEscrow, at) => isFree(shardEscrow) && readings[at] !== undefined)
}

function isFreeAt({ shards }: Escrow, shard: number): boolean {
  const shardEscrow = shards[shard]
  return shardEscrow !== undefined && isFree(shardEscrow)
}
