/**
 * One click, from its first request to its outcome. Every try has the same key, so at most one of them wins; after a
 * lost answer the prize is looked for before a refusal counts.
 */
import { type Attempt, attempt, isForLater, pauseAfter, type Shop, sureProblem } from './attempt.ts'
import type { Connection } from './connection.ts'
import type { Unanswered } from './http.ts'
import type { Problem } from './types.ts'

export type ClickOptions = {
  /** Names this click; one is made unless it is given. */
  key?: string
  /** When an earlier call with the same `key` began that ended `unsure`: the client looks for what it may have won. */
  since?: number | undefined
  /** The solved challenge, in a sale that asks for one. */
  challenge?: string | undefined
  /** How long the shop's “later” is obeyed, in ms; a minute unless given. */
  patienceMs?: number
  signal?: AbortSignal | undefined
}

/**
 * `refused`: nothing was won, and `problem` says why; `atGate`: no function has seen the click. `unsure`: no answer
 * came; ask again with the same `key` and `since`, also after a restart. `problem` is what the last answer said, where
 * it was one. `looked`: the look-up found nothing, but the request may still be on its way.
 */
export type Unwon =
  | { kind: 'refused'; problem: Problem; atGate: boolean; key: string }
  | { kind: 'unsure'; key: string; since: number; problem?: Problem | undefined; looked?: true }

/**
 * Where a prize is looked for after a lost answer: at `path`, which may be the one that a refusal names. `read` gives
 * the prize of this click, undefined without one, or `unread` for an answer that does not say. `isRefused`: a
 * later try was refused for sure.
 */
export type Find<Prize> = {
  path(named: string | undefined): string
  read(body: unknown, since: number, isRefused: boolean): Prize | undefined | 'unread'
}

/** What a click sends, beside the start token, and how its prize is found. `isKeyless`: the shop asks for no key. */
export type Click<Prize> = Pick<Attempt<Prize>, 'path' | 'body' | 'read'> & {
  saleId: string
  isKeyless?: true
  find: Find<Prize>
}

/**
 * Milliseconds from a lost answer to the look-up of what became of the request; `random` is from 0 up to 1. A throttled
 * function leaves a whole crowd without an answer in the same second, and its look-ups must not take the capacity that
 * winners need.
 */
const lookUpDelayMs = (random: number): number => Math.round(5000 + 5000 * random)

/** Clicks until the outcome is known, or the patience ends. @throws when `signal` is aborted, with an open outcome */
export async function click<Prize extends object>(
  shop: Connection,
  { saleId, path, body, read, find, isKeyless }: Click<Prize>,
  { key = crypto.randomUUID(), since, challenge, patienceMs = 60_000, signal }: ClickOptions,
): Promise<(Prize & { key: string }) | Unwon> {
  const until = Date.now() + patienceMs
  const tokens = new Set<unknown>()
  /** A request that may have won has no answer. */
  let inDoubt = since !== undefined
  let startToken = await shop.startToken(saleId, signal)
  // The answers so far had the shop's time.
  const from = since ?? shop.now()
  let last: Unanswered
  for (;;) {
    if (typeof startToken !== 'string') {
      last = startToken
      break
    }
    tokens.add(startToken)
    const sent = { path, body: { ...body, startToken, challenge }, read, signal }
    const tried = await attempt(shop, { ...sent, key: isKeyless ? undefined : key })
    if (tried.kind === 'ok') return { ...tried.prize, key }
    last = tried
    const code = sureProblem(last)?.code
    if (code === undefined) inDoubt = true
    if (code === 'stale-page') {
      startToken = await shop.startToken(saleId, signal)
      if (!tokens.has(startToken)) continue
    }
    const waitMs = pauseAfter(last, shop.random())
    if (!isForLater(code ?? 'unavailable') || Date.now() + waitMs >= until) break
    await shop.sleep(waitMs, signal)
  }
  return conclude(shop, find, last, { key, since: from, inDoubt, signal })
}

type Clicked = { key: string; since: number; inDoubt: boolean; signal?: AbortSignal | undefined }

/** The outcome of a click whose `last` answer won nothing, after a look for a lost prize. @throws if `signal` aborts */
export async function conclude<Prize extends object>(
  shop: Pick<Shop, 'often'> & Pick<Connection, 'sleep' | 'random'>,
  { path, read }: Find<Prize>,
  last: Unanswered,
  { key, since, inDoubt, signal }: Clicked,
): Promise<(Prize & { key: string }) | Unwon> {
  const problem = sureProblem(last)
  const unwon: Unwon = problem
    ? { kind: 'refused', problem, atGate: last.atGate === true, key }
    : { kind: 'unsure', key, since, problem: last.problem, looked: true }
  if (problem && !inDoubt) return unwon
  if (!problem) await shop.sleep(lookUpDelayMs(shop.random()), signal)
  const reply = await shop.often(path(problem?.lookup), { signal })
  const found = reply.kind === 'ok' ? read(reply.body, since, problem !== undefined) : 'unread'
  if (found === 'unread') return { kind: 'unsure', key, since, problem: reply.problem }
  return found ? { ...found, key } : unwon
}
