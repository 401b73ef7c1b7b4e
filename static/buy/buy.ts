/**
 * Runs one click on a sale page. After a lost answer the page looks the order up before it shows a result. While
 * a click is pending, a later one sends the same key, so one click never makes two orders.
 */
import { conclude } from '../../client/click.ts'
import type { FailedReply } from '../../client/http.ts'
import { findOrder, parseBought } from '../../client/purchase.ts'
import { call } from '../../web/http.ts'
import {
  type ClickPorts,
  clickOnce,
  type PageClick,
  type PendingClick,
  pendingClick,
  removePendingClick,
  type Store,
  savePendingClick,
  wasSent,
} from './click.ts'
import { type ClickRefusal, refusalOf } from './refusal.ts'

/**
 * `unsure`: the lookup of the order was not answered either. `busy`: no order was found yet, and a retry with the same key is
 * safe. `gone`: the order has ended, for example as cancelled; the next click uses a new key. `offline`: the device is offline,
 * and nothing was sent.
 */
export type BuyOutcome =
  | { kind: 'won'; orderId: string; repeat: boolean }
  | { kind: 'gone'; orderId: string }
  | ClickRefusal
  | { kind: 'busy'; retryAfterSeconds: number }
  | { kind: 'unsure' | 'offline' }

/** The units that a click buys. `variant` is an id, in a sale with variants. */
export type ChosenUnits = { quantity: number; variant?: string }

/**
 * `onChecking` is called before the lookup after a lost answer. `wait` resolves after that many milliseconds; `random` is in
 * [0, 1).
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
  units: ChosenUnits
  key: string
  now: number
}

/** Sends the request of a click, which stays pending until the answer is definite. */
export async function buy(ports: BuyPorts, clicked: Click): Promise<BuyOutcome> {
  const { store } = ports
  const { saleId, startToken, seen, challenge, units, key, now } = clicked
  const { quantity, variant } = units
  const earlier = pendingClick(store, saleId)
  const pending = { key: earlier?.key ?? key, since: earlier?.since || now }
  savePendingClick(store, saleId, pending)
  const tried = await clickOnce(ports, seen, {
    path: `/api/sales/${saleId}/orders`,
    body: { quantity, variant, startToken, challenge },
    key: pending.key,
    read: (body, status) => parseBought(body, status === 200),
  })
  const mayHaveWon = wasSent(earlier)
  if (tried.kind === 'offline') {
    // 0: no request was sent.
    if (!mayHaveWon) savePendingClick(store, saleId, { ...pending, since: 0 })
    return tried
  }
  if (tried.kind !== 'ok') return outcomeOf(ports, saleId, tried, { ...pending, mayHaveWon }, 0)
  removePendingClick(store, saleId)
  return tried.result
}

/**
 * Looks up the order of a pending click, without buying; undefined if there is none. If it finds no order the click stays
 * pending, because its request may still be in flight. After a reload the page waits only the rest of the delay.
 */
export async function checkPendingClick(ports: BuyPorts, saleId: string, now: number): Promise<BuyOutcome | undefined> {
  const pending = pendingClick(ports.store, saleId)
  return pending && outcomeOf(ports, saleId, { kind: 'lost' }, { ...pending, mayHaveWon: true }, now - pending.since)
}

/**
 * Returns the outcome after an answer without an order. `mayHaveWon`: an earlier request with the same key may have won.
 * `agoMs` of the delay before the lookup have already passed; it is negative if the clock was set back.
 */
async function outcomeOf(
  { fetch, store, onChecking, wait, random }: BuyPorts,
  saleId: string,
  last: FailedReply,
  clicked: PendingClick & { mayHaveWon: boolean },
  agoMs: number,
): Promise<BuyOutcome> {
  // The page sends the lookup once, because the shopper retries.
  const withRetries = (path: string) => call(fetch, path)
  const sleep = async (delayMs: number) => {
    onChecking()
    await wait(Math.min(delayMs, delayMs - agoMs))
  }
  const outcome = await conclude({ withRetries, random, sleep }, findOrder(saleId, { repeat: false }), last, clicked)
  if (outcome.kind === 'unsure') {
    const { notFound, problem } = outcome
    if (notFound) return { kind: 'busy', retryAfterSeconds: problem?.retryAfterSeconds ?? 0 }
    // The session ended during the lookup, so the click stays pending.
    return problem?.code === 'sign-in-required' ? refusalOf(problem, { atGate: false }) : outcome
  }
  const isRefused = outcome.kind === 'refused'
  // An earlier request with this key may still be in flight.
  if (!isRefused || !clicked.mayHaveWon) removePendingClick(store, saleId)
  return isRefused ? refusalOf(outcome.problem, outcome) : outcome
}
