/** The message after a click; it states no more than is known. */
import { orderPath, ordersPath } from '../../core/orders/order-path.ts'
import type { clickProblems, rainMessages, saleMessages } from '../../templates/messages/catalogues.ts'
import { type Arguments, isWorded } from '../../templates/messages/text.ts'
import type { Outcome } from '../buy/buy.ts'

type Key = keyof typeof saleMessages

/** What the pages of all kinds of sale have words for. */
export type OpeningKey = Key & keyof typeof rainMessages

/** One line of news; `link` leads on from it. */
export type News<K extends string = Key> = { key: K; args?: Arguments; link?: { href: string; key: K } }

export const toOrder = (orderId: string) => ({ href: orderPath(orderId), key: 'status.toOrder' }) as const

/** `seconds` is how long the button rests; `signIn` is the way to sign in and back. */
type NewsFacts = { quantity: number; seconds: number; signIn: string; bought: boolean }

/** The news of an outcome. `bought` is false when the click only looked for an earlier order. */
export function newsOfOutcome(outcome: Outcome, { quantity, seconds, signIn, bought }: NewsFacts): News {
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

/** Units returned: their number is announced once, and not with every later sale. */
export function newsOfReturn(remaining: number): News<'status.returned'> {
  return { key: 'status.returned', args: { remaining } }
}

/**
 * The message of a refused click stays until the button can be pressed again. The number of
 * returned units stays while `remaining` is the same.
 */
export function isOutdated(
  news: News<string> | undefined,
  { lit, remaining }: { lit: boolean; remaining: number },
): boolean {
  if (news?.key === 'status.returned') return news.args?.remaining !== remaining
  return lit && (news?.key === 'problem.paused' || news?.key === 'problem.not-your-turn')
}

type ClickProblem = keyof typeof clickProblems

/**
 * The key of the words for a problem code on a page where a shopper clicks; one that no click meets, or
 * that is newer than the page, says that something is wrong.
 */
export function clickProblemKey(code: string): ClickProblem {
  const key = `problem.${code}`
  return isWorded(key) ? (key as ClickProblem) : 'problem.invalid-request'
}
