/**
 * Decides which transfer a shard needs that has too few units for a shopper, and when a split stock, or
 * a variant of it, is really sold out. Every grant takes at least 1/2N of the pool of a variant and every
 * recall at least half of what the richest shard has of one, so both grow with the logarithm of the stock;
 * `docs/guide/sharding.md` derives the bounds.
 */
import { allUnits, type VariantUnits } from '../sale/variants.ts'
import { isNothing, mapParts, type PartUnits, plusParts, someParts } from './divided-units.ts'
import { type Bank, grant, isFree, type Lend, lend } from './rights.ts'

/**
 * The fields of the stock's hash. `change` is the number of the last transfer or the generation,
 * `refused` the last transfer that was refused. `stockRevision` rises with every grant and whenever
 * units return to a shard that has none of their variant.
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
 * A shard's counters; undefined for one that is unreachable, lost or frozen. `promised` of its units
 * have just come for a shopper there, so they are not lent again for a moment.
 */
export type ShardReading =
  | (Pick<ShardStock, 'left' | 'stockRevision' | 'change'> & { promised?: VariantUnits })
  | undefined

/** The bank, and after it all shards, read one after another. */
export type BankLook = { bank: Bank; readings: readonly ShardReading[] }

/** A shard that a shopper wants units from; nothing is `wanted` of one that may run low. */
export type Wish = { shard: number; wanted?: PartUnits | undefined }

/**
 * `save` this bank and carry out its transfers. `enough`: the shard has the units. `wait`: units are
 * in transit or on a shard that cannot be read; the shopper must retry. `short`: only as many as in the
 * pool seem to be left, which `confirmedLeft` must confirm before a shopper may read it.
 */
export type TransferPlan = { kind: 'save'; bank: Bank } | { kind: 'enough' | 'wait' | 'short' }

/** How many units of a variant a shard gets that runs low; 0 when the pool has none. */
function grantSize({ pool, shards }: Pick<Bank, 'pool' | 'shards'>, id: string): number {
  return Math.ceil(of(pool, id) / (2 * shards.length))
}

/**
 * What a shard should ask for before it has none: its next grant of each variant that it has less of. A
 * grant of less than the largest order is worth no message of its own: it would scatter the end of the
 * stock again.
 */
export function runningLow(left: VariantUnits, bank: Bank, maxPerOrder: number): VariantUnits {
  const next = mapParts(bank.pool, (_, id) => grantSize(bank, id))
  return someParts(next, (size, id) => size >= maxPerOrder && of(left, id) < size)
}

/** Plans the next transfer for a wish. The plan is out of date when the bank's revision has changed. */
export function planTransfer(look: BankLook, { shard, wanted }: Wish, maxPerOrder: number): TransferPlan {
  const { bank, readings } = look
  const owing = planOwed(look)
  if (owing !== undefined) return owing
  const own = readings[shard]
  if (own === undefined || !isFreeAt(bank, shard)) return { kind: 'wait' }
  if (wanted === undefined) {
    const low = runningLow(own.left, bank, maxPerOrder)
    return isNothing(low) ? { kind: 'enough' } : { kind: 'save', bank: grant(bank, shard, low) }
  }
  const { id, units } = wanted
  const missing = units - of(own.left, id)
  if (missing <= 0) return { kind: 'enough' }
  if (of(bank.pool, id) >= missing) {
    return { kind: 'save', bank: grant(bank, shard, { [id]: Math.max(missing, grantSize(bank, id)) }) }
  }
  const richest = lendable(look, [id]).find((lender) => lender.shard !== shard)
  const half = Math.ceil(of(richest?.units ?? {}, id) / 2)
  // No shard can lend enough: collect all units, so that the bank can grant exactly what is wanted.
  if (richest === undefined || half < missing) return planCollection(look, id)
  return { kind: 'save', bank: lend(bank, [{ shard: richest.shard, units: { [id]: half } }], shard) }
}

/** More was sold than there is, by the bank or by a shard: the others give up what they have left. */
function planOwed(look: BankLook): TransferPlan | undefined {
  const { bank, readings } = look
  for (const [at, reading] of readings.entries()) {
    if (reading === undefined || !isFreeAt(bank, at)) continue
    const given = mapParts(reading.left, (_, id) => Math.min(of(bank.pool, id), owedTo(reading, id)))
    const units = someParts(given, (some) => some > 0)
    if (!isNothing(units)) return { kind: 'save', bank: grant(bank, at, units) }
  }
  const isOwed = (id: string) =>
    of(bank.pool, id) < 0 || readings.some((reading, at) => owedTo(reading, id) > 0 && isFreeAt(bank, at))
  const lenders = lendable(look, Object.keys(bank.pool).filter(isOwed))
  return lenders.length > 0 ? { kind: 'save', bank: lend(bank, lenders) } : undefined
}

function planCollection(look: BankLook, id: string): TransferPlan {
  const { bank, readings } = look
  const isUnderWay = bank.shards.some(({ transfer }, at) => transfer !== undefined && readings[at] !== undefined)
  if (isUnderWay) return { kind: 'wait' }
  const lenders = lendable(look, [id])
  if (lenders.length > 0) return { kind: 'save', bank: lend(bank, lenders) }
  return isWhole(look) ? { kind: 'short' } : { kind: 'wait' }
}

/**
 * The units of each variant that the whole stock had left when the bank was read for the second time; a variant is missing
 * where that is not certain. It is certain where both looks found no units of it on any shard, the second found nothing in transit and could
 * read every shard, and all shards have kept their revision and last transfer: then no shard got units in between, and all
 * that was left was in the pool. Units that shards sold beyond theirs are subtracted.
 */
export function confirmedLeft(first: BankLook, second: BankLook): VariantUnits {
  if (!isWhole(second)) return {}
  const isSame = second.readings.every((reading, at) => {
    const before = first.readings[at]
    if (before === undefined || reading === undefined) return false
    return before.stockRevision === reading.stockRevision && before.change === reading.change
  })
  if (!isSame) return {}
  const looks = [...first.readings, ...second.readings]
  const confirmed = someParts(second.bank.pool, (_, id) => looks.every((one) => of(one?.left ?? {}, id) <= 0))
  return mapParts(confirmed, (pool, id) => second.readings.reduce((left, reading) => left - owedTo(reading, id), pool))
}

/**
 * How many units of a variant more than it has a shard has sold, which happens only when its data went
 * back to an older state.
 */
function owedTo(reading: ShardReading, id: string): number {
  return Math.max(0, -of(reading?.left ?? {}, id))
}

/** The units of the variants `ids` that free shards can lend, the richest shard first. */
export function lendable({ bank, readings }: BankLook, ids: readonly string[]): Lend[] {
  return readings
    .map((reading, shard): Lend => {
      const isLender = reading !== undefined && isFreeAt(bank, shard)
      const unpromised = isLender ? plusParts(reading.left, reading.promised ?? {}, -1) : {}
      return { shard, units: someParts(unpromised, (units, id) => units > 0 && ids.includes(id)) }
    })
    .filter(({ units }) => !isNothing(units))
    .sort((a, b) => allUnits(b.units) - allUnits(a.units))
}

/** True when no unit is in transit and every shard can be read. */
function isWhole({ bank, readings }: BankLook): boolean {
  return bank.shards.every((rights, at) => isFree(rights) && readings[at] !== undefined)
}

function isFreeAt({ shards }: Bank, shard: number): boolean {
  const rights = shards[shard]
  return rights !== undefined && isFree(rights)
}

function of(units: VariantUnits, id: string): number {
  return units[id] ?? 0
}
