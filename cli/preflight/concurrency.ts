/**
 * What a planned sale needs of Lambda: environments of the gate, of the functions, and of the
 * account as a whole.
 */
import { concurrencyFor, runSeconds } from '../../infra/settings/arithmetic.ts'
import { functionsOfStage, type StageSettings } from '../../infra/settings/stage.ts'
import { isEdgeRegion } from '../../system/edge-regions.ts'
import type { FunctionName } from '../../system/functions.ts'
import { consumptions } from '../../system/queues.ts'
import {
  exactSignInsPerSecond,
  gateClicksPerSecond,
  gateRunsPerSecond,
  type Plan,
  passesPerSecond,
  rolesOf,
} from './plan.ts'
import { environmentsFor, readsPerSecond, sellingRate } from './rates.ts'

/** What a sale needs of one limit, and the formula behind the amount. */
export type Need = { amount: number; formula: string }

/**
 * The planned sale on a stage: `rate` units sold in the busiest second, `reads` of orders or
 * wallets a second.
 */
export type Demand = { plan: Plan; settings: StageSettings; rate: number; reads: number }

export function demandOf(plan: Plan, settings: StageSettings): Demand {
  const rate = sellingRate(plan)
  return { plan, settings, rate, reads: readsPerSecond(plan, settings, rate) }
}

const upToHundredths = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** A number as it stands in a formula. */
export const grouped = (amount: number): string => upToHundredths.format(amount)

/**
 * Environments of one function that start at once in a region: 1,000 in any ten seconds
 * (https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html).
 */
export const startsAtOnce = 1000

/**
 * Concurrency that an account keeps for functions without a reservation
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html).
 */
export const unreservedAtLeast = 100

/** A buyer has 15 minutes to pay; in the worst case all pay within two. */
const payWithinSeconds = 120

const busiestRegionRequests = (plan: Plan): number => Math.ceil(gateRunsPerSecond(plan) * plan.busiestShare)

export const gateRequestsPerSecond = (plan: Plan): Need => ({
  amount: busiestRegionRequests(plan),
  formula: `the larger of ${grouped(gateClicksPerSecond(plan))} clicks/s and ${grouped(passesPerSecond(plan))} passes/s, × ${grouped(plan.busiestShare * 100)} %`,
})

export function gateStarts(plan: Plan): Need {
  const requests = busiestRegionRequests(plan)
  return {
    amount: environmentsFor(requests, plan.edgeColdSeconds),
    formula: `the first second, when no environment runs: the larger of ${grouped(requests)} requests × ${plan.edgeColdSeconds} s and ${grouped(requests)} ÷ 10`,
  }
}

export function gateConcurrency(plan: Plan): Need {
  const requests = busiestRegionRequests(plan)
  const { edgeRunSeconds, edgeColdSeconds } = plan
  const warm = environmentsFor(requests, edgeRunSeconds)
  const cold = environmentsFor(requests, edgeColdSeconds)
  return {
    // Lambda starts no more at once, so a cold gate could not use a larger quota.
    amount: Math.max(warm, Math.min(cold, startsAtOnce)),
    formula: `warm: the larger of ${grouped(requests)}/s × ${edgeRunSeconds} s and ${grouped(requests)}/s ÷ 10; cold: ${grouped(requests)}/s × ${edgeColdSeconds} s, at most ${grouped(startsAtOnce)}`,
  }
}

export const sellerConcurrency = ({ rate }: Demand): Need => ({
  amount: environmentsFor(rate, runSeconds.slow),
  formula: `${grouped(rate)} admitted clicks/s × ${runSeconds.slow} s`,
})

export const sellerProvisioned = ({ rate }: Demand): Need => ({
  amount: concurrencyFor(rate, runSeconds.warm),
  formula: `${grouped(rate)} admitted clicks/s × ${runSeconds.warm} s`,
})

export const readerConcurrency = ({ reads }: Demand): Need => ({
  amount: environmentsFor(reads, runSeconds.read),
  formula: `${grouped(reads)} polls/s of buyers × ${runSeconds.read} s`,
})

export const paymentConcurrency = ({ plan }: Demand): Need => ({
  amount: environmentsFor(plan.stock / payWithinSeconds, runSeconds.read),
  formula: `${grouped(plan.stock)} payments in ${payWithinSeconds} s × ${runSeconds.read} s`,
})

/** Requests of a browser to the function: one on the way to the issuer, one on the way back. */
export const requestsPerSignIn = 2

const signInFormula = ({ shoppers, signInMinutes, signInArrival }: Plan): string =>
  `${grouped(shoppers)} sign-ins in ${grouped(signInMinutes)} min${signInArrival === 'even' ? '' : ', in their busiest minute'}`

/** Sign-ins that the issuer has to take in a second. */
export const signInsPerSecond = (plan: Plan): Need => ({
  amount: Math.ceil(exactSignInsPerSecond(plan)),
  formula: signInFormula(plan),
})

/** The function mostly waits for the issuer. */
export const signInConcurrency = (plan: Plan): Need => ({
  amount: concurrencyFor(exactSignInsPerSecond(plan) * requestsPerSignIn, runSeconds.slow),
  formula: `${signInFormula(plan)} × ${requestsPerSignIn} requests × ${runSeconds.slow} s`,
})

/** The concurrency that all functions of a stage reserve together. */
export function reservedInAll(settings: Pick<StageSettings, 'functions' | 'mail' | 'sendsEvents'>): number {
  return functionsOfStage(settings).reduce((sum, name) => sum + (settings.functions[name].reserved ?? 0), 0)
}

/** The stage's region: what is or should be reserved, and what all others share. */
export function accountConcurrency(demand: Demand): Need {
  const { plan, settings } = demand
  const { seller, reader, queue } = rolesOf(plan)
  const needed: Partial<Record<FunctionName, Need>> = {
    [seller]: sellerConcurrency(demand),
    [reader]: readerConcurrency(demand),
    ...(plan.kind === 'goods' && { payments: paymentConcurrency(demand) }),
    'sign-in': signInConcurrency(plan),
  }
  let reserved = 0
  let shared = 0
  for (const name of functionsOfStage(settings)) {
    const own = settings.functions[name].reserved
    const amount = needed[name]?.amount ?? 0
    if (own === undefined) shared += amount
    else reserved += Math.max(own, amount)
  }
  // A consumer with a reservation is part of `reserved`.
  const consumers = ([queue, 'deadlines'] as const)
    .filter((name) => settings.functions[consumptions[name].consumer].reserved === undefined)
    .reduce((sum, name) => sum + settings.consumers[name], 0)
  const gate = isEdgeRegion(settings.region) ? gateConcurrency(plan).amount : 0
  // A stage without reservations fits into an account with less than the hundred.
  const leastUnreserved = reserved === 0 ? 0 : unreservedAtLeast
  return {
    amount: reserved + Math.max(leastUnreserved, shared + consumers + gate),
    formula: `${grouped(reserved)} reserved + ${grouped(shared)} shared + ${grouped(consumers)} of queues + ${grouped(gate)} of the gate; unreserved at least ${leastUnreserved}`,
  }
}
