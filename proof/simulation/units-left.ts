/**
 * Tracks the units left in the whole stock over time, to check "sold out" answers (S15). No single shard of a split
 * stock knows this number.
 */
import type { SaleId } from '../../core/ids.ts'
import { allUnits, type OrderUnits, unitsOfVariant, type VariantUnits } from '../../core/sale/variants.ts'
import { areAllZero, dividedUnits, plusParts } from '../../core/stock/divided-units.ts'
import { type Escrow, isRecall, unitsOfSale } from '../../core/stock/escrow.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { findEscrow } from '../../functions/table/stock/escrows.ts'
import type { SplitStocks } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { hasReturnableUnits, readShard, readStock, type StockFacts } from '../../redis/stock/stock.ts'
import type { ReservationRecord } from './records.ts'

export type UnitsLeft = ReturnType<typeof openUnitsLeft>

/** Maximum age of the balancer's result in an answer, with clock skew, ms. */
const maxAgeMs = 1400

export function openUnitsLeft(
  stocks: SplitStocks,
  table: Table,
  { saleId, now, reservations, stock, violated }: Watched,
) {
  const counts: Count[] = []
  /** Returns the minimum of units left in the period to which an answer may refer. */
  const minSince = (since: number, leftIn: (count: Count) => number) => {
    const first = counts.findLastIndex(({ at }) => at < since - maxAgeMs)
    return Math.min(...counts.slice(Math.max(0, first)).map(leftIn))
  }
  // A stock change updates the sale first when it adds units, and the escrow first when it removes some.
  const checkEscrow = (escrow: Escrow) => {
    const most = stock()
    for (const [id, granted] of Object.entries(unitsOfSale(escrow))) {
      const units = unitsOfVariant(most, id)
      if (granted > units) violated(`the escrow has ${granted} units ${id} of a sale of ${units} (S15, N1)`)
    }
  }
  // The variants of orders in progress are unknown, so each variant holds back units for them.
  const checkHeldBack = ({ heldBack = 0, variants }: Partial<StockFacts> = {}) => {
    if (variants === undefined) return
    const ofVariants = Object.values(variants).reduce((sum, variant) => sum + variant.heldBack, 0)
    if (ofVariants < heldBack) violated(`${heldBack} units are held back, and ${ofVariants} of the variants (I2, N1)`)
  }
  return {
    /** Counts the units; called after every possible change. */
    async count(): Promise<void> {
      const shards = await readAllShards(stocks, saleId)
      const escrow = shards.length === 1 ? undefined : await findEscrow(table, saleId)
      if (!reservations.hasLostData()) for (const fault of faultsOf(shards, escrow)) violated(fault)
      if (escrow !== undefined) checkEscrow(escrow)
      for (const shard of shards) checkHeldBack(shard)
      const [left, byVariant] = [unitsLeft(shards, escrow), unitsByVariant(shards, escrow)]
      const known = counts.at(-1)
      const isSame = known?.left === left && [...known.byVariant].join() === [...byVariant].join()
      if (!isSame) counts.push({ at: now(), left, byVariant })
    },
    /**
     * Checks a "sold out" answer to a request of `shopperId` for `wanted`, sent at `since` (epoch ms). `named` is the
     * variant that the answer names; undefined when it means the sale.
     */
    checkSoldOut(shopperId: string, { quantity, variant }: OrderUnits, named: string | undefined, since: number): void {
      if (named === undefined) {
        const min = minSince(since, ({ left }) => left)
        if (min >= quantity) violated(`${shopperId} read "sold out" while ${min} units were left (S15)`)
        return
      }
      const min = minSince(since, ({ byVariant }) => byVariant.get(named) ?? Number.POSITIVE_INFINITY)
      if (named !== variant) violated(`${shopperId} wanted ${variant} and read that ${named} is sold out (N1)`)
      else if (min >= quantity)
        violated(`${shopperId} read that ${named} is sold out while ${min} of it were left (N1)`)
    },
  }
}

/** The units left at a time, and of each variant whose stock is known. */
type Count = { at: number; left: number; byVariant: ReadonlyMap<string, number> }

type Watched = {
  saleId: SaleId
  now: () => number
  reservations: Pick<ReservationRecord, 'hasLostData'>
  /** Returns the units of the sale in the table by variant; empty when it does not exist. */
  stock: () => VariantUnits
  violated: (what: string) => void
}

