/** What the sign-ins of a planned sale cost at Cognito. */
import { prices } from '../../infra/prices.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { grouped } from './concurrency.ts'
import type { Plan } from './plan.ts'

/** What Cognito's plan Lite bills for a month in which `users` sign in, US dollars. */
export function cognitoMonth(users: number): number {
  let [from, dollars] = [0, 0]
  for (const { upTo, each } of prices.cognitoLite) {
    dollars += Math.max(0, Math.min(users, upTo) - from) * each
    from = upTo
  }
  return dollars
}

/** What the sum of the sale leaves out; undefined where Cognito bills nothing, or another issuer is used. */
export function signInAdvice(
  { shoppers }: Pick<Plan, 'shoppers'>,
  { signIn }: Pick<StageSettings, 'signIn'>,
): string | undefined {
  const dollars = cognitoMonth(shoppers)
  if (signIn.kind !== 'cognito' || dollars === 0) return undefined
  return `Sign-in is not in the sum below: Cognito (Lite) bills each shopper who signs in within a month, $${grouped(Math.round(dollars))} if all ${grouped(shoppers)} do. An issuer of your own (signIn in the settings) has its own price.`
}
