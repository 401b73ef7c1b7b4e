/**
 * Publishes to the gate how many requests it may still admit (G4, G5, G7). The gate knows the stock only from here, so every
 * change of the available units is published before waiting shoppers learn of it.
 */
import { admitPerSecondOf, nextRate } from '../../core/gate/admission-rate.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { CountedUnits } from '../../core/sale/series.ts'
import type { Command, Stocks } from '../../redis/command.ts'
import { toError } from '../../redis/errors.ts'
import type { SaleDemand } from '../../redis/gate/demand.ts'
import {
  publishRate,
  type Replenished,
  readAdmissions,
  replenish,
  type StockSnapshot,
} from '../../redis/gate/replenish.ts'
import { isSplit } from '../../redis/shards.ts'
import { readShards, readStock, type StockFacts, sumOfReachable } from '../../redis/stock/stock.ts'
import type { StorePorts } from '../lib/shop/shop.ts'
import { readSplitStock, unitsIn, wholeStock } from './split-stock.ts'

type AdmissionSettings = Pick<Sale, 'admissionRatio' | 'admitPerSecond' | 'shards'>

/**
 * Recalculates the admissions of a sale and resolves with the stock they follow from. Without `settings` the gate keeps its
 * own.
 * @throws when Redis or the gate is unavailable
 */
export async function replenishAdmissions(
  ports: StorePorts,
  saleId: SaleId,
  settings?: AdmissionSettings,
): Promise<StockFacts | undefined> {
  // Before the stock is read, because changes during the read may or may not be counted.
  const asOf = ports.clock()
  const { stock, units } = await readUnits(ports, saleId)
  await replenish(ports.gate, saleId, { ...units, ...limitsOf(settings), asOf })
  return stock
}

const limitsOf = (settings: AdmissionSettings | undefined) =>
  settings && { ratio: settings.admissionRatio, maxRate: admitPerSecondOf(settings) }

/** The rates in the gate's store as far as this run knows, by sale. */
export type AdmissionRates = Map<SaleId, number>

/** The inspected stock, its units when every shard was read, and the demand unless a newer count of the stock exists. */
export type InspectedSale = {
  stock: StockFacts | undefined
  counted?: CountedUnits | undefined
  demand?: SaleDemand | undefined
}

/**
 * Replenishes a running sale, once a second: its admission rate follows the latency of its stock databases (R4, R8). Publishes
 * the rate even if no database answers.
 * @throws as `replenishAdmissions` does
 */
export async function replenishAtRate(
  ports: StorePorts,
  sale: AdmissionSettings & Pick<Sale, 'saleId'>,
  rates: AdmissionRates,
): Promise<InspectedSale> {
  const { gate, clock } = ports
  const { saleId } = sale
  const last = rates.get(saleId) ?? (await readAdmissions(gate, saleId))?.rate
  const asOf = clock()
  const timed = timeReads(ports.stock, clock)
  const read = await readUnits({ ...ports, stock: timed.stocks }, saleId).catch(toError)
  const limits = { ratio: sale.admissionRatio, maxRate: admitPerSecondOf(sale) }
  const rate = last === undefined || !timed.isAsked() ? last : nextRate(last, limits.maxRate, timed.slowestMs())
  if (read instanceof Error) {
    if (rate !== undefined) rememberRate(rates, saleId, await publishRate(gate, saleId, { ...limits, asOf, rate }))
    throw read
  }
  const paced = rate === undefined ? {} : { rate }
  const done = await replenish(gate, saleId, { ...read.units, ...limits, ...paced, asOf })
  rememberRate(rates, saleId, done)
  const demand = done.kind === 'replenished' ? done.demand : undefined
  return { stock: read.stock, counted: countedIn(read), demand }
}

/** Remembers the published rate, unless another run has a newer count. */
function rememberRate(rates: AdmissionRates, saleId: SaleId, done: Replenished): void {
  if (done.kind === 'replenished' && done.rate !== undefined) rates.set(saleId, done.rate)
}

/** Wraps `stocks` and measures the longest time of a successful command, ms: a lost shard must not slow the others. */
function timeReads(stocks: Stocks, clock: () => number) {
  let isAsked = false
  let slowestMs: number | undefined
  const exec = async (command: Command) => {
    isAsked = true
    const askedAt = clock()
    const reply = await stocks.exec(command)
    slowestMs = Math.max(slowestMs ?? 0, clock() - askedAt)
    return reply
  }
  const timed: Stocks =
    stocks.shardCount === undefined ? { exec } : { exec, shardCount: (saleId) => stocks.shardCount(saleId) }
  return { stocks: timed, isAsked: () => isAsked, slowestMs: () => slowestMs }
}

type Units = Pick<StockSnapshot, 'total' | 'booked' | 'stockRevision' | 'epoch'>
type ReadUnits = { stock: StockFacts | undefined; units: Units; isPartial?: boolean }

/**
 * Counts units. Held-back units are neither taken nor left; units between two shards are left. Undefined if some are unknown.
 */
function countedIn({ stock, units, isPartial = false }: ReadUnits): CountedUnits | undefined {
  if (stock === undefined || units.booked === undefined || isPartial) return undefined
  const { booked, heldBack } = stock
  const left = units.total === -1 ? -1 : Math.max(0, units.total - booked)
  return { taken: Math.max(0, booked - heldBack), left }
}

/** Reads the units. An unreadable shard has nothing to sell, and does not stop the others. */
async function readUnits({ stock: stocks, table }: StorePorts, saleId: SaleId): Promise<ReadUnits> {
  if (!(await isSplit(stocks, saleId))) {
    const stock = await readStock(stocks, saleId)
    return { stock, units: unitsOf(stock) }
  }
  const split = await readSplitStock({ stock: stocks, table }, saleId)
  if (split === undefined) return readPackets(stocks, saleId)
  const stock = wholeStock(split)
  if (stock === undefined) return { stock, units: unitsOf(stock), isPartial: true }
  const { total, available } = unitsIn(split)
  const counts = { total, booked: total - available, stockRevision: split.escrow.revision, epoch: stock.epoch }
  const isPartial = split.readings.includes(undefined)
  return { stock, units: stock.frozen ? unitsOf(undefined) : counts, isPartial }
}

/** Reads red packets, which have no escrow: their shards have all units. */
async function readPackets(stocks: Stocks, saleId: SaleId): Promise<ReadUnits> {
  const shards = await readShards(stocks, saleId)
  const stock = sumOfReachable(shards)
  const isPartial = shards.some((shard) => shard === undefined || shard instanceof Error || shard.frozen)
  return { stock, units: unitsOf(stock), isPartial }
}

/** Returns the units to publish. A lost or frozen stock sells nothing (I6), and must not overwrite the gate's booked count. */
function unitsOf(stock: StockFacts | undefined): Units {
  if (stock === undefined || stock.frozen) return { total: 0, booked: undefined, stockRevision: 0, epoch: 0 }
  const { total, booked, stockRevision, epoch } = stock
  return { total, booked, stockRevision, epoch }
}
