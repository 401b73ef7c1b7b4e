/**
 * One click, from the request to its result. A lost answer proves nothing: the page looks for the order before it shows
 * a result, and a later click repeats the same key, so the worst case is a repeat and never a second order.
 */
import { conclude } from '../../client/click.ts'
import type { Unanswered } from '../../client/http.ts'
import { boughtIn, findOrder } from '../../client/purchase.ts'
import { call } from '../../web/http.ts'
import {
  type ClickPorts,
  clickOnce,
  keepClick,
  type PageClick,
  type PendingClick,
  pendingClick,
  type Store,
  settleClick,
  wasSent,
} from './click.ts'
import { type ClickRefusal, refusalOf } from './refusal.ts'

/**
 * `unsure`: the look-up of the order was not answered either. `busy`: there is no order, and trying
 * again is safe. `gone`: the click became an order that was cancelled or refused since; the next
 * click uses a new key. `offline`: the device has no connection, and nothing was sent.
 */
export type Outcome =
  | { kind: 'won'; orderId: string; repeat: boolean }
  | { kind: 'gone'; orderId: string }
  | ClickRefusal
  | { kind: 'busy'; retryAfterSeconds: number }
  | { kind: 'unsure' | 'offline' }

/** What a click asks for: `quantity` units, in a sale with variants of that `variant`. */
export type Wanted = { quantity: number; variant?: string }

/**
 * `onChecking` is called before a look-up after a lost answer. `wait` resolves after so many milliseconds, at once
 * after none or fewer; `random` is from 0 up to 1.
 */
export type BuyPorts = ClickPorts & {
  store: Store
  onChecking: () => void
  wait: (milliseconds: number) => Promise<void>
  random: () => number
}

/** `now` is the shop's time, epoch ms. */
type Click = PageClick & {
  saleId: string
  wanted: Wanted
  key: string
  now: number
}

/** Sends the click's one request, which stays pending until the answer is definite. */
export async function buy(ports: BuyPorts, clicked: Click): Promise<Outcome> {
  const { store } = ports
  const { saleId, startToken, seen, challenge, wanted, key, now } = clicked
  const { quantity, variant } = wanted
  const earlier = pendingClick(store, saleId)
  const pending = { key: earlier?.key ?? key, since: earlier?.since || now }
  keepClick(store, saleId, pending)
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/orders`,
    body: { quantity, variant, startToken, challenge },
    key: pending.key,
    read: (body, status) => boughtIn(body, status === 200),
  })
  const inDoubt = wasSent(earlier)
  if (tried.kind === 'offline') {
    if (!inDoubt) keepClick(store, saleId, { ...pending, since: 0 })
    return tried
  }
  if (tried.kind !== 'ok') return outcomeOf(ports, saleId, tried, { ...pending, inDoubt }, 0)
  settleClick(store, saleId)
  return tried.prize
}

/**
 * Looks for the order of a click whose answer was lost, without buying anything; undefined when there is no such click.
 * It stays pending when nothing is found, since its request may still be on the way. A page that is loaded again right
 * after the click looks no sooner than it would have without.
 */
export async function checkPendingClick(ports: BuyPorts, saleId: string, now: number): Promise<Outcome | undefined> {
  const pending = pendingClick(ports.store, saleId)
  return pending && outcomeOf(ports, saleId, { kind: 'lost' }, { ...pending, inDoubt: true }, now - pending.since)
}

/**
 * The outcome after an answer without an order. `inDoubt`: an earlier try under the same key may have won. The last one was
 * sent `agoMs` ago, by a clock that may have been set back.
 */
async function outcomeOf(
  { fetch, store, onChecking, wait, random }: BuyPorts,
  saleId: string,
  last: Unanswered,
  clicked: PendingClick & { inDoubt: boolean },
  agoMs: number,
): Promise<Outcome> {
  const often = (path: string) => call(fetch, path)
  const sleep = async (delayMs: number) => {
    onChecking()
    await wait(Math.min(delayMs, delayMs - agoMs))
  }
  const outcome = await conclude({ often, random, sleep }, findOrder(saleId, false), last, clicked)
  if (outcome.kind === 'unsure') {
    const { looked, problem } = outcome
    if (looked) return { kind: 'busy', retryAfterSeconds: problem?.retryAfterSeconds ?? 0 }
    return problem?.code === 'sign-in-required' ? refusalOf(problem, false) : outcome
  }
  const isRefused = outcome.kind === 'refused'
  if (!isRefused || !clicked.inDoubt) settleClick(store, saleId)
  return isRefused ? refusalOf(outcome.problem, outcome.atGate) : outcome
}
