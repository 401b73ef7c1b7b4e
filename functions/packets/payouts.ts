/**
 * Pays a wallet out (N5). One transaction takes the money from the balance and records the payout as due.
 * Then the provider is called under the payout's id, as often as it takes: by the shopper's request, and by
 * `reconcile` until the provider confirms or refuses for good. So it happens once, also after a crash.
 */

import type { ShopperId } from '../../core/ids.ts'
import { retry } from '../lib/retry.ts'
import type { Payout, PayoutOutcome } from '../lib/shop/payout-provider.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'
import { endPayout, findWithdrawable, keepPayoutAccount, requestPayout } from '../table/packets/payouts.ts'

/** `minimums` are in minor units by currency; other currencies cannot be withdrawn. */
export type PayoutTerms = { minimums: Readonly<Record<string, number>> }

export type WithdrawPorts = Pick<
  Shop,
  'table' | 'payoutProvider' | 'payoutStep' | 'newId' | 'clock' | 'sleep' | 'meter' | 'log'
> & { payoutTerms: PayoutTerms | undefined }

/** How the payout is now. */
export type PayoutResult = PayoutOutcome | { kind: 'requested' }

/**
 * `payout`: it is under way, or ended at once. `onboarding`: the shopper first opens an account at `url`;
 * nothing was taken.
 */
export type Withdrawing =
  | { kind: 'payout'; payout: Payout; state: PayoutResult }
  | { kind: 'onboarding'; url: string }
  | { kind: 'not-offered' | 'busy' }
  | { kind: 'too-little'; minimum: number }

/** Concurrent credits change the balance while it is read. */
const maxTries = 10

/**
 * Withdraws all of the shopper's balance in `currency`, as far as the provider pays it. While a payout of
 * that currency is under way, that one is the answer, so a repeated request withdraws nothing else.
 * @throws when the table is unavailable, or the provider while an account is looked up
 */
export async function withdraw(ports: WithdrawPorts, shopperId: ShopperId, currency: string): Promise<Withdrawing> {
  const { table, payoutTerms, payoutStep, newId, clock, sleep } = ports
  const minimum = ownValue(payoutTerms?.minimums, currency)
  if (minimum === undefined) return { kind: 'not-offered' }
  return retry(async (tries): Promise<Withdrawing | undefined> => {
    const { amount: seen, open, account: known } = await findWithdrawable(table, shopperId, currency)
    if (open !== undefined) return { kind: 'payout', payout: open, state: { kind: 'requested' } }
    const amount = seen - (seen % payoutStep(currency))
    if (amount < Math.max(minimum, 1)) return { kind: 'too-little', minimum }
    const account = await accountOf(ports, shopperId, known)
    if (account.kind === 'onboarding') return account
    const payout: Payout = {
      ...{ payoutId: newId(), shopperId, amount, currency, requestedAt: clock() },
      ...(account.account !== undefined && { account: account.account }),
    }
    const requested = await requestPayout(table, payout, seen)
    if (requested === 'requested') {
      return { kind: 'payout', payout, state: await settlePayout(ports, payout) }
    }
    return tries < maxTries ? undefined : { kind: 'busy' }
  }, sleep)
}

/** The account is stored before anything is paid to it. */
async function accountOf(
  ports: WithdrawPorts,
  shopperId: ShopperId,
  known: string | undefined,
): Promise<{ kind: 'ready'; account?: string } | { kind: 'onboarding'; url: string }> {
  const found = await ports.payoutProvider.account(shopperId, known)
  if (found.account === undefined || found.account === known) return found
  const kept = await keepPayoutAccount(ports.table, shopperId, found.account, known)
  // Another request has opened an account at the same moment: that one counts.
  if (kept !== found.account) return accountOf(ports, shopperId, kept)
  if (known !== undefined) ports.log.warn('lost account replaced', { lost: known, account: kept })
  return found
}

/**
 * Calls the provider and records how the payout ended. What fails stays due, and is no error: the answer is
 * `requested` then. Can be repeated.
 */
export async function settlePayout(
  ports: Pick<Shop, 'table' | 'payoutProvider' | 'clock' | 'meter' | 'log'>,
  payout: Payout,
): Promise<PayoutResult> {
  const { table, payoutProvider, clock, meter, log } = ports
  const { payoutId } = payout
  try {
    const outcome = await payoutProvider.payOut(payout)
    if (outcome.kind === 'pending') return { kind: 'requested' }
    const ended = await endPayout(table, payout, outcome, clock())
    if (ended === 'contradicted') {
      meter.count('MoneyContradicted')
      log.error('one payout, two outcomes', { payoutId, reported: outcome.kind })
      return { kind: 'requested' }
    }
    log.info('payout ended', { payoutId, ...outcome })
    return outcome
  } catch (error) {
    meter.count('SettlementFailed')
    log.warn('payout not yet paid', { payoutId, ...errorFacts(error) })
    return { kind: 'requested' }
  }
}

function ownValue(values: Readonly<Record<string, number>> = {}, name: string): number | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
