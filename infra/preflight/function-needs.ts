/** What the functions need: those that sell and answer winners, and the account that all of them share with the gate. */
import { concurrencyFor, runSeconds } from '../settings/arithmetic.ts'
import type { StageSettings } from '../settings/stage.ts'
import { isEdgeRegion } from '../system/edge-regions.ts'
import { allFunctions, type FunctionName } from '../system/functions.ts'
import { consumptions } from '../system/queues.ts'
import type { EdgeNeeds } from './gate-needs.ts'
import { type Need, type Needs, told } from './need.ts'
import type { Plan } from './plan.ts'
import { environmentsFor } from './rates.ts'
import { rolesOf } from './roles.ts'

/** An account keeps so many for functions that have none reserved (https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html). */
export const unreservedAtLeast = 100

/** A winner has 15 minutes to pay; all pay within two at worst. */
const payWithinSeconds = 120

type FunctionNeeds = Pick<
  Needs,
  'seller-concurrency' | 'seller-ready' | 'seller-starts' | 'look-concurrency' | 'payment-concurrency'
>

export function functionNeeds(
  plan: Plan,
  settings: StageSettings,
  rate: number,
  looks: number,
): FunctionNeeds {
  const { slow, warm, look } = runSeconds
  const selling = environmentsFor(rate, slow)
  const { provisioned = 0 } = settings.functions[rolesOf(plan).seller]
  const payments = plan.stock / payWithinSeconds
  return {
    'seller-concurrency': { amount: selling, formula: `${told(rate)} clicks/s let through × ${slow} s` },
    'seller-ready': {
      amount: concurrencyFor(rate, warm),
      formula: `${told(rate)} clicks/s let through × ${warm} s`,
    },
    'seller-starts': {
      amount: Math.max(0, selling - provisioned),
      formula: `${told(selling)} at once − ${told(provisioned)} that are ready`,
    },
    'look-concurrency': {
      amount: environmentsFor(looks, look),
      formula: `${told(looks)} looks/s of winners × ${look} s`,
    },
    'payment-concurrency': {
      amount: environmentsFor(payments, look),
      formula: `${told(plan.stock)} payments in ${payWithinSeconds} s × ${look} s`,
    },
  }
}

/** What the account must have in the stage's region: what is reserved, or should be, and what all others share. */
export function accountNeed(
  plan: Plan,
  settings: StageSettings,
  edge: EdgeNeeds,
  needs: FunctionNeeds,
): Need {
  const { seller, looked, queue } = rolesOf(plan)
  const asked: Partial<Record<FunctionName, Need>> = {
    [seller]: needs['seller-concurrency'],
    [looked]: needs['look-concurrency'],
    ...(plan.kind === 'goods' && { payments: needs['payment-concurrency'] }),
  }
  let reserved = 0
  let shared = 0
  for (const name of allFunctions) {
    const own = settings.functions[name].reserved
    const amount = asked[name]?.amount ?? 0
    if (own === undefined) shared += amount
    else reserved += Math.max(own, amount)
  }
  // A consumer with a reservation is counted there.
  const consumers = ([queue, 'deadlines'] as const)
    .filter((name) => settings.functions[consumptions[name].consumer].reserved === undefined)
    .reduce((sum, name) => sum + settings.consumers[name], 0)
  const gate = isEdgeRegion(settings.region) ? edge['edge-concurrency'].amount : 0
  // Whoever reserves nothing may have an account of less than the hundred.
  const leastUnreserved = reserved === 0 ? 0 : unreservedAtLeast
  return {
    amount: reserved + Math.max(leastUnreserved, shared + consumers + gate),
    formula: `${told(reserved)} reserved + ${told(shared)} shared + ${told(consumers)} of queues + ${told(gate)} of the gate; unreserved at least ${leastUnreserved}`,
  }
}
