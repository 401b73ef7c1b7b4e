/**
 * One virtual shopper: the client that programs use, with a session, a pass and the start token from before the rush.
 * It asks for nothing more once the sale is sold out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShopperSession } from '../../cli/control-client.ts'
import { isRetryable } from '../../client/attempt.ts'
import { type Click, click } from '../../client/click.ts'
import { type Connection, connect } from '../../client/connection.ts'
import type { Fetch } from '../../client/http.ts'
import type { Problem } from '../../client/types.ts'
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import { type HttpClient, type HttpReply, type HttpResult, textMember } from './http.ts'

/**
 * The outcome for a shopper. `gave-up`: no final answer within the shopper's patience. `inDoubt`: a
 * request whose answer was lost may have won.
 */
export type Ending<Prize> =
  | { kind: 'won'; prize: Prize }
  | { kind: 'refused'; code: string; remaining: number | undefined; inDoubt: boolean }
  | { kind: 'gave-up'; inDoubt: boolean }

/**
 * One request and its answer. `isCounted` as in `HttpReply`, undefined without an answer. `code` is the problem's code, that of a win, or `no-answer`; `at` is the
 * time of the answer, ms of the process's clock.
 */
export type Try = { code: string; ms: number; at: number; isCounted?: boolean | undefined }

/** `cookies` are those of a shopper whom a mode has chosen to buy. */
export type VirtualShopper = ShopperSession & { shopperId: string; key: string; traits?: Traits; cookies?: string }

/** The client of a shopper. `onTry` receives each request but reads; `winCodeOf` names the answers with a prize. */
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
    fetch: traits === undefined ? fetch : fromAfar(fetch, traits.tripMs),
    ...(traits?.isHasty && { sleep: (ms: number) => sleep(Math.min(ms, hastyPauseMs)) }),
  })
}

/** The way there and back takes `tripMs` together. */
function fromAfar(fetch: Fetch, tripMs: number): Fetch {
  return async (input, init) => {
    await sleep(tripMs / 2)
    const answer = await fetch(input, init)
    await sleep(tripMs / 2)
    return answer
  }
}

/** The codes of answers with a prize. */
export const winCodes = ['reserved', 'claimed', 'repeat'] as const

/** A request for a prize, and how its answers are read. */
export type PrizeRequest<Prize> = {
  client: Pick<HttpClient, 'origin' | 'fetch'>
  /** Asked for again when the shop says that it is an old one. */
  startToken(): Promise<string>
  /** What the shopper asks for now, with the key of that request. */
  clickOf(shopper: VirtualShopper): Click<Prize & { kind: 'won' }> & { key: string }
  /** Undefined for an answer without a prize. */
  winCodeOf(reply: HttpReply): (typeof winCodes)[number] | undefined
  /** Chooses something else after a final refusal; false when there is nothing else. */
  chooseAgain?(shopper: VirtualShopper, refusal: Problem): boolean
}

export type ShopperOptions<Prize> = PrizeRequest<Prize> & {
  onTry(made: Try): void
  random(): number
  patienceMs: number
}

/** Clicks with the client until the outcome is known, and again where the shopper chooses something else. */
export async function shop<Prize>(
  shopper: VirtualShopper,
  { client, startToken, clickOf, winCodeOf, chooseAgain, onTry, random, patienceMs }: ShopperOptions<Prize>,
): Promise<Ending<Prize>> {
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
    if (outcome.kind === 'won') return { kind: 'won', prize: outcome }
    if (outcome.kind === 'unsure' || isRetryable(outcome.problem.code)) return { kind: 'gave-up', inDoubt }
    const { code, remaining } = outcome.problem
    if (!chooseAgain?.(shopper, outcome.problem)) return { kind: 'refused', code, remaining, inDoubt }
  }
}

/** An answer of the gate says nothing about an earlier request that a function received. */
function leavesDoubt(reply: HttpReply | undefined, before: boolean): boolean {
  if (reply === undefined) return true
  return reply.atGate ? before : reply.status >= 500
}

function codeOf(reply: HttpReply | undefined): string {
  if (reply === undefined) return 'no-answer'
  return textMember(reply.body, 'code') ?? `status-${reply.status}`
}

export type AnswerSummary = Percentiles & { code: string; count: number }

/** Tries grouped by their answer, the most frequent first. */
export function summarise(tries: readonly Try[]): AnswerSummary[] {
  return [...Map.groupBy(tries, ({ code }) => code)]
    .map(([code, made]) => ({ code, count: made.length, ...percentiles(made.map(({ ms }) => ms)) }))
    .sort((a, b) => b.count - a.count)
}

/**
 * `tripMs`: from a request that leaves to its answer that arrives, without the time of the shop. `isHasty`: heeds no wait.
 * A person has `accounts`.
 */
export type Traits = { tripMs: number; isBot: boolean; isHasty: boolean; person: number; accounts: number }

/** A near, a usual and a far network; a third of all people have each. */
export const tripsMs = [5, 50, 200] as const

/** A hasty bot asks again after this and heeds no wait that the shop asks for: a hundred times as often as the page. */
const hastyPauseMs = 100

const botShare = 0.1

/** One person in twenty has five accounts, so about one account in five is of such a person. */
export const manyAccounts = 5
const manyShare = 0.05

/**
 * The traits of so many accounts; the accounts of a person are neighbours. A bot is hasty where the first click wins. A
 * mode that `keepsUnits` has one for each buyer, and the gate would refuse a hasty bot for ever once all places were taken (memory.ts of the gate).
 */
export function traitsOf(count: number, { keepsUnits }: { keepsUnits: boolean }, random: () => number): Traits[] {
  const all: Traits[] = []
  for (let person = 0; all.length < count; person += 1) {
    const tripMs = tripsMs[Math.floor(random() * tripsMs.length)] ?? tripsMs[0]
    const isBot = random() < botShare
    const wanted = random() < manyShare ? manyAccounts : 1
    const accounts = Math.min(wanted, count - all.length)
    const one: Traits = { tripMs, isBot, isHasty: isBot && !keepsUnits, person, accounts }
    for (let account = 0; account < accounts; account += 1) all.push(one)
  }
  return all
}
