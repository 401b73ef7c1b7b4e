/**
 * The balancer of a split stock: moves units to the shards that need them, planned by core/stock/transfer-plan.ts. Every step
 * is saved in the escrow before it is carried out, and repeated until it has ended, so balancers may run concurrently, and a
 * crash loses nothing.
 */
import type { SaleId } from '../../core/ids.ts'
import { setBounded } from '../../core/lib/bounded-map.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { unitsOfVariant, type VariantUnits } from '../../core/sale/variants.ts'
import {
  dividedUnits,
  filterParts,
  mapParts,
  type PartUnits,
  undivided,
  unitsOfParts,
} from '../../core/stock/divided-units.ts'
import { changePool, finishTransfer, isFree, recall, refuseChange, type Transfer } from '../../core/stock/escrow.ts'
import { confirmedLeft, planTransfer, recallable, type ShardReading } from '../../core/stock/transfer-plan.ts'
import type { Commander } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { addStock, type NumberedChange, type StockChange } from '../../redis/stock/add-stock.ts'
import { clearShardDemand, recordShortage, type ShardDemand } from '../../redis/stock/shard-demand.ts'
import type { StockFacts } from '../../redis/stock/stock.ts'
import type { StockPorts } from '../lib/shop/shop.ts'
import { saveEscrow } from '../table/stock/escrows.ts'
import { partsIn, readSplitStock, type SplitStock, unitsIn } from './split-stock.ts'

/**
 * The result of a round: the stock is at rest, or another round may find more. `soldOut` are the variants of which certainly no
 * unit is left anywhere, or the whole stock of a sale without variants.
 */
export type Round = { split: SplitStock; isAtRest: boolean; isSoldOut: boolean; soldOut: readonly string[] }

export type Balancer = (sale: Pick<Sale, 'saleId' | 'maxPerOrder'>) => Promise<Round | undefined>

/**
 * Creates a balancer, which runs one round per call: it carries out pending transfers, or starts those that the shards need.
 * `isSoldOut` when certainly no unit is left anywhere. Undefined for a sale without an escrow.
 * @throws when the table is unavailable
 */
export function createBalancer(ports: StockPorts): Balancer {
  const { table, clock } = ports
  const demands = rememberShardDemands()

  return async ({ saleId, maxPerOrder }) => {
    const split = await readSplitStock(ports, saleId)
    if (split === undefined) return undefined
    const moving = { split, isAtRest: false, isSoldOut: false, soldOut: [] }
    if (await applyTransfers(ports, saleId, split)) return moving
    const asked = split.facts.map((shard, at) => demands.observe(saleId, at, shard, clock()))
    const readings = split.readings.map((reading, at) => withPromised(reading, asked[at]))
    let { escrow } = split
    const short = new Map<number, PartUnits>()
    const ended: number[] = []
    for (const [shard, demand] of asked.entries()) {
      if (demand === undefined && hasShardDemand(split.facts[shard])) ended.push(shard)
      if (readings[shard] === undefined) continue
      const wanted = demand?.state === 'new' ? demand.wanted : undefined
      const plan = planTransfer({ escrow, readings }, { shard, wanted }, maxPerOrder)
      if (plan.kind === 'save') escrow = plan.escrow
      if (plan.kind === 'short' && wanted !== undefined) short.set(shard, wanted)
      if (plan.kind !== 'enough' || demand?.state !== 'new') continue
      demand.state = 'met'
      ended.push(shard)
    }
    await clearShardDemands(ports, saleId, ended)
    if (escrow === split.escrow) {
      const left = await confirmSoldOut(ports, saleId, split, short)
      const soldOut = Object.keys(filterParts(left, (units) => units <= 0))
      return { split, isAtRest: true, isSoldOut: soldOut.length === Object.keys(escrow.pool).length, soldOut }
    }
    if ((await saveEscrow(table, saleId, split.escrow.revision, escrow)) === 'saved') {
      await applyTransfers(ports, saleId, { ...split, escrow })
    }
    return moving
  }
}

