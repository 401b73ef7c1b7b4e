/** Chooses the message after a click. It states only what is certain. */
import { orderPath, ordersPath } from '../../core/orders/order-path.ts'
import type { clickProblems, rainMessages, saleMessages } from '../../templates/messages/catalogues.ts'
import { type Arguments, isWorded } from '../../templates/messages/text.ts'
import type { BuyOutcome } from '../buy/buy.ts'

type Key = keyof typeof saleMessages

/** The keys that the pages of all kinds of sale have. */
export type OpeningKey = Key & keyof typeof rainMessages

/** A message with an optional link. */
export type News<K extends string = Key> = { key: K; args?: Arguments; link?: { href: string; key: K } }

export const toOrder = (orderId: string) => ({ href: orderPath(orderId), key: 'status.toOrder' }) as const

/** `seconds` is the cooldown of the button; `signIn` is the address of the sign-in. */
type NewsFacts = { quantity: number; seconds: number; signIn: string; bought: boolean }

/** Returns the news about an outcome. `bought` is false when the click only looked an earlier order up. */
export function newsOfOutcome(outcome: BuyOutcome, { quantity, seconds, signIn, bought }: NewsFacts): News {
  switch (outcome.kind) {
    case 'won':
      return { key: outcome.repeat ? 'status.repeat' : 'status.won', link: toOrder(outcome.orderId) }
    case 'gone':
      return { key: 'status.gone', link: toOrder(outcome.orderId) }
    case 'unsure':
      return { key: 'status.unsure' }
    case 'offline':
      return { key: 'status.notSent' }
    case 'busy':
      return { key: bought ? 'status.full' : 'status.noOrder' }
    case 'refused': {
      const { code, remaining } = outcome
      const someLeft = code === 'sold-out' && remaining > 0 && remaining < quantity
      if (code === 'at-capacity') return { key: 'status.full' }
      if (someLeft) return { key: 'status.fewerLeft', args: { remaining } }
      const news = { key: clickProblemKey(code), args: { remaining, seconds } }
      if (code === 'sign-in-required') return { ...news, link: { href: signIn, key: 'status.toSignIn' } }
      if (code === 'limit-reached') return { ...news, link: { href: ordersPath, key: 'status.toOrder' } }
      return news
    }
  }
}

/** Returns the news that units were released. Their number is announced once. */
export function newsOfReturn(remaining: number): News<'status.returned'> {
  return { key: 'status.returned', args: { remaining } }
}

/**
 * True when a message no longer applies: a temporary refusal once the button is enabled, and the number of released units
 * once `remaining` changes.
 */
export function isOutdated(
  news: News<string> | undefined,
  { isEnabled, remaining }: { isEnabled: boolean; remaining: number },
): boolean {
  if (news?.key === 'status.returned') return news.args?.remaining !== remaining
  return isEnabled && (news?.key === 'problem.paused' || news?.key === 'problem.not-your-turn')
}

type ClickProblem = keyof typeof clickProblems

/** Returns the key of a problem code; falls back to `problem.invalid-request` for codes without words. */
export function clickProblemKey(code: string): ClickProblem {
  const key = `problem.${code}`
  return isWorded(key) ? (key as ClickProblem) : 'problem.invalid-request'
}
