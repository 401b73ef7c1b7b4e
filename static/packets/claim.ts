/**
 * Claims a red packet and chooses the news about it. Claims are idempotent: a repeat returns the same packet. After a lost
 * answer the page looks the packet up before it shows a result.
 */
import { packetClaim } from '../../client/claim.ts'
import { conclude } from '../../client/click.ts'
import type { FailedReply } from '../../client/http.ts'
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
 * `unsure`: a packet may have been claimed, also if the lookup found none, because the request may still be in flight.
 * `offline`: nothing was sent.
 */
export type ClaimResult = { kind: 'won'; packet: ClaimedPacket } | ClickRefusal | { kind: 'unsure' | 'offline' }

export type TapPorts = Omit<BuyPorts, 'store'>

/** Sends one claim (C7, P2). `inDoubt`: an earlier claim may have won a packet. */
export async function claimOnce(
  ports: TapPorts,
  { saleId, seen, startToken, challenge, inDoubt }: PageClick & { saleId: string; inDoubt: boolean },
): Promise<ClaimResult> {
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/packets`,
    body: { startToken, challenge },
    read: readTap,
  })
  if (tried.kind === 'ok') return { kind: 'won', packet: tried.result }
  return tried.kind === 'offline' ? tried : findPacket(ports, saleId, tried, inDoubt)
}

/** Returns the result of claims whose `last` answer had no packet. Looks the packet up if an answer was lost. */
export async function findPacket(
  { fetch, onChecking, wait, random }: TapPorts,
  saleId: string,
  last: FailedReply,
  mayHaveWon: boolean,
): Promise<ClaimResult> {
  const shop = {
    withRetries: (path: string) => call(fetch, path),
    random,
    sleep(delayMs: number) {
      onChecking()
      return wait(delayMs)
    },
  }
  const outcome = await conclude(shop, packetClaim(saleId).find, last, { key: '', since: 0, mayHaveWon })
  if (outcome.kind === 'refused') return refusalOf(outcome.problem, outcome)
  if (outcome.kind === 'unsure') {
    const { problem } = outcome
    return problem?.code === 'sign-in-required' ? refusalOf(problem, { atGate: false }) : { kind: 'unsure' }
  }
  const { packetId, amount, currency } = outcome
  // Without `repeat`, so that a later click claims again, which sends a lost message again.
  return { kind: 'won', packet: { packetId, amount, currency } }
}

/**
 * The page's knowledge of the shopper's packet. `confirmed`: a claim after the win returned the same packet, so the page
 * need not claim again. `unsure`: an answer was lost, and that claim may have won.
 */
export type ClaimState = { packet: Money | undefined; confirmed: boolean; unsure: boolean }

export const noClaim: ClaimState = { packet: undefined, confirmed: false, unsure: false }

export function afterClaim(claim: ClaimState, tapped: ClaimResult): ClaimState {
  switch (tapped.kind) {
    case 'won': {
      const { amount, currency, repeat } = tapped.packet
      return { packet: { amount, currency }, confirmed: repeat === true, unsure: false }
    }
    case 'offline':
      return claim
    case 'unsure':
      // A packet that the shopper has stays, whatever this answer was.
      return { ...claim, unsure: claim.packet === undefined }
    case 'refused':
      // A refusal counts only after the lookup of an earlier claim.
      return { ...claim, unsure: false }
  }
}

/** Returns the credit of the sale's packet, if it is in the wallet. */
export function creditOf({ credits }: Wallet, saleId: string): WalletCredit | undefined {
  return credits.find((credit) => credit.saleId === saleId)
}

/** Returns the state once the packet is in the wallet. */
export function afterCredit(claim: ClaimState, { amount, currency }: Money): ClaimState {
  return { ...claim, packet: { amount, currency }, unsure: false }
}

/** Returns the state of the claim button. A shopper who has a packet may click it to see which one. */
export function claimButton(facts: ButtonFacts): ButtonState {
  const state = buttonState(facts)
  if (state.kind !== 'won') return state
  return { ...state, isEnabled: facts.cooldownLeftMs === 0 && !facts.sending }
}

export type RainKey = keyof typeof rainMessages
type RainNews = News<RainKey>

/**
 * `amount` is the formatted amount of the packet; `seconds` is the rest of the button; `hasNextWave`: another wave follows;
 * `signIn` is the address of the sign-in. `isKnown`: the page has shown the packet before.
 */
type ClaimFacts = { amount: string; seconds: number; hasNextWave: boolean; signIn: string; isKnown: boolean }

/** Returns the news about a claim. `claim` is the state after it. */
export function newsOfClaim(
  tapped: ClaimResult,
  claim: ClaimState,
  { amount, seconds, hasNextWave, signIn, isKnown }: ClaimFacts,
): RainNews {
  if (tapped.kind === 'won' && !tapped.packet.repeat && !isKnown) return newsOfPacket('status.won', amount)
  if (tapped.kind === 'offline') return { key: 'status.notSent' }
  // The shopper has a packet from an earlier claim, whatever this answer was.
  if (claim.packet !== undefined) return newsOfPacket('status.repeat', amount)
  if (tapped.kind !== 'refused') return { key: 'status.unsure' }
  const { code, remaining } = tapped
  if (code === 'at-capacity') return { key: 'status.full' }
  if (code === 'sold-out' && hasNextWave) return { key: 'status.roundSoldOut' }
  const news = { key: clickProblemKey(code), args: { remaining, seconds } }
  return code === 'sign-in-required' ? { ...news, link: { href: signIn, key: 'status.toSignIn' } } : news
}

/** Returns news about the shopper's packet, with a link to the wallet. */
export function newsOfPacket(
  key: 'status.won' | 'status.repeat' | 'status.credited' | 'status.creditLate',
  amount: string,
): RainNews {
  return { key, args: { amount }, link: { href: walletPath, key: 'status.toWallet' } }
}