function hasShardDemand(shard: StockFacts | Error | undefined): boolean {
  return shard !== undefined && !(shard instanceof Error) && shard.shardDemand !== undefined
}

/**
 * Clears demands that were met or have ended, or the next balancer would move units for them again. A demand noted meanwhile is
 * lost, and its shopper asks again.
 */
async function clearShardDemands(ports: StockPorts, saleId: SaleId, ended: readonly number[]): Promise<void> {
  if (ended.length === 0) return
  const shards = await shardsOf(ports.stock, saleId)
  const cleared = ended.flatMap((at) => shards[at] ?? []).map((shard) => clearShardDemand(shard, saleId))
  // The next round retries.
  await Promise.allSettled(cleared)
}

/**
 * Returns the units left of variants that are certainly in no shard. Shards with a larger demand get a note of the shortage, so
 * that their shoppers need not wait.
 */
async function confirmSoldOut(
  ports: StockPorts,
  saleId: SaleId,
  split: SplitStock,
  short: ReadonlyMap<number, PartUnits>,
): Promise<VariantUnits> {
  const ended = filterParts(split.escrow.pool, (pool, id) => {
    const isWanted = [...short.values()].some((wanted) => wanted.id === id && wanted.units > pool)
    return (
      (pool <= 0 || isWanted) && split.readings.every((reading) => reading && unitsOfVariant(reading.left, id) <= 0)
    )
  })
  if (Object.keys(ended).length === 0) return {}
  // Shards trust the finding for a moment from `now`, which is before the second read that it depends on.
  const now = ports.clock()
  const again = await readSplitStock(ports, saleId)
  if (again === undefined) return {}
  const isSure = (_: number, id: string) =>
    Object.hasOwn(ended, id) &&
    !split.facts.some((shard) => isChecked(shard, id)) &&
    !again.facts.some((shard) => isChecked(shard, id))
  const left = filterParts(confirmedLeft(split, again), isSure)
  const shards = await shardsOf(ports.stock, saleId)
  const wanting = [...short].flatMap(([at, { id, units }]) =>
    (ownValue(left, id) ?? units) < units ? (shards[at] ?? []) : [],
  )
  const found = { remaining: unitsIn(again).available, left: mapParts(left, (units) => Math.max(0, units)) }
  await Promise.all(wanting.map((shard) => recordShortage(shard, saleId, found, now)))
  return left
}

/** True when held-back units of that variant may be for sale again. */
function isChecked(shard: StockFacts | Error | undefined, id: string): boolean {
  if (shard === undefined || shard instanceof Error || shard.isHeldBackFinal) return false
  return (id === undivided ? shard.heldBack : (ownValue(shard.variants, id)?.heldBack ?? 0)) > 0
}

/** Applies all pending transfers whose shards answer; false when there are none. */
async function applyTransfers(ports: StockPorts, saleId: SaleId, { escrow, facts }: SplitStock): Promise<boolean> {
  const shards = await shardsOf(ports.stock, saleId)
  const outcomes = await Promise.all(
    escrow.shards.map(async ({ transfer }, at) => {
      const shard = shards[at]
      if (transfer === undefined || shard === undefined || facts[at] instanceof Error) return undefined
      return transferOutcome(shard, saleId, transfer)
    }),
  )
  let next = escrow
  for (const [at, outcome] of outcomes.entries()) {
    const transfer = escrow.shards[at]?.transfer
    if (outcome !== undefined && transfer !== undefined) next = finishTransfer(next, at, transfer.number, outcome)
  }
  if (next === escrow) return false
  await saveEscrow(ports.table, saleId, escrow.revision, next)
  return true
}

/** Applies one transfer. Undefined when the shard did not apply it; the next round repeats it. */
async function transferOutcome(
  shard: Commander,
  saleId: SaleId,
  { number, delta }: Transfer,
): Promise<'applied' | 'refused' | undefined> {
  const change = await addStock(shard, saleId, { number, ...unitsOfParts(delta) }).catch(() => undefined)
  if (change?.kind === 'changed' || change?.kind === 'repeat') return 'applied'
  return change?.kind === 'below-booked' ? 'refused' : undefined
}

