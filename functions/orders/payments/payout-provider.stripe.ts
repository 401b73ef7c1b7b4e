/**
 * Payouts by Stripe Connect: each shopper has an account with Stripe, opened on a page of Stripe, and money
 * is transferred from the shop's balance to it. From there Stripe pays it to the shopper's bank.
 */

import { walletPath } from '../../../core/buy/lookup.ts'
import type { ShopperId } from '../../../core/ids.ts'
import type { PayoutReason } from '../../../core/packets/statement.ts'
import { PaymentProviderFailed } from '../../lib/shop/payment-provider.ts'
import type { Payout, PayoutAccount, PayoutProvider } from '../../lib/shop/payout-provider.ts'
import { askStripe, type StripeAccess, StripeRefused, stripeClient } from './stripe-client.ts'
import { toStripe } from './stripe-currency.ts'

/**
 * Errors after which Stripe has moved nothing, and a repeat would not either
 * (https://docs.stripe.com/error-codes). An empty balance of the shop is none of them: that is for the shop
 * to fill, and the payout waits.
 */
const refusals: Readonly<Record<string, PayoutReason>> = {
  account_closed: 'account',
  account_invalid: 'account',
  insufficient_capabilities_for_transfer: 'account',
  transfers_not_allowed: 'account',
  amount_too_large: 'amount',
  amount_too_small: 'amount',
}

/** Errors after which the account cannot be found again: it was removed, or belongs to other keys of Stripe. */
const goneCodes: readonly (string | undefined)[] = ['account_closed', 'account_invalid']

/**
 * `shopUrl` is the public address of the shop, to which the shopper returns; only `account` needs it.
 * @throws Error when `apiKey` cannot be sent in a header
 */
export function stripePayouts(access: StripeAccess, shopUrl: string | undefined): PayoutProvider {
  const stripe = stripeClient(access)

  /** The same account for each request in place of the same `gone` one. No shopper's id has a slash. */
  async function open(shopperId: ShopperId, gone: string | undefined): Promise<string> {
    const wanted = { type: 'express', capabilities: { transfers: { requested: true } } } as const
    const idempotencyKey = `account:${shopperId}${gone === undefined ? '' : `/${gone}`}`
    return (await askStripe('open the account', () => stripe.accounts.create(wanted, { idempotencyKey }))).id
  }

  async function stateOf(account: string): Promise<'ready' | 'incomplete' | 'gone'> {
    try {
      const { capabilities } = await askStripe('find the account', () => stripe.accounts.retrieve(account))
      return capabilities?.transfers === 'active' ? 'ready' : 'incomplete'
    } catch (error) {
      if (error instanceof StripeRefused && goneCodes.includes(error.code)) return 'gone'
      throw error
    }
  }

  /** Stripe forgets an idempotency key after a day, so a repeat looks for the transfer first. */
  async function isTransferred({ payoutId, account, ...money }: Payout): Promise<boolean> {
    const search = { transfer_group: payoutId, limit: 1 }
    const { data } = await askStripe('find the transfer', () => stripe.transfers.list(search))
    const [found] = data
    if (found === undefined) return false
    const { amount, currency } = toStripe(money)
    if (found.amount !== amount || found.currency !== currency || found.reversed)
      throw new PaymentProviderFailed(`the transfer of ${payoutId} is not what was asked for`)
    return true
  }

  return {
    async account(shopperId, known): Promise<PayoutAccount> {
      if (shopUrl === undefined) throw new Error('an account page needs the address of the shop')
      const state = known === undefined ? 'gone' : await stateOf(known)
      const account = known === undefined || state === 'gone' ? await open(shopperId, known) : known
      if (state === 'ready') return { kind: 'ready', account }
      const wallet = new URL(walletPath, shopUrl).href
      const link = { account, type: 'account_onboarding', refresh_url: wallet, return_url: wallet } as const
      const { url } = await askStripe('open the account page', () => stripe.accountLinks.create(link))
      return { kind: 'onboarding', account, url }
    },
    async payOut(payout) {
      const { payoutId, account, amount, currency } = payout
      if (account === undefined) return { kind: 'refused', reason: 'account' }
      if (await isTransferred(payout)) return { kind: 'paid' }
      const transfer = {
        ...toStripe({ amount, currency }),
        destination: account,
        transfer_group: payoutId,
        metadata: { payoutId },
      }
      const options = { idempotencyKey: `payout:${payoutId}` }
      try {
        await askStripe('transfer the payout', () => stripe.transfers.create(transfer, options))
        return { kind: 'paid' }
      } catch (error) {
        const reason = error instanceof StripeRefused ? refusals[error.code ?? ''] : undefined
        if (reason === undefined) throw error
        return { kind: 'refused', reason }
      }
    },
  }
}
