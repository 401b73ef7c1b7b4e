/**
 * One virtual shopper. It behaves like a good page: one request, waits when asked to, the same
 * idempotency key for every retry, and no further request once the sale is sold out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShopperSession } from '../../cli/pass.ts'
import { isForLater } from '../../client/connection.ts'
import { type Percentiles, percentiles } from '../bench/statistics.ts'
import { type HttpReply, type HttpResult, numberMember, textMember } from './http.ts'

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

export type VirtualShopper = ShopperSession & { shopperId: string; key: string }

/** The codes of answers with a prize. */
export const winCodes = ['reserved', 'claimed', 'repeat'] as const

/** An answer with a prize; `prize` is undefined when the answer is malformed. */
export type Win<Prize> = { code: (typeof winCodes)[number]; prize: Prize | undefined }

/** A request for a prize, and how its answers are read. */
export type PrizeRequest<Prize> = {
  send(shopper: VirtualShopper): Promise<HttpResult>
  /** Undefined for an answer without a prize. */
  readWin(reply: HttpReply): Win<Prize> | undefined
  /** The shopper's prize, at the path that a refusal names; undefined when there is none. */
  lookUp(shopper: VirtualShopper, path: string): Promise<Prize | undefined>
  /** Chooses something else after a final refusal; false when there is nothing else. */
  chooseAgain?(shopper: VirtualShopper, refusal: HttpReply): boolean
}

export type ShopperOptions<Prize> = PrizeRequest<Prize> & {
  onTry(made: Try): void
  random(): number
  patienceMs: number
}

/**
 * Sends the request until the answer is final. A request without an answer is repeated unchanged,
 * so it cannot win twice; a refusal after one is followed to the shopper's orders or wallet.
 */
export async function shop<Prize>(
  shopper: VirtualShopper,
  options: ShopperOptions<Prize>,
): Promise<Ending<Prize>> {
  const deadline = performance.now() + options.patienceMs
  let inDoubt = false
  for (;;) {
    const { reply, ms } = await options.send(shopper)
    const win = reply && options.readWin(reply)
    const code = win?.code ?? codeOf(reply)
    options.onTry({ code, ms, at: performance.now(), isCounted: reply?.isCounted })
    if (win !== undefined) return endingOf(win)
    inDoubt = leavesDoubt(reply, inDoubt)
    if (reply !== undefined && !isForLater(code) && !isUnknown(reply)) {
      const path = textMember(reply.body, 'lookup')
      const prize = inDoubt && path !== undefined ? await options.lookUp(shopper, path) : undefined
      if (prize !== undefined) return { kind: 'won', prize }
      if (options.chooseAgain?.(shopper, reply)) continue
      return { kind: 'refused', code, remaining: numberMember(reply.body, 'remaining'), inDoubt }
    }
    const waitMs = (reply?.retryAfterSeconds ?? 1) * 1000 + options.random() * 500
    if (performance.now() + waitMs > deadline) return { kind: 'gave-up', inDoubt }
    await sleep(waitMs)
  }
}

function endingOf<Prize>({ prize }: Win<Prize>): Ending<Prize> {
  return prize === undefined
    ? { kind: 'refused', code: 'odd-answer', remaining: undefined, inDoubt: true }
    : { kind: 'won', prize }
}

/** An answer of the gate says nothing about an earlier request that a function received. */
function leavesDoubt(reply: HttpReply | undefined, before: boolean): boolean {
  if (reply === undefined) return true
  return reply.atGate ? before : reply.status >= 500
}

/** A 5xx without a code comes from the distribution: the request may have been executed. */
function isUnknown({ status, body }: HttpReply): boolean {
  return status >= 500 && textMember(body, 'code') === undefined
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
