/**
 * Runs one click from its first request to its outcome. All retries send the same key, so at most one of them wins. After
 * a lost answer the client looks the result up before it reports a refusal.
 */

import type { Connection } from './connection.ts'
import type { FailedReply } from './http.ts'
import {
  definiteProblem,
  isRetryable,
  type PurchaseRequest,
  requestPurchase,
  retryDelayMs,
  type ShopClient,
} from './request-purchase.ts'
import type { Problem } from './types.ts'

export type ClickOptions = {
  /** The idempotency key of this click; a random UUID by default. */
  key?: string
  /** The `since` of an earlier call with the same `key` that ended `unsure`: the client looks for what that call won. */
  since?: number | undefined
  /** The solved challenge, if the sale asks for one. */
  challenge?: string | undefined
  /** Stops retrying after this time, ms; a minute by default. */
  patienceMs?: number
  signal?: AbortSignal | undefined
}

/**
 * `refused`: nothing was won, and `problem` says why. `atGate`: no function received the click. `unsure`: no answer came;
 * call again with the same `key` and `since`, also after a restart. `problem` is that of the last answer, if there was one.
 * `notFound`: the lookup found nothing, but the request may still be in flight.
 */
export type Unwon =
  | { kind: 'refused'; problem: Problem; atGate: boolean; key: string }
  | { kind: 'unsure'; key: string; since: number; problem?: Problem | undefined; notFound?: true }

/**
 * Finds the result of a click after a lost answer. `path` may use the path that a refusal names. `read` returns the result
 * of this click, undefined if there is none, or `unread` if the answer does not say. `isRefused`: a later request was
 * certainly refused.
 */
export type Lookup<Result> = {
  path(named: string | undefined): string
  read(body: unknown, since: number, isRefused: boolean): Result | undefined | 'unread'
}

/** A click sends this with the start token. `find` looks its result up. `isKeyless`: the shop takes no key. */
export type Click<Result> = Pick<PurchaseRequest<Result>, 'path' | 'body' | 'read'> & {
  saleId: string
  isKeyless?: true
  find: Lookup<Result>
}

/**
 * Returns the delay from a lost answer to its lookup, ms. `random` is in [0, 1). A throttled function leaves a whole crowd
 * without an answer in the same second, and its lookups must not take the capacity that winners need.
 */
const lookupDelayMs = (random: number): number => Math.round(5000 + 5000 * random)

/**
 * Clicks until the outcome is known or `patienceMs` have passed.
 * @throws when `signal` is aborted; the outcome is then unknown
 */
export async function click<Result extends object>(
  shop: Connection,
  { saleId, path, body, read, find, isKeyless }: Click<Result>,
  { key = crypto.randomUUID(), since, challenge, patienceMs = 60_000, signal }: ClickOptions,
): Promise<(Result & { key: string }) | Unwon> {
  const until = Date.now() + patienceMs
  const tokens = new Set<unknown>()
  // True once a request that may have won got no answer.
  let mayHaveWon = since !== undefined
  let startToken = await shop.startToken(saleId, signal)
  // After the start token, because its answers set the shop's clock.
  const from = since ?? shop.now()
  let last: FailedReply
  for (;;) {
    if (typeof startToken !== 'string') {
      last = startToken
      break
    }
    tokens.add(startToken)
    const sent = { path, body: { ...body, startToken, challenge }, read, signal }
    const tried = await requestPurchase(shop, { ...sent, key: isKeyless ? undefined : key })
    if (tried.kind === 'ok') return { ...tried.result, key }
    last = tried
    const code = definiteProblem(last)?.code
    if (code === undefined) mayHaveWon = true
    if (code === 'stale-page') {
      startToken = await shop.startToken(saleId, signal)
      if (!tokens.has(startToken)) continue
    }
    const waitMs = retryDelayMs(last, shop.random())
    if (!isRetryable(code ?? 'unavailable') || Date.now() + waitMs >= until) break
    await shop.sleep(waitMs, signal)
  }
  return conclude(shop, find, last, { key, since: from, mayHaveWon, signal })
}

type PendingClick = { key: string; since: number; mayHaveWon: boolean; signal?: AbortSignal | undefined }

/**
 * Returns the outcome of a click whose `last` answer had no result. Looks up a result whose answer was lost.
 * @throws when `signal` is aborted
 */
export async function conclude<Result extends object>(
  shop: Pick<ShopClient, 'withRetries'> & Pick<Connection, 'sleep' | 'random'>,
  { path, read }: Lookup<Result>,
  last: FailedReply,
  { key, since, mayHaveWon, signal }: PendingClick,
): Promise<(Result & { key: string }) | Unwon> {
  const problem = definiteProblem(last)
  const unwon: Unwon = problem
    ? { kind: 'refused', problem, atGate: last.atGate === true, key }
    : { kind: 'unsure', key, since, problem: last.problem, notFound: true }
  if (problem && !mayHaveWon) return unwon
  if (!problem) await shop.sleep(lookupDelayMs(shop.random()), signal)
  const reply = await shop.withRetries(path(problem?.lookup), { signal })
  const found = reply.kind === 'ok' ? read(reply.body, since, problem !== undefined) : 'unread'
  if (found === 'unread') return { kind: 'unsure', key, since, problem: reply.problem }
  return found ? { ...found, key } : unwon
}
