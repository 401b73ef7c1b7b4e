/**
 * Computes the load of a planned sale on each tier in a second: gate, functions, Redis and table. No need depends on a
 * quota: one that rises with a quota would make the advice to raise that quota wrong.
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
  pollPauses,
  readerOf,
  requestsPerSignIn,
  type SalePlan,
  signInsPerSecond,
} from './plan.ts'

/** The planned sale on a stage: `rate` units sold in the busiest second, `reads` of orders or wallets a second. */
export type Demand = { plan: SalePlan; settings: StageSettings; rate: number; reads: number }

export function demandOf(plan: SalePlan, settings: StageSettings): Demand {
  const rate = sellingRate(plan)
  return { plan, settings, rate, reads: readsPerSecond(plan, settings, rate) }
}

/** Returns the units sold in the busiest second: all admitted clicks, up to the rate that stages are planned for. */
export const sellingRate = (plan: SalePlan): number =>
  Math.max(1, Math.min(plan.shoppers, admissionsOf(plan), reservationsPerSecond))

/**
 * Returns the environments that Lambda counts for these calls: the busy ones, at least one for every ten calls a second
 * (https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html).
 */
export const environmentsFor = (perSecond: number, seconds: number): number =>
  Math.max(concurrencyFor(perSecond, seconds), Math.ceil(perSecond / 10))

/** Returns the requests in the busiest second: that of the first clicks, or one in which pages also poll and load the countdown of the start. */
export function pageRequestsPerSecond(plan: SalePlan): number {
  const loads = 2 * Math.ceil((plan.shoppers * 1000) / openedSpreadMs)
  return Math.max(clicksPerSecond(plan), loads + clicksPerSecond(plan, openedMs / 1000))
}

/**
 * Environments of one function that start at once in a region: 1,000 in any ten seconds
 * (https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html).
 */
export const maxBurstStarts = 1000

export const gateRequestsPerSecond = (plan: SalePlan): number => Math.ceil(gateRunsPerSecond(plan) * plan.busiestShare)

/** Returns the environments that start in the first second, when none runs yet. */
export const gateStarts = (plan: SalePlan): number => environmentsFor(gateRequestsPerSecond(plan), edgeColdSeconds)

/** Limited by the burst of Lambda, because a cold gate could not use a larger quota. */
export const gateConcurrency = (plan: SalePlan): number =>
  Math.max(environmentsFor(gateRequestsPerSecond(plan), edgeRunSeconds), Math.min(gateStarts(plan), maxBurstStarts))

/** A buyer has 15 minutes to pay; in the worst case all pay within two. */
const payWithinSeconds = 120
/** Returns the environments that the sale needs of each function. A sign-in mostly waits for the issuer. */
export function concurrencyOf({ plan, rate, reads }: Demand): Partial<Record<FunctionName, number>> {
  return {
    reserve: environmentsFor(rate, runSeconds.slow),
    [readerOf(plan)]: environmentsFor(reads, runSeconds.read),
    ...(plan.kind === 'goods' && { payments: environmentsFor(plan.stock / payWithinSeconds, runSeconds.read) }),
    'sign-in': concurrencyFor(signInsPerSecond(plan) * requestsPerSignIn, runSeconds.slow),
  }
}

/** Sums the concurrency that all functions of a stage reserve. */
export const totalReserved = (settings: Pick<StageSettings, 'functions'> & StageParts): number =>
  functionsOfStage(settings).reduce((sum, name) => sum + (settings.functions[name].reserved ?? 0), 0)

/**
 * Concurrency that an account keeps for functions without a reservation
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html).
 */
export const minUnreserved = 100

/** Returns the concurrency that the stage's region needs: reservations, and what the other functions share. */
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
  return reserved + Math.max(reserved === 0 ? 0 : minUnreserved, shared)
}

/** Counts the instances of the gate that work at the same time, in all regions: at least one in each. */
export const gateInstances = (plan: SalePlan): number =>
  Math.max(edgeRegions.length, concurrencyFor(gateRunsPerSecond(plan), edgeRunSeconds))

/** True for a production stage of full size, which has the fixed plan with the Prod Pack for each database. Others pay by command. */
export const hasFixedPlan = ({ isProduction, size }: Pick<StageSettings, 'isProduction' | 'size'>): boolean =>
  isProduction && size === 'full'

/** True when the gate's store is a database of its own (docs/how-to/deploy.md, section 3). */
export const hasOwnGateDatabase = (
  { databases }: Pick<SalePlan, 'databases'>,
  settings: Parameters<typeof hasFixedPlan>[0],
) => databases > 1 || hasFixedPlan(settings)

