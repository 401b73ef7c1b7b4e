/** What the sign-ins of a planned sale cost at Cognito. */
import { cognitoLite, type Prices } from '../../infra/prices.ts'
import { runSeconds } from '../../infra/settings/arithmetic.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { grouped } from './concurrency.ts'
import type { Plan } from './plan.ts'

/** What Cognito's plan Lite bills for a month in which `users` sign in, US dollars. */
export function cognitoMonth(users: number): number {
  let [from, dollars] = [0, 0]
  for (const { upTo, each } of cognitoLite) {
    dollars += Math.max(0, Math.min(users, upTo) - from) * each
    from = upTo
  }
  return dollars
}

/** Requests of a browser to the shop: to the issuer, and back from it. */
const requestsPerSignIn = 2

/** What the sign-ins cost at AWS beside the issuer: CloudFront, the gate, the function and the firewall. */
export function signInCost(
  { shoppers, edgeRunSeconds }: Pick<Plan, 'shoppers' | 'edgeRunSeconds'>,
  { edge, firewall, functions }: Pick<StageSettings, 'edge' | 'firewall' | 'functions'>,
  { cdn, gate, functions: price, firewall: inspected }: Prices,
): number {
  const request =
    cdn.request +
    cdn.viewerFunctionRun +
    gate.run +
    edgeRunSeconds * (edge.memoryMb / 1024) * gate.gbSecond +
    price.run +
    runSeconds.slow * (functions['sign-in'].memoryMb / 1024) * price.gbSecond +
    (firewall === undefined ? 0 : inspected.request)
  return shoppers * requestsPerSignIn * request
}

/** What the sum of the sale leaves out: the identity of the shoppers. */
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
