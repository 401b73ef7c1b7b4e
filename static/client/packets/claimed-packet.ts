/**
 * What a shopper has of this rain, as far as the page knows: a packet, nothing, or an answer that
 * was lost. Pure, so that every order of answers can be tested without a page.
 */

import type { Wallet, WalletCredit } from '../../../core/api/wallet.ts'
import type { Money } from '../../../core/money.ts'
import { type ButtonFacts, type ButtonState, buttonState } from '../buy/button.ts'
import type { Tapped } from './send-claim.ts'

/**
 * `confirmed`: the shop has answered a tap after the win with the same packet, and need not be
 * asked any more. `unsure`: the answer to a tap was lost, and it may have caught one.
 */
export type ClaimState = { packet: Money | undefined; confirmed: boolean; unsure: boolean }

export const noClaim: ClaimState = { packet: undefined, confirmed: false, unsure: false }

export function afterTap(claim: ClaimState, tapped: Tapped): ClaimState {
  switch (tapped.kind) {
    case 'won': {
      const { amount, currency, repeat } = tapped.packet
      return { packet: { amount, currency }, confirmed: repeat === true, unsure: false }
    }
    case 'offline':
      return claim
    case 'unsure':
      // A packet stays the shopper's after any answer to this request.
      return { ...claim, unsure: claim.packet === undefined }
    case 'refused':
      // The page has looked for the packet of an earlier tap first.
      return { ...claim, unsure: false }
  }
}

/** The packet of a rain in a wallet, if it is there. */
export function creditOf({ credits }: Wallet, saleId: string): WalletCredit | undefined {
  return credits.find((credit) => credit.saleId === saleId)
}

/** The state of the claim once the packet of this rain is found in the wallet. */
export function afterCredit(claim: ClaimState, { amount, currency }: Money): ClaimState {
  return { ...claim, packet: { amount, currency }, unsure: false }
}

/**
 * The button of a red packet rain: a shopper who has a packet may press it after the rest and sees
 * which one.
 */
export function catchButton(facts: ButtonFacts): ButtonState {
  const state = buttonState(facts)
  if (state.kind !== 'won') return state
  return { ...state, lit: facts.restLeftMs === 0 && !facts.sending }
}