/** An instance of the gate refreshes a value after 0.6 s or a little later (docs/guide/gate.md). */
export const gateReadsPerSecond = 1 / 0.6

/** A counting instance reports its counts and some of its answers once a second (redis/gate/demand.ts). */
export const countsPerSecond = 2

/**
 * Redis commands of one instance of the gate in a second with requests: it reads the facts of the sale and the versions
 * of the lists, reports the demand that it counted, and without a free place it requests an admission every 1.5 s, which
 * is two commands.
 */
export const gateCommandsPerSecond = 2 * gateReadsPerSecond + countsPerSecond + 2 / 1.5

/** For an admitted click that got no unit: the script with its two reads, and the write for the gate. */
const redisCommandsPerRefusal = 4

/** Counts the Redis commands that sell the whole stock, whatever the crowd. */
export const sellingCommands = ({ kind, stock }: Pick<SalePlan, 'kind' | 'stock'>): number =>
  stock * (kind === 'red-packet' ? commandsPerPacket : commandsPerOrder) +
  (admissionsOf({ stock }) - stock) * redisCommandsPerRefusal

type Lot = Pick<SalePlan, 'kind' | 'stock' | 'sales'>

/** Returns the units of each of the sales. */
export const stockPerSale = ({ stock, sales }: Pick<SalePlan, 'stock' | 'sales'>): number => Math.ceil(stock / sales)

/** Counts the Redis commands that sell the units of one shard of a sale. */
export const commandsOfShard = (plan: Lot & Pick<SalePlan, 'shards'>): number =>
  sellingCommands({ kind: plan.kind, stock: stockPerSale(plan) }) / plan.shards

/** Counts the Redis commands of the database that has the most shards of the sales. */
export const busiestCommands = (plan: Lot & Pick<SalePlan, 'shards' | 'databases'>): number =>
  Math.ceil((plan.sales * plan.shards) / plan.databases) * commandsOfShard(plan)

/**
 * Returns how many writers of one sale can write at the same time. Each needs its own part of the cap, because DynamoDB
 * cancels one of two transactions that overlap at an item
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html). Red packets have a cap of
 * one part.
 */
const writersOfCap = (lot: Lot): number =>
  lot.kind === 'red-packet' ? 1 : Math.max(1, initialParts(stockPerSale(lot), unitsPerCapPart).size)

/** Returns the writers that a sale gets while the other sales are written, too; may be a fraction. */
const shareOfWriters = (lot: Lot, { consumers }: Pick<StageSettings, 'consumers'>): number =>
  consumers.orders / lot.sales

/** True when more consumers would not write a sale faster. */
export const isLimitedByCap = (lot: Lot, settings: Pick<StageSettings, 'consumers'>): boolean =>
  writersOfCap(lot) <= shareOfWriters(lot, settings)

/** Several writers sometimes conflict, mostly when few units are left: ten write half as fast as they would alone. */
const shareOfSeveral = 0.5

/** Returns the orders of one sale that the table can take in a second. */
export function writesPerSale(lot: Lot, settings: Pick<StageSettings, 'consumers'>): number {
  const alone = consumptions.orders.batchSize / runSeconds.transaction
  const writers = Math.min(writersOfCap(lot), shareOfWriters(lot, settings))
  return Math.floor(alone * Math.max(Math.min(1, writers), writers * shareOfSeveral))
}

/** Returns the orders written in a second. The queue evens them out, so the stock of one second may take two. */
export const writtenPerSecond = ({ plan, settings, rate }: Demand): number =>
  Math.min(rate, writesPerSale(plan, settings) * plan.sales, Math.ceil(plan.stock / 2))

/** An order is readable about three seconds after its reservation: one for the batch, the rest to write it. */
const writtenWithinSeconds = 3

/**
 * Returns the reads of orders or wallets in a second. Pages of buyers whose order is not written yet poll at a high rate:
 * those of the last three seconds, and those that wait because the sales sell faster than they are written.
 */
function readsPerSecond(plan: SalePlan, settings: StageSettings, rate: number): number {
  const pace = pollPauses(plan)
  const waiting = plan.stock * Math.max(0, 1 - (writesPerSale(plan, settings) * plan.sales) / rate)
  const fresh = Math.min(plan.stock, rate * writtenWithinSeconds + waiting)
  return Math.ceil(fresh / pace.writing + (plan.stock - fresh) / pace.later)
}