/** The maximum of rounds for one change. Each round collects at least half of what is left, so 30 collect all. */
const maxRounds = 30

/**
 * Adds units to the pool or removes them; the shards return what the pool lacks. Applies a change exactly once. `unknown-sale`
 * when that is not possible now.
 * @throws when the table is unavailable
 */
export async function changeSplitStock(
  ports: StockPorts,
  saleId: SaleId,
  change: NumberedChange,
): Promise<StockChange> {
  for (let round = 0; round < maxRounds; round += 1) {
    const split = await readSplitStock(ports, saleId)
    if (split === undefined) return { kind: 'unknown-sale' }
    const changed = changePool(split.escrow, change)
    if (changed.kind === 'repeat') return { kind: 'repeat', ...countersOf(split) }
    if (changed.kind === 'refused') return { kind: 'below-booked', ...countersToTakeFrom(split, change) }
    if (changed.kind === 'changed') {
      const saved = await saveEscrow(ports.table, saleId, split.escrow.revision, changed.escrow)
      if (saved === 'saved') return { kind: 'changed', ...countersOf({ ...split, escrow: changed.escrow }) }
      continue
    }
    if (await applyTransfers(ports, saleId, split)) continue
    if (split.readings.includes(undefined) || !split.escrow.shards.every(isFree)) return { kind: 'unknown-sale' }
    const recalls = recallable(split, changed.parts)
    const next = recalls.length > 0 ? recall(split.escrow, recalls) : refuseChange(split.escrow, change.number)
    await saveEscrow(ports.table, saleId, split.escrow.revision, next)
  }
  return { kind: 'unknown-sale' }
}

/** Returns the counters of the variant that was to lose units. */
function countersToTakeFrom(split: SplitStock, change: NumberedChange): { total: number; booked: number } {
  const [id = undivided] = Object.keys(filterParts(dividedUnits(change), (units) => units < 0))
  const { total, left } = partsIn(split)
  return { total: unitsOfVariant(total, id), booked: unitsOfVariant(total, id) - unitsOfVariant(left, id) }
}

function countersOf(split: SplitStock): { total: number; booked: number; stockRevision: number } {
  const { total, available } = unitsIn(split)
  return { total, booked: total - available, stockRevision: split.escrow.revision }
}

/** A demand since it was first observed, at `seenAt` (epoch ms). A met demand is `over` when its units are sold. */
type ObservedDemand = ShardDemand & { seenAt: number; state: 'new' | 'met' | 'over' }

/** How long a demand counts, ms; a shopper who still waits asks again by then. */
const demandTtlMs = 3000

/** The maximum of shards whose last demand is remembered. */
const maxRemembered = 1000

/** Remembers the demands of many shards by one clock, because the functions that note demands have others. */
function rememberShardDemands() {
  const known = new Map<string, ObservedDemand>()
  return {
    /** Returns the last demand of a shard; undefined without one, or once it has expired. */
    observe(
      saleId: SaleId,
      at: number,
      shard: StockFacts | Error | undefined,
      now: number,
    ): ObservedDemand | undefined {
      if (shard === undefined || shard instanceof Error) return undefined
      const name = `${saleId}:${at}`
      const noted = shard.shardDemand
      const before = known.get(name)
      const isSame = noted === undefined || noted.count === before?.count
      const demand = isSame ? before : { ...noted, seenAt: now, state: 'new' as const }
      if (demand !== undefined) setBounded(known, name, demand, maxRemembered)
      return demand !== undefined && now - demand.seenAt < demandTtlMs ? demand : undefined
    },
  }
}

/** Reserves units that arrived for a demand for a moment, or two shards would take the last units from each other. */
function withPromised(reading: ShardReading, demand: ObservedDemand | undefined): ShardReading {
  if (reading === undefined || demand === undefined || demand.state === 'over') return reading
  const { id, units } = demand.wanted
  if (unitsOfVariant(reading.left, id) >= units) return { ...reading, earmarked: { [id]: units } }
  if (demand.state === 'met') demand.state = 'over'
  return reading
}
