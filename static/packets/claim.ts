/**
 * A claim, from the request to what the page says of it. It may be repeated: the answer is the packet that the shopper
 * has. After a lost answer the page looks for the packet before it shows a result.
 */
import { claimOf } from '../../client/claim.ts'
import { conclude } from '../../client/click.ts'
import type { Unanswered } from '../../client/http.ts'
import type { ClaimedPacket } from '../../core/api/purchase.ts'
import type { Wallet, WalletCredit } from '../../core/api/wallet.ts'
import { walletPath } from '../../core/buy/lookup.ts'
import type { Money } from '../../core/money.ts'
import type { rainMessages } from '../../templates/messages/catalogues.ts'
import { call } from '../../web/http.ts'
import { readTap } from '../../web/wire.ts'
import { type ButtonFacts, type ButtonState, buttonState } from '../buy/button.ts'
import type { BuyPorts } from '../buy/buy.ts'
import { clickOnce, type PageClick } from '../buy/click.ts'
import { type ClickRefusal, refusalOf } from '../buy/refusal.ts'
import { clickProblemKey, type News } from '../sale/news.ts'

/**
 * `unsure`: it is unknown whether a packet was claimed; the request may still be on its way where none was found.
 * `offline`: nothing was sent.
 */
export type Tapped = { kind: 'won'; packet: ClaimedPacket } | ClickRefusal | { kind: 'unsure' | 'offline' }

export type TapPorts = Omit<BuyPorts, 'store'>

/** Sends the tap's one request (C7, P2). `inDoubt`: an earlier tap may have claimed a packet. */
export async function tap(
  ports: TapPorts,
  { saleId, seen, startToken, challenge, inDoubt }: PageClick & { saleId: string; inDoubt: boolean },
): Promise<Tapped> {
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/packets`,
    body: { startToken, challenge },
    read: readTap,
  })
  if (tried.kind === 'ok') return { kind: 'won', packet: tried.prize }
  return tried.kind === 'offline' ? tried : findPacket(ports, saleId, tried, inDoubt)
}

/** What became of taps of which the `last` one won nothing: looks for their packet where an answer may have been lost. */
export async function findPacket(
  { fetch, onChecking, wait, random }: TapPorts,
  saleId: string,
  last: Unanswered,
  inDoubt: boolean,
): Promise<Tapped> {
  const shop = {
    often: (path: string) => call(fetch, path),
    random,
    sleep(delayMs: number) {
      onChecking()
      return wait(delayMs)
    },
  }
  const outcome = await conclude(shop, claimOf(saleId).find, last, { key: '', since: 0, inDoubt })
  if (outcome.kind === 'refused') return refusalOf(outcome.problem, outcome.atGate)
  if (outcome.kind === 'unsure') {
    const { problem } = outcome
    return problem?.code === 'sign-in-required' ? refusalOf(problem, false) : { kind: 'unsure' }
  }
  const { packetId, amount, currency } = outcome
  // No answer to a claim: a press that comes later asks once more, by which a message that was lost with the answer is sent.
  return { kind: 'won', packet: { packetId, amount, currency } }
}

/**
 * What a shopper has of this rain, as far as the page knows: a packet, nothing, or an answer that was lost. Pure, so
 * that every order of answers can be tested without a page. `confirmed`: the shop has answered a tap after the win with
 * the same packet, and need not be asked any more. `unsure`: the answer to a tap was lost, and it may have caught one.
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

/** The button of a red packet rain: a shopper who has a packet may press it after the rest and sees which one. */
export function catchButton(facts: ButtonFacts): ButtonState {
  const state = buttonState(facts)
  if (state.kind !== 'won') return state
  return { ...state, lit: facts.restLeftMs === 0 && !facts.sending }
}

/** The message after a claim; it states no more than is known. */
export type RainKey = keyof typeof rainMessages
type RainNews = News<RainKey>

/**
 * `amount` is the packet as people read it; `seconds` is how long the button rests;
 * `moreWaves` says whether another wave follows; `signIn` is the way to sign in and back. `isKnown`: the page has shown
 * the packet before.
 */
type NewsFacts = { amount: string; seconds: number; moreWaves: boolean; signIn: string; isKnown: boolean }

/** The news of a tap's answer. `claim` is what the page knows with it. */
export function newsOfTap(
  tapped: Tapped,
  claim: ClaimState,
  { amount, seconds, moreWaves, signIn, isKnown }: NewsFacts,
): RainNews {
  if (tapped.kind === 'won' && !tapped.packet.repeat && !isKnown) return newsOfPacket('status.won', amount)
  if (tapped.kind === 'offline') return { key: 'status.notSent' }
  // Whatever the result of this claim, the packet of an earlier one is there.
  if (claim.packet !== undefined) return newsOfPacket('status.repeat', amount)
  if (tapped.kind !== 'refused') return { key: 'status.unsure' }
  const { code, remaining } = tapped
  if (code === 'at-capacity') return { key: 'status.full' }
  if (code === 'sold-out' && moreWaves) return { key: 'status.roundSoldOut' }
  const news = { key: clickProblemKey(code), args: { remaining, seconds } }
  return code === 'sign-in-required' ? { ...news, link: { href: signIn, key: 'status.toSignIn' } } : news
}

/** News of the packet that a shopper has, with the way to their wallet. */
export function newsOfPacket(
  key: 'status.won' | 'status.repeat' | 'status.credited' | 'status.creditLate',
  amount: string,
): RainNews {
  return { key, args: { amount }, link: { href: walletPath, key: 'status.toWallet' } }
}