type Shards = readonly (StockFacts | undefined)[]

async function readAllShards(stocks: SplitStocks, saleId: SaleId): Promise<Shards> {
  const shards = await shardsOf(stocks, saleId)
  return Promise.all(shards.map((shard) => readShard(shard, saleId)))
}

/**
 * Returns faults while Redis has all data: a shard that sold more than it has, or has other units than the granted
 * ones.
 */
function faultsOf(shards: Shards, escrow: Escrow | undefined): string[] {
  return shards.flatMap((shard, at) => {
    if (shard === undefined || shard.frozen || shard.total === -1) return []
    const { total, booked, variants } = shard
    const parts = variants === undefined ? dividedUnits({ delta: total }) : totalsOf(variants)
    const { granted = parts, transfer, recovery } = escrow?.shards[at] ?? {}
    const delta = transfer?.delta ?? {}
    const isGranting = transfer !== undefined && !isRecall(transfer)
    const beyond = plusParts(parts, isGranting ? plusParts(granted, delta, -1) : granted, -1)
    // A recovery completes a transfer before it freezes the shard.
    const isGranted = recovery !== undefined || areAllZero(beyond) || areAllZero(plusParts(beyond, delta, -1))
    const said = `${JSON.stringify(parts)} units and was granted ${JSON.stringify(granted)}`
    const oversold = Object.entries(variants ?? {}).flatMap(([id, { left }]) =>
      left < 0 ? [`${-left} units too many of ${id} in shard ${at} are booked (I1, N1)`] : [],
    )
    return [
      ...(booked > total ? [`${booked} of ${total} units of shard ${at} are booked (I1)`] : []),
      ...oversold,
      ...(isGranted ? [] : [`shard ${at} has ${said} (S15)`]),
    ]
  })
}

/** Returns the units that can still be bought, including those that no shard has yet. */
export async function availableUnits(stocks: SplitStocks, table: Table, saleId: SaleId): Promise<number> {
  const stock = await readStock(stocks, saleId)
  return stock === undefined ? 0 : unitsWithEscrow(stock, await findEscrow(table, saleId)).available
}

/**
 * Returns the units of a whole stock. Units of a split stock may be in the escrow's pool or in transfer, and a
 * rolled-back shard may have sold more than it has.
 */
export function unitsWithEscrow(
  { total, booked, available }: StockFacts,
  escrow: Escrow | undefined,
): { total: number; available: number } {
  if (escrow === undefined) return { total, available }
  const all = allUnits(unitsOfSale(escrow))
  return { total: all, available: Math.max(0, all - booked) }
}

/**
 * Returns the units left; Infinity while a shard is missing, frozen or holds back units, because its units are unknown
 * then.
 */
function unitsLeft(shards: Shards, escrow: Escrow | undefined): number {
  let [booked, total] = [0, 0]
  for (const shard of shards) {
    if (shard === undefined || shard.frozen || shard.total === -1) return Number.POSITIVE_INFINITY
    if (shard.packets === undefined && hasReturnableUnits(shard)) return Number.POSITIVE_INFINITY
    booked += shard.booked
    total += shard.total
  }
  return (escrow === undefined ? total : allUnits(unitsOfSale(escrow))) - booked
}

/** Returns the units left of each variant; empty while a shard is missing or frozen. */
function unitsByVariant(shards: Shards, escrow: Escrow | undefined): ReadonlyMap<string, number> {
  const left = new Map<string, number>()
  for (const shard of shards) {
    if (shard === undefined || shard.frozen) return new Map()
    for (const [id, variant] of Object.entries(shard.variants ?? {})) {
      const isUnknown = variant.heldBack > 0 && !shard.isHeldBackFinal
      const units = escrow === undefined ? variant.left : variant.left - variant.total
      left.set(id, (left.get(id) ?? 0) + (isUnknown ? Number.POSITIVE_INFINITY : units))
    }
  }
  const total = escrow === undefined ? {} : unitsOfSale(escrow)
  return new Map([...left].map(([id, units]) => [id, units + unitsOfVariant(total, id)]))
}

function totalsOf(variants: NonNullable<StockFacts['variants']>): VariantUnits {
  return Object.fromEntries(Object.entries(variants).map(([id, { total }]) => [id, total]))
}
