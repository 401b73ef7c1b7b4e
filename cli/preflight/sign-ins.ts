/** The ways in which the shoppers of a planned sale can sign in: how many each carries, and what they cost. */
import { cognitoLite, type Prices } from '../../infra/prices.ts'
import { concurrencyFor, runSeconds } from '../../infra/settings/arithmetic.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { grouped, requestsPerSignIn, reservedInAll } from './concurrency.ts'
import { cognitoSignIns } from './limits.ts'
import { type Arrival, exactSignInsPerSecond, type Plan, signInsWithin } from './plan.ts'

/** What Cognito's plan Lite bills for a month in which `users` sign in, US dollars. */
export function cognitoMonth(users: number): number {
  let [from, dollars] = [0, 0]
  for (const { upTo, each } of cognitoLite) {
    dollars += Math.max(0, Math.min(users, upTo) - from) * each
    from = upTo
  }
  return dollars
}

/** A request that the gate answers: CloudFront, the gate and the firewall. */
const requestAtGate = (
  { edgeRunSeconds }: Pick<Plan, 'edgeRunSeconds'>,
  { edge, firewall }: Pick<StageSettings, 'edge' | 'firewall'>,
  { cdn, gate, firewall: inspected }: Prices,
): number =>
  cdn.request +
  cdn.viewerFunctionRun +
  gate.run +
  edgeRunSeconds * (edge.memoryMb / 1024) * gate.gbSecond +
  (firewall === undefined ? 0 : inspected.request)

/** What the sign-ins cost at AWS beside the issuer: their requests at the gate, and the function. */
export function signInCost(
  plan: Pick<Plan, 'shoppers' | 'edgeRunSeconds'>,
  settings: Pick<StageSettings, 'edge' | 'firewall' | 'functions'>,
  prices: Prices,
): number {
  const { run, gbSecond } = prices.functions
  const inFunction = run + runSeconds.slow * (settings.functions['sign-in'].memoryMb / 1024) * gbSecond
  return plan.shoppers * requestsPerSignIn * (requestAtGate(plan, settings, prices) + inFunction)
}

/**
 * `carries` is how many sign-ins a second the way takes as the stage is; `asks` what to raise for the shoppers who come
 * evenly, and for those who mostly come right before the start, empty where there is nothing to raise; `waiting` how many
 * of both are not signed in at the start; `dollars` for all of them.
 */
export type SignInWay = {
  name: string
  carries: number
  asks: readonly [even: string, late: string]
  waiting: readonly [even: number, late: number]
  dollars: number
}

const withArrival = (plan: Plan, signInArrival: Arrival): Plan => ({ ...plan, signInArrival })

/** Sign-ins in a second of the minute that begins so many before the start. */
export type SignInMinute = { minutesBefore: number; even: number; late: number }

const minutesShown = [120, 60, 30, 10, 1]

/** How the sign-ins come, from the first minute of the plan to the last one before the start. */
export function signInCurve(plan: Plan): SignInMinute[] {
  const { signInMinutes } = plan
  const inMinute = (minutesBefore: number, arrival: Arrival) => {
    const [upTo, after] = [minutesBefore, minutesBefore - 1].map((minutes) =>
      signInsWithin(minutes, withArrival(plan, arrival)),
    )
    return Math.ceil(((upTo ?? 0) - (after ?? 0)) / 60)
  }
  return [signInMinutes, ...minutesShown.filter((minutes) => minutes < signInMinutes)].map((minutesBefore) => ({
    minutesBefore,
    even: inMinute(minutesBefore, 'even'),
    late: inMinute(minutesBefore, 'reaction'),
  }))
}

/** Shoppers who are not signed in at the start, when `carries` of them are in each second and the others try again. */
export function waitingAtStart(plan: Plan, carries: number): number {
  let most = 0
  for (let minutes = 1; minutes <= plan.signInMinutes; minutes += 1) {
    most = Math.max(most, signInsWithin(minutes, plan) - 60 * minutes * carries)
  }
  return Math.ceil(most)
}

/** What the function needs for ten times the sign-ins that it takes now. */
export const tenfoldSignIns = (carries: number) => ({
  perSecond: 10 * carries,
  environments: concurrencyFor(10 * carries * requestsPerSignIn, runSeconds.slow),
})

/** Sign-ins in a second when they come evenly, and in the busiest minute when most come right before the start. */
export const signInRates = (plan: Plan): readonly [even: number, late: number] => [
  Math.ceil(exactSignInsPerSecond(withArrival(plan, 'even'))),
  Math.ceil(exactSignInsPerSecond(withArrival(plan, 'reaction'))),
]

export function signInWays(plan: Plan, settings: StageSettings, quotas: Quotas, prices: Prices): readonly SignInWay[] {
  const { reserved = quotas.functionConcurrency - reservedInAll(settings) } = settings.functions['sign-in']
  const ofFunction = Math.floor(reserved / (requestsPerSignIn * runSeconds.slow))
  // Lambda counts an environment for each ten requests of a second, however short they are.
  const ofGate = Math.floor(Math.min(quotas.edgeRequestsPerSecond, 10 * quotas.edgeConcurrency) / plan.busiestShare)
  const [even, late] = signInRates(plan)
  const asksOf = (raise: (rate: number) => readonly (string | false)[]): SignInWay['asks'] => {
    const text = (rate: number) =>
      raise(rate)
        .filter((one) => one !== false)
        .join(', ')
    return [text(even), text(late)]
  }
  const waitingBy = (carries: number): SignInWay['waiting'] => [
    waitingAtStart(withArrival(plan, 'even'), carries),
    waitingAtStart(withArrival(plan, 'reaction'), carries),
  ]
  const byCognito = Math.min(ofFunction, cognitoSignIns)
  const environments = (rate: number) =>
    rate > ofFunction && `sign-in ${grouped(concurrencyFor(rate * requestsPerSignIn, runSeconds.slow))}`
  const own = signInCost(plan, settings, prices)
  return [
    {
      name: "the shop's token, at the gate",
      carries: ofGate,
      asks: asksOf((rate) => [rate > ofGate && `gate ${grouped(rate)}/s`]),
      waiting: waitingBy(ofGate),
      dollars: plan.shoppers * requestAtGate(plan, settings, prices),
    },
    {
      name: 'an issuer of your own',
      carries: ofFunction,
      asks: asksOf((rate) => [environments(rate)]),
      waiting: waitingBy(ofFunction),
      dollars: own,
    },
    {
      name: 'Cognito (Lite)',
      carries: byCognito,
      asks: asksOf((rate) => [environments(rate), rate > cognitoSignIns && `Cognito ${grouped(rate)}/s`]),
      waiting: waitingBy(byCognito),
      dollars: own + cognitoMonth(plan.shoppers),
    },
  ]
}

/** The sum of the sale leaves this out: the identity of the shoppers. */
export function signInAdvice(
  plan: Pick<Plan, 'shoppers' | 'edgeRunSeconds'>,
  settings: Pick<StageSettings, 'signIn' | 'edge' | 'firewall' | 'functions'>,
  prices: Prices,
): string {
  const own = signInCost(plan, settings, prices)
  const dollars = cognitoMonth(plan.shoppers)
  const ours = `Sign-in is not in the sum below. If all ${grouped(plan.shoppers)} sign in for it, their requests cost $${grouped(own)}`
  if (settings.signIn.kind !== 'cognito') return `${ours}; your issuer has its own price.`
  return `${ours}, and Cognito (Lite) bills each shopper who signs in within a month: $${grouped(Math.round(dollars))}. An issuer of your own (signIn in the settings) has its own price.`
}
