/**
 * What a planned sale asks of each tier in a second: of the gate, the functions, Redis and the table. No need depends on
 * a quota: one that rises with a quota would make the advice to raise that quota wrong.
 */
import { initialParts, unitsPerCapPart } from '../../core/orders/cap-part.ts'
import { openedMs, openedSpreadMs } from '../../core/sale/pointer-poll.ts'
import { commandsPerOrder } from '../../core/stock/placement.ts'
import {
  admissionsOf,
  commandsPerPacket,
  concurrencyFor,
  reservationsPerSecond,
  runSeconds,
} from '../../infra/settings/arithmetic.ts'
import { functionsOfStage, type StageParts, type StageSettings } from '../../infra/settings/stage.ts'
import { edgeRegions, isEdgeRegion } from '../../system/edge-regions.ts'
import type { FunctionName } from '../../system/functions.ts'
import { consumptions, queueNames } from '../../system/queues.ts'
import {
  clicksPerSecond,
  edgeColdSeconds,
  edgeRunSeconds,
  gateRunsPerSecond,
  type Plan,
  readerOf,
  readPaceOf,
  requestsPerSignIn,
  signInsPerSecond,
} from './plan.ts'

/** The planned sale on a stage: `rate` units sold in the busiest second, `reads` of orders or wallets a second. */
export type Demand = { plan: Plan; settings: StageSettings; rate: number; reads: number }

export function demandOf(plan: Plan, settings: StageSettings): Demand {
  const rate = sellingRate(plan)
  return { plan, settings, rate, reads: readsPerSecond(plan, settings, rate) }
}

/** Units sold in the busiest second: all admitted clicks, up to the rate that stages are planned for. */
export const sellingRate = (plan: Plan): number =>
  Math.max(1, Math.min(plan.shoppers, admissionsOf(plan), reservationsPerSecond))

/**
 * Environments that Lambda counts for these calls: those that are busy, at least one for every ten calls a second
 * (https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html).
 */
export const environmentsFor = (perSecond: number, seconds: number): number =>
  Math.max(concurrencyFor(perSecond, seconds), Math.ceil(perSecond / 10))

/** The busiest second: that of the first clicks, or one in which pages also poll and load the countdown of the start. */
export function pageRequestsPerSecond(plan: Plan): number {
  const loads = 2 * Math.ceil((plan.shoppers * 1000) / openedSpreadMs)
  return Math.max(clicksPerSecond(plan), loads + clicksPerSecond(plan, openedMs / 1000))
}

/**
 * Environments of one function that start at once in a region: 1,000 in any ten seconds
 * (https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html).
 */
export const startsAtOnce = 1000

export const gateRequestsPerSecond = (plan: Plan): number => Math.ceil(gateRunsPerSecond(plan) * plan.busiestShare)

/** In the first second, when no environment runs. */
export const gateStarts = (plan: Plan): number => environmentsFor(gateRequestsPerSecond(plan), edgeColdSeconds)

/** Lambda starts no more at once, so a cold gate could not use a larger quota. */
export const gateConcurrency = (plan: Plan): number =>
  Math.max(environmentsFor(gateRequestsPerSecond(plan), edgeRunSeconds), Math.min(gateStarts(plan), startsAtOnce))

/** A buyer has 15 minutes to pay; in the worst case all pay within two. */
const payWithinSeconds = 120
/** Environments that the sale needs of its functions. A sign-in mostly waits for the issuer. */
export function concurrencyOf({ plan, rate, reads }: Demand): Partial<Record<FunctionName, number>> {
  return {
    reserve: environmentsFor(rate, runSeconds.slow),
    [readerOf(plan)]: environmentsFor(reads, runSeconds.read),
    ...(plan.kind === 'goods' && { payments: environmentsFor(plan.stock / payWithinSeconds, runSeconds.read) }),
    'sign-in': concurrencyFor(signInsPerSecond(plan) * requestsPerSignIn, runSeconds.slow),
  }
}

/** The concurrency that all functions of a stage reserve together. */
export const reservedInAll = (settings: Pick<StageSettings, 'functions'> & StageParts): number =>
  functionsOfStage(settings).reduce((sum, name) => sum + (settings.functions[name].reserved ?? 0), 0)

/**
 * Concurrency that an account keeps for functions without a reservation
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html).
 */
export const unreservedAtLeast = 100

/** The stage's region: what is or should be reserved, and what all others share. */
export function accountConcurrency(demand: Demand): number {
  const { plan, settings } = demand
  const needed = concurrencyOf(demand)
  let reserved = 0
  let shared = 0
  for (const name of functionsOfStage(settings)) {
    const own = settings.functions[name].reserved
    const amount = needed[name] ?? 0
    if (own === undefined) shared += amount
    else reserved += Math.max(own, amount)
  }
  // A consumer with a reservation is part of `reserved`.
  for (const name of queueNames) {
    if (settings.functions[consumptions[name].consumer].reserved === undefined) shared += settings.consumers[name]
  }
  if (isEdgeRegion(settings.region)) shared += gateConcurrency(plan)
  // A stage without reservations fits into an account with less than the hundred.
  return reserved + Math.max(reserved === 0 ? 0 : unreservedAtLeast, shared)
}

