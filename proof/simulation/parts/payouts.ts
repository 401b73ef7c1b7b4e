/**
 * A provider that pays wallets out, and keeps each payout: a repeated call is the same payout. Shoppers first open
 * an account, and some accounts are lost later.
 */
import type { ShopperId } from '../../../core/ids.ts'
import { payoutReasons } from '../../../core/packets/statement.ts'
import type {
  Payout,
  PayoutAccount,
  PayoutOutcome,
  PayoutProvider,
} from '../../../functions/lib/shop/payout-provider.ts'
import type { Simulation } from '../engine/simulation.ts'
import { stepper } from '../engine/step.ts'

/** A payout that the provider knows: `outcome` counts from `openUntil` on, epoch ms; until then it is pending. */
type KnownPayout = { payout: Payout; outcome: PayoutOutcome; openUntil: number }

export type SimulatedPayouts = { port: PayoutProvider; known: ReadonlyMap<string, KnownPayout> }

/** The longest that a payout is pending, ms. */
const longestOpenMs = 90_000

export function simulatedPayouts(simulation: Simulation): SimulatedPayouts {
  const { random, now, profile } = simulation
  const { call } = stepper(simulation, 'provider')
  const known = new Map<string, KnownPayout>()
  /** Whether a shopper still has to fill in a form, by account. */
  const accounts = new Map<string, boolean>()

  const open = (): PayoutAccount => {
    const account = `account-${accounts.size + 1}`
    const isNew = random.chance(0.5)
    accounts.set(account, isNew)
    return isNew ? onboarding(account) : { kind: 'ready', account }
  }

  const look = (account: string): PayoutAccount => {
    if (accounts.get(account) !== true) return { kind: 'ready', account }
    accounts.set(account, random.chance(0.3))
    return onboarding(account)
  }

  const decide = (payout: Payout): KnownPayout => {
    const outcome: PayoutOutcome = random.chance(0.7)
      ? { kind: 'paid' }
      : { kind: 'refused', reason: random.pick(payoutReasons) }
    const openUntil = profile.rate > 0 && random.chance(0.4) ? now() + random.spread(1, longestOpenMs) : now()
    return { payout, outcome, openUntil }
  }

  return {
    known,
    port: {
      account: call('account', async (_shopperId: ShopperId, account: string | undefined) =>
        account === undefined || (profile.rate > 0 && random.chance(0.1)) ? open() : look(account),
      ),
      payOut: call('pay out', async (payout: Payout) => {
        const found = known.get(payout.payoutId) ?? decide(payout)
        known.set(payout.payoutId, found)
        return now() < found.openUntil ? { kind: 'pending' } : found.outcome
      }),
    },
  }
}

const onboarding = (account: string): PayoutAccount => ({
  ...{ kind: 'onboarding', account, url: `https://pay.example/${account}` },
})
