/**
 * How fast a planned sale goes, tier by tier: from requests at the distribution to the polls of
 * buyers.
 */

import { openParts, unitsPerCapPart } from '../../core/orders/cap-part.ts'
import { commandsPerOrder } from '../../core/stock/placement.ts'
import {
  admissionsOf,
  concurrencyFor,
  redisCommandsPerClaim,
  reservationsPerSecond,
  runSeconds,
} from '../../infra/settings/arithmetic.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import { consumptions } from '../../system/queues.ts'
import { clicksPerSecond, countdownsPerSecond, gateRunsPerSecond, type Plan, readPaceOf, rolesOf } from './plan.ts'

/**
 * An order is readable about three seconds after its reservation: one for the batch, the rest to
 * write it.
 */
const writtenWithinSeconds = 3

/** A counting instance sends what it has counted, and some of its answers, once a second (redis/gate/demand.ts). */
const countsPerSecond = 2

/** A busy instance sends answers every fifth time. */
const busyCountsPerSecond = 1.2

/** An instance of the gate reads a value again after 0.6 s or a little later (docs/guide/gate.md). */
export const gateReadsPerSecond = 1 / 0.6

/**
 * Redis commands of one instance of the gate in a second with requests: it reads the facts of the
 * sale and the versions of the lists, it sends what it has counted of the demand, and without a free
 * place it asks for an admission every 1.5 s, which is two commands.
 */
export const gateCommandsPerSecond = 2 * gateReadsPerSecond + countsPerSecond + 2 / 1.5

/**
 * An admitted click that got nothing: the script with its two reads, and the write for the gate.
 */
const redisCommandsPerRefusal = 4

/**
 * Environments that Lambda counts for these calls: those that are busy, at least one for every ten
 * calls a second.
 */
export const environmentsFor = (perSecond: number, seconds: number): number =>
  Math.max(concurrencyFor(perSecond, seconds), Math.ceil(perSecond / 10))

/**
 * Units sold in the busiest second: all admitted clicks, up to the rate that stages are planned
 * for. It depends on no quota: a need that rises with a quota makes the advice to raise that quota
 * wrong.
 */
export function sellingRate(plan: Plan): number {
  return Math.max(1, Math.min(plan.shoppers, admissionsOf(plan), reservationsPerSecond))
}

/** The inputs of the limits of one sale. */
type Lot = Pick<Plan, 'kind' | 'stock' | 'sales'>

/** Units of each of the sales. */
export const stockOfOne = ({ stock, sales }: Pick<Plan, 'stock' | 'sales'>): number => Math.ceil(stock / sales)

/**
 * Writers of one sale that can write at the same time. Each needs a part of the cap for itself,
 * because DynamoDB cancels one of two transactions that overlap at an item
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). Red
 * packets have a cap of one part.
 */
const writersOfCap = (lot: Lot): number =>
  lot.kind === 'red-packet' ? 1 : Math.max(1, openParts(stockOfOne(lot), unitsPerCapPart).size)

/** The writers that a sale gets while the other sales are written, too; may be a fraction. */
const shareOfWriters = (lot: Lot, { consumers }: Pick<StageSettings, 'consumers'>): number =>
  consumers[rolesOf(lot).queue] / lot.sales

/** Whether more consumers would not write a sale faster. */
export const isBoundByCap = (lot: Lot, settings: Pick<StageSettings, 'consumers'>): boolean =>
  writersOfCap(lot) <= shareOfWriters(lot, settings)

/**
 * Several writers meet at times, most of all when little of the stock is left: ten write half of
 * what they would write without the others.
 */
const shareOfSeveral = 0.5

/** Orders or claims of one sale that the table takes in a second. */
export function writesOfOneSale(lot: Lot, settings: Pick<StageSettings, 'consumers'>): number {
  const alone = consumptions[rolesOf(lot).queue].batchSize / runSeconds.transaction
  const writers = Math.min(writersOfCap(lot), shareOfWriters(lot, settings))
  return Math.floor(alone * Math.max(Math.min(1, writers), writers * shareOfSeveral))
}

