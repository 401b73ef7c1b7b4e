/**
 * A virtual shopper: the published client with a session, a pass and the start token. It stops once the sale is sold
 * out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShopperSession } from '../../cli/control-client.ts'
import { type Click, click } from '../../client/click.ts'
import { type Connection, connect } from '../../client/connection.ts'
import type { Fetch } from '../../client/http.ts'
import { isRetryable } from '../../client/request-purchase.ts'
import type { Problem } from '../../client/types.ts'
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import { type HttpClient, type HttpReply, type HttpResult, textMember } from './http.ts'

/**
 * The outcome for a shopper. `gave-up`: no final answer within `patienceMs`. `inDoubt`: a request whose answer was lost
 * may have won.
 */
export type Ending<Win> =
  | { kind: 'won'; win: Win }
  | { kind: 'refused'; code: string; remaining: number | undefined; inDoubt: boolean }
  | { kind: 'gave-up'; inDoubt: boolean }

/**
 * One request and its answer. `code` is a problem code, a code of a win, or `no-answer`; `at` is the time of the
 * answer, ms of `performance.now()`. `isCounted` is as in `HttpReply`, undefined without an answer.
 */
export type Try = { code: string; ms: number; at: number; isCounted?: boolean | undefined }

/** `cookies` belong to a shopper whom a mode has chosen to buy. */
export type VirtualShopper = ShopperSession & { shopperId: string; key: string; traits?: Traits; cookies?: string }

/**
 * Returns the client of a shopper. `onTry` receives each request other than reads; `winCodeOf` returns the code of a
 * winning answer.
 */
export function connectionOf(
  { token, pass, traits, cookies }: VirtualShopper,
  {
    client,
    random,
    winCodeOf = () => undefined,
    onTry,
  }: Pick<ShopperOptions<unknown>, 'client' | 'random'> & {
    winCodeOf?: (reply: HttpReply) => string | undefined
    onTry: (made: Try, reply: HttpReply | undefined) => void
  },
): Connection {
  const fetch = client.fetch(({ reply, ms }: HttpResult) => {
    const code = (reply && winCodeOf(reply)) ?? codeOf(reply)
    onTry({ code, ms, at: performance.now(), isCounted: reply?.isCounted }, reply)
  }, cookies)
  return connect({
    ...{ url: client.origin, token: () => token, pass, random },
    fetch: traits === undefined ? fetch : withLatency(fetch, traits.tripMs),
    ...(traits?.ignoresRetryAfter && { sleep: (ms: number) => sleep(Math.min(ms, botPauseMs)) }),
  })
}

/** Delays each request and its answer by `tripMs` together. */
function withLatency(fetch: Fetch, tripMs: number): Fetch {
  return async (input, init) => {
    await sleep(tripMs / 2)
    const answer = await fetch(input, init)
    await sleep(tripMs / 2)
    return answer
  }
}

/** Codes of winning answers. */
export const winCodes = ['reserved', 'claimed', 'repeat'] as const

/** A purchase or claim, and how its answers are read. */
export type WinRequest<Win> = {
  client: Pick<HttpClient, 'origin' | 'fetch'>
  /** Called again when the shop rejects the token as stale. */
  startToken(): Promise<string>
  /** Returns the shopper's current request with its idempotency key. */
  clickOf(shopper: VirtualShopper): Click<Win & { kind: 'won' }> & { key: string }
  /** Returns undefined for a losing answer. */
  winCodeOf(reply: HttpReply): (typeof winCodes)[number] | undefined
  /** Chooses something else after a final refusal; false when there is nothing else. */
  chooseAgain?(shopper: VirtualShopper, refusal: Problem): boolean
}

export type ShopperOptions<Win> = WinRequest<Win> & {
  onTry(made: Try): void
  random(): number
  patienceMs: number
}

/** Clicks until the outcome is known, and again when the shopper chooses another variant. */
export async function clickUntilDone<Win>(
  shopper: VirtualShopper,
  { client, startToken, clickOf, winCodeOf, chooseAgain, onTry, random, patienceMs }: ShopperOptions<Win>,
): Promise<Ending<Win>> {
  const until = Date.now() + patienceMs
  let inDoubt = false
  const onClick = (made: Try, reply: HttpReply | undefined) => {
    onTry(made)
    inDoubt = leavesDoubt(reply, inDoubt)
  }
  const connection: Connection = {
    ...connectionOf(shopper, { client, random, winCodeOf, onTry: onClick }),
    startToken,
  }
  for (;;) {
    const { key, ...wanted } = clickOf(shopper)
    const outcome = await click(connection, wanted, { key, patienceMs: until - Date.now() })
    if (outcome.kind === 'won') return { kind: 'won', win: outcome }
    if (outcome.kind === 'unsure' || isRetryable(outcome.problem.code)) return { kind: 'gave-up', inDoubt }
    const { code, remaining } = outcome.problem
    if (!chooseAgain?.(shopper, outcome.problem)) return { kind: 'refused', code, remaining, inDoubt }
  }
}

/**
 * Returns whether a lost answer may have been a win. An answer of the gate says nothing about an earlier request that a
 * function received.
 */
function leavesDoubt(reply: HttpReply | undefined, before: boolean): boolean {
  if (reply === undefined) return true
  return reply.atGate ? before : reply.status >= 500
}

function codeOf(reply: HttpReply | undefined): string {
  if (reply === undefined) return 'no-answer'
  return textMember(reply.body, 'code') ?? `status-${reply.status}`
}

export type AnswerSummary = Percentiles & { code: string; count: number }

/** Groups requests by answer, the most frequent first. */
export function summarise(tries: readonly Try[]): AnswerSummary[] {
  return [...Map.groupBy(tries, ({ code }) => code)]
    .map(([code, made]) => ({ code, count: made.length, ...percentiles(made.map(({ ms }) => ms)) }))
    .sort((a, b) => b.count - a.count)
}

/** `tripMs` is the network round trip. `person` has `accounts` accounts. */
export type Traits = { tripMs: number; isBot: boolean; ignoresRetryAfter: boolean; person: number; accounts: number }

/** A near, a usual and a far network; each applies to a third of all people. */
export const tripsMs = [5, 50, 200] as const

/** A bot that ignores Retry-After pauses this long instead: it sends a hundred times as many requests as the page. */
const botPauseMs = 100

const botShare = 0.1

/** One person in twenty has five accounts, so about one account in five belongs to such a person. */
export const manyAccounts = 5
const manyShare = 0.05

/**
 * Draws the traits of `count` accounts; accounts of a person are adjacent. Bots ignore Retry-After where the first
 * click wins. In a mode that `keepsUnits` for each buyer they do not: the gate would refuse such a bot for ever once
 * all places were taken (memory.ts of the gate).
 */
export function traitsOf(count: number, { keepsUnits }: { keepsUnits: boolean }, random: () => number): Traits[] {
  const all: Traits[] = []
  for (let person = 0; all.length < count; person += 1) {
    const tripMs = tripsMs[Math.floor(random() * tripsMs.length)] ?? tripsMs[0]
    const isBot = random() < botShare
    const wanted = random() < manyShare ? manyAccounts : 1
    const accounts = Math.min(wanted, count - all.length)
    const one: Traits = { tripMs, isBot, ignoresRetryAfter: isBot && !keepsUnits, person, accounts }
    for (let account = 0; account < accounts; account += 1) all.push(one)
  }
  return all
}
