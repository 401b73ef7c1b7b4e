/** The message after a claim; it states no more than is known. */
import type { rainMessages } from '../../messages/catalogues.ts'
import { clickProblemKey, type News } from '../sale/news.ts'
import type { ClaimState } from './claimed-packet.ts'
import type { Tapped } from './send-claim.ts'

export type RainKey = keyof typeof rainMessages
export type RainNews = News<RainKey>

/** Where a shopper's money is shown. */
const walletPath = '/wallet/'

/**
 * `amount` is the packet as people read it; `seconds` is how long the button rests;
 * `moreWaves` says whether another wave follows; `signIn` is the way to sign in and back.
 */
type NewsFacts = { amount: string; seconds: number; moreWaves: boolean; signIn: string }

/** The news of a tap's answer. `claim` is what the page knows with it. */
export function newsOfTap(
  tapped: Tapped,
  claim: ClaimState,
  { amount, seconds, moreWaves, signIn }: NewsFacts,
): RainNews {
  if (tapped.kind === 'won' && !tapped.packet.repeat) return newsOfPacket('status.won', amount)
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