/** The least time in which the table writes the whole stock. */
export const writingFloorSeconds = (lot: Lot, settings: Pick<StageSettings, 'consumers'>): number =>
  stockOfOne(lot) / writesOfOneSale(lot, settings)

/** Redis commands that sell the whole stock, independent of the crowd. */
export function sellingCommands({ kind, stock }: Pick<Plan, 'kind' | 'stock'>): number {
  const each = kind === 'red-packet' ? redisCommandsPerClaim : commandsPerOrder
  return stock * each + (admissionsOf({ stock }) - stock) * redisCommandsPerRefusal
}

/**
 * Redis commands that count the demand of a sale's clicks: of the gate's instances while shoppers
 * click, and of the environments that decide what the gate admits.
 */
export const countingCommands = (plan: Plan): number =>
  busyCountsPerSecond * gateInstances(plan) * clickingSeconds(plan) + countingOfStock(plan)

/** The part of these that counts what the stock decided. */
export const countingOfStock = (plan: Plan): number =>
  countsPerSecond * concurrencyFor(sellingRate(plan), runSeconds.warm) * plan.sellSeconds

/** How long shoppers click. */
export const clickingSeconds = ({ openingSeconds, clicks, spreadSeconds }: Plan): number =>
  Math.max(openingSeconds * clicks, spreadSeconds)

/** Redis commands that sell the stock of one of the sales. */
export const commandsOfOne = (lot: Lot): number => sellingCommands({ kind: lot.kind, stock: stockOfOne(lot) })

/** Where the stocks are: each sale has `shards` of them, each in another database. */
type Placing = Lot & Pick<Plan, 'shards' | 'databases'>

/** Redis commands that sell what one shard of a sale has. */
export const commandsOfShard = (plan: Placing): number => commandsOfOne(plan) / plan.shards

/** Shards in the database that has the most of them. */
export const shardsTogether = ({ sales, shards, databases }: Placing): number => Math.ceil((sales * shards) / databases)

/** Redis commands that sell the stocks of the busiest database. */
export const busiestCommands = (plan: Placing): number => shardsTogether(plan) * commandsOfShard(plan)

/** The least time in which Redis sells the whole stock: its commands divided by its rate. */
export const sellingFloorSeconds = (plan: Plan, { redisCommandsPerSecond }: Quotas): number =>
  busiestCommands(plan) / redisCommandsPerSecond

/** Instances of the gate that work at the same time, in all regions: at least one in each. */
export const gateInstances = (plan: Plan): number =>
  Math.max(edgeRegions.length, concurrencyFor(gateRunsPerSecond(plan), plan.edgeRunSeconds))

/**
 * Reads of orders or wallets in a second. Pages of buyers whose order is not written yet poll
 * often: those of the last three seconds, and those that wait because the sales sell faster than
 * they are written. The others poll seldom.
 */
export function readsPerSecond(plan: Plan, settings: StageSettings, rate: number): number {
  const pace = readPaceOf(plan)
  const waiting = plan.stock * Math.max(0, 1 - (writesOfOneSale(plan, settings) * plan.sales) / rate)
  const fresh = Math.min(plan.stock, rate * writtenWithinSeconds + waiting)
  return Math.ceil(fresh / pace.writing + (plan.stock - fresh) / pace.later)
}

/** A poll's answer with its headers. */
export const pollBytes = 1000

/** What pages request beside the pointer in their busiest second: at the start or after it. */
export function besidePollsPerSecond(plan: Plan): readonly [perSecond: number, what: string] {
  const countdowns = countdownsPerSecond(plan)
  // A browser on the page of another site asks before its first click.
  const clicks = Math.ceil(clicksPerSecond(plan) * (1 + plan.elementShare))
  return clicks >= countdowns ? [clicks, 'clicks'] : [countdowns, 'countdowns']
}
