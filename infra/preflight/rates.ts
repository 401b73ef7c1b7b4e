/** How fast a planned sale goes, tier by tier: from the clicks at the gate to the looks of winners. */
import {
  admissionsOf,
  concurrencyFor,
  redisCommandsPerReservation,
  reservationsPerSecond,
  runSeconds,
} from '../settings/arithmetic.ts'
import type { Quotas } from '../settings/stage.ts'
import { edgeRegions } from '../system/edge-regions.ts'
import { consumptions } from '../system/queues.ts'
import { clicksPerSecond, lookPaceOf, type Plan } from './plan.ts'
import { rolesOf } from './roles.ts'

/** An order is readable about three seconds after it was promised: a second for the batch, the rest to write it. */
const writtenWithinSeconds = 3

/**
 * What an instance of the gate asks Redis in a second that it is called in: the sale and the editions twice each, being
 * refreshed at half a second (edge/kept.ts), and with no place left for an admission every 1.5 s, which is two commands.
 */
export const gateCommandsPerSecond = 2 + 2 + 2 / 1.5

/** A click that was let through and got nothing: the script and its two reads, and what the gate is told. */
const redisCommandsPerRefusal = 4

/** Environments that Lambda counts for so many calls a second: as many as are busy, and one for each ten calls. */
export const environmentsFor = (perSecond: number, seconds: number): number =>
  Math.max(concurrencyFor(perSecond, seconds), Math.ceil(perSecond / 10))

/**
 * Units that are sold in the busiest second: all that are admitted, up to the rate that stages are planned for. No quota is in
 * it: a need that rises with a quota makes the advice to raise that quota wrong.
 */
export function sellingRate(plan: Plan): number {
  return Math.max(1, Math.min(plan.shoppers, admissionsOf(plan), reservationsPerSecond))
}

/**
 * Orders or claims of one sale that the table takes in a second. Every transaction of a sale updates its one cap item, and of
 * two that overlap there one is cancelled, so more writers do not write faster
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
 */
export const writesOfOneSale = (plan: Pick<Plan, 'kind'>): number =>
  Math.floor(consumptions[rolesOf(plan).queue].batchSize / runSeconds.transaction)

/** Seconds that the table takes at least to write the whole stock. */
export const writingFloorSeconds = (plan: Pick<Plan, 'kind' | 'stock'>): number =>
  plan.stock / writesOfOneSale(plan)

/** Redis commands that sell the whole stock, whatever the crowd. */
export function sellingCommands({ stock }: Pick<Plan, 'stock'>): number {
  return stock * redisCommandsPerReservation + (admissionsOf({ stock }) - stock) * redisCommandsPerRefusal
}

/** Seconds that Redis takes at least to sell the whole stock: all its commands by its rate. */
export const sellingFloorSeconds = (plan: Plan, { redisCommandsPerSecond }: Quotas): number =>
  sellingCommands(plan) / redisCommandsPerSecond

/** Instances of the gate that work at the same time, in all regions: at least one in each. */
export const gateInstances = (plan: Plan): number =>
  Math.max(edgeRegions.length, concurrencyFor(clicksPerSecond(plan), plan.edgeRunSeconds))

/**
 * Looks at orders or wallets in a second. Winners whose order is not written yet ask often: those of the last three seconds, and
 * those that wait because the sale sells faster than one sale is written. The others ask seldom.
 */
export function looksPerSecond(plan: Plan, rate: number): number {
  const pace = lookPaceOf(plan)
  const waiting = plan.stock * Math.max(0, 1 - writesOfOneSale(plan) / rate)
  const fresh = Math.min(plan.stock, rate * writtenWithinSeconds + waiting)
  return Math.ceil(fresh / pace.writing + (plan.stock - fresh) / pace.later)
}
