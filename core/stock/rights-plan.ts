/**
 * Decides which transfer a shard needs that has too few units for a basket, and when a split stock
 * is really sold out. Every grant takes at least 1/2N of the pool and every recall at least half of
 * the richest shard, so both grow with the logarithm of the stock; `docs/guide/sharding.md` derives the
 * bounds.
 */
import { type Bank, grant, isFree, type Lend, lend } from './rights.ts'
import type { ShardStock } from './rights-shard.ts'

/**
 * A shard's counters; undefined for one that is unreachable, lost or frozen. `promised` of its units
 * have just come for a shopper there, so they are not lent again for a moment.
 */
export type ShardReading =
  | (Pick<ShardStock, 'left' | 'stockRevision' | 'change'> & { promised?: number })
  | undefined

/** The bank, and after it all shards, read one after another. */
export type BankLook = { bank: Bank; readings: readonly ShardReading[] }

/** A shard that a shopper wants `units` from; 0 for one that only runs low. */
export type Wish = { shard: number; units: number }

/**
 * `save` this bank and carry out its transfers. `enough`: the shard has the units. `wait`: units are
 * in transit or on a shard that cannot be read; the shopper must retry. `short`: only `left` units
 * seem to be left, which `confirmedShort` must confirm before a shopper may read it.
 */
export type TransferPlan =
  | { kind: 'save'; bank: Bank }
  | { kind: 'enough' | 'wait' }
  | { kind: 'short'; left: number }

/** How many units a shard gets that runs low; 0 when the pool is empty. */
function grantSize({ pool, shards }: Pick<Bank, 'pool' | 'shards'>): number {
  return Math.ceil(pool / (2 * shards.length))
}

/**
 * True when a shard should ask for its next grant before it is empty. A grant of less than the
 * largest basket is worth no message of its own: it would scatter the end of the stock again.
 */
export function runsLow(left: number, bank: Bank, maxPerOrder: number): boolean {
  const size = grantSize(bank)
  return size >= maxPerOrder && left < size
}

/** Plans the next transfer for a wish. The plan is out of date when the bank's revision has changed. */
export function planTransfer(
  { bank, readings }: BankLook,
  { shard, units }: Wish,
  maxPerOrder: number,
): TransferPlan {
  const { shards, pool } = bank
  const lenders = lendable({ bank, readings })
  // More was sold than there is, by the bank or by a shard: the others give up what they have left.
  const oversold = readings.findIndex((reading, at) => owedTo(reading) > 0 && isFreeAt(bank, at))
  if (oversold !== -1 && pool > 0) {
    return { kind: 'save', bank: grant(bank, oversold, Math.min(pool, owedTo(readings[oversold]))) }
  }
  if ((oversold !== -1 || pool < 0) && lenders.length > 0) return { kind: 'save', bank: lend(bank, lenders) }
  const own = readings[shard]
  if (own === undefined || !isFreeAt(bank, shard)) return { kind: 'wait' }
  if (units === 0) {
    const size = grantSize(bank)
    return runsLow(own.left, bank, maxPerOrder)
      ? { kind: 'save', bank: grant(bank, shard, size) }
      : { kind: 'enough' }
  }
  const missing = units - own.left
  if (missing <= 0) return { kind: 'enough' }
  if (pool >= missing) {
    return { kind: 'save', bank: grant(bank, shard, Math.max(missing, grantSize(bank))) }
  }
  const richest = lenders.find((lender) => lender.shard !== shard)
  const half = Math.ceil((richest?.units ?? 0) / 2)
  if (richest !== undefined && half >= missing) {
    return { kind: 'save', bank: lend(bank, [{ ...richest, units: half }], shard) }
  }
  // No shard can lend enough: collect all units, so that the bank can grant exactly these.
  const isUnderWay = shards.some(({ transfer }, at) => transfer !== undefined && readings[at] !== undefined)
  if (isUnderWay) return { kind: 'wait' }
  if (lenders.length > 0) return { kind: 'save', bank: lend(bank, lenders) }
  return isWhole({ bank, readings }) ? { kind: 'short', left: pool } : { kind: 'wait' }
}

/**
 * How many units were left at one moment between two looks; undefined when some may have been in
 * transit, or on a shard that could not be read. An empty shard whose revision and last transfer
 * stay the same from one look to the next got no unit in between. So when the bank was read for the
 * second time all shards were empty, and nothing was under way: what was left was in its pool, less what
 * shards sold beyond their units.
 */
export function confirmedShort(first: BankLook, second: BankLook): number | undefined {
  const isAgreed = second.readings.every((reading, at) => {
    const before = first.readings[at]
    return before !== undefined && reading !== undefined && isSameAndEmpty(before, reading)
  })
  if (!isAgreed || !isWhole(second)) return undefined
  return second.readings.reduce((left, reading) => left - owedTo(reading), second.bank.pool)
}

/**
 * How many units more than it has a shard has sold, which happens only when its data went back to an
 * older state.
 */
function owedTo(reading: ShardReading): number {
  return Math.max(0, -(reading?.left ?? 0))
}

function isSameAndEmpty(before: NonNullable<ShardReading>, after: NonNullable<ShardReading>): boolean {
  const isSame = before.stockRevision === after.stockRevision && before.change === after.change
  return isSame && before.left <= 0 && after.left <= 0
}

/** The units that free shards can lend, the richest shard first. */
export function lendable({ bank, readings }: Pick<BankLook, 'bank' | 'readings'>): Lend[] {
  return readings
    .map((reading, shard): Lend => ({ shard, units: isFreeAt(bank, shard) ? unpromised(reading) : 0 }))
    .filter(({ units }) => units > 0)
    .sort((a, b) => b.units - a.units)
}

function unpromised(reading: ShardReading): number {
  return reading === undefined ? 0 : reading.left - (reading.promised ?? 0)
}

/** True when no unit is in transit and every shard can be read. */
function isWhole({ bank, readings }: BankLook): boolean {
  return bank.shards.every((rights, at) => isFree(rights) && readings[at] !== undefined)
}

function isFreeAt({ shards }: Bank, shard: number): boolean {
  const rights = shards[shard]
  return rights !== undefined && isFree(rights)
}