/** Instances of the gate that work at the same time, in all regions: at least one in each. */
export const gateInstances = (plan: Plan): number =>
  Math.max(edgeRegions.length, concurrencyFor(gateRunsPerSecond(plan), edgeRunSeconds))

/** A production stage of full size has the fixed plan with the Prod Pack for each database; others pay by command. */
export const hasFixedPlan = ({ isProduction, size }: Pick<StageSettings, 'isProduction' | 'size'>): boolean =>
  isProduction && size === 'full'

/** Whether the gate's store is a database of its own (docs/how-to/deploy.md, section 3). */
export const isGateAlone = ({ databases }: Pick<Plan, 'databases'>, settings: Parameters<typeof hasFixedPlan>[0]) =>
  databases > 1 || hasFixedPlan(settings)

/** An instance of the gate reads a value again after 0.6 s or a little later (docs/guide/gate.md). */
export const gateReadsPerSecond = 1 / 0.6

/** A counting instance sends what it has counted, and some of its answers, once a second (redis/gate/demand.ts). */
export const countsPerSecond = 2

/**
 * Redis commands of one instance of the gate in a second with requests: it reads the facts of the sale and the versions
 * of the lists, it sends what it has counted of the demand, and without a free place it asks for an admission every
 * 1.5 s, which is two commands.
 */
export const gateCommandsPerSecond = 2 * gateReadsPerSecond + countsPerSecond + 2 / 1.5

/** An admitted click that got nothing: the script with its two reads, and the write for the gate. */
const redisCommandsPerRefusal = 4

/** Redis commands that sell the whole stock, independent of the crowd. */
export const sellingCommands = ({ kind, stock }: Pick<Plan, 'kind' | 'stock'>): number =>
  stock * (kind === 'red-packet' ? commandsPerPacket : commandsPerOrder) +
  (admissionsOf({ stock }) - stock) * redisCommandsPerRefusal

type Lot = Pick<Plan, 'kind' | 'stock' | 'sales'>

/** Units of each of the sales. */
export const stockOfOne = ({ stock, sales }: Pick<Plan, 'stock' | 'sales'>): number => Math.ceil(stock / sales)

/** Redis commands that sell what one shard of a sale has. */
export const commandsOfShard = (plan: Lot & Pick<Plan, 'shards'>): number =>
  sellingCommands({ kind: plan.kind, stock: stockOfOne(plan) }) / plan.shards

/** Redis commands that sell the stocks of the database that has the most shards of the sales. */
export const busiestCommands = (plan: Lot & Pick<Plan, 'shards' | 'databases'>): number =>
  Math.ceil((plan.sales * plan.shards) / plan.databases) * commandsOfShard(plan)

/**
 * Writers of one sale that can write at the same time. Each needs a part of the cap for itself, because DynamoDB cancels
 * one of two transactions that overlap at an item
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). Red packets have a cap of
 * one part.
 */
const writersOfCap = (lot: Lot): number =>
  lot.kind === 'red-packet' ? 1 : Math.max(1, initialParts(stockOfOne(lot), unitsPerCapPart).size)

/** The writers that a sale gets while the other sales are written, too; may be a fraction. */
const shareOfWriters = (lot: Lot, { consumers }: Pick<StageSettings, 'consumers'>): number =>
  consumers.orders / lot.sales

/** Whether more consumers would not write a sale faster. */
export const isBoundByCap = (lot: Lot, settings: Pick<StageSettings, 'consumers'>): boolean =>
  writersOfCap(lot) <= shareOfWriters(lot, settings)

/** Several writers meet at times, most of all when little is left: ten write half of what they would without others. */
const shareOfSeveral = 0.5

/** Orders of one sale that the table takes in a second. */
export function writesOfOneSale(lot: Lot, settings: Pick<StageSettings, 'consumers'>): number {
  const alone = consumptions.orders.batchSize / runSeconds.transaction
  const writers = Math.min(writersOfCap(lot), shareOfWriters(lot, settings))
  return Math.floor(alone * Math.max(Math.min(1, writers), writers * shareOfSeveral))
}

/** Orders written in a second: the queue evens them out, so a second's stock may take two. */
export const writtenPerSecond = ({ plan, settings, rate }: Demand): number =>
  Math.min(rate, writesOfOneSale(plan, settings) * plan.sales, Math.ceil(plan.stock / 2))

/** An order is readable about three seconds after its reservation: one for the batch, the rest to write it. */
const writtenWithinSeconds = 3

/**
 * Reads of orders or wallets in a second. Pages of buyers whose order is not written yet poll often: those of the last
 * three seconds, and those that wait because the sales sell faster than they are written. The others poll seldom.
 */
function readsPerSecond(plan: Plan, settings: StageSettings, rate: number): number {
  const pace = readPaceOf(plan)
  const waiting = plan.stock * Math.max(0, 1 - (writesOfOneSale(plan, settings) * plan.sales) / rate)
  const fresh = Math.min(plan.stock, rate * writtenWithinSeconds + waiting)
  return Math.ceil(fresh / pace.writing + (plan.stock - fresh) / pace.later)
}
