/**
 * One virtual shopper. It behaves like a person with a decent page: one click, patience when told to wait,
 * the same idempotency key for the same wish, and it goes home when the sale is sold out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, numberOf, type Reply, textOf } from './http.ts'

/**
 * What became of a shopper. `gave-up` is one whose patience ended without an answer that settles anything. `inDoubt`: a try
 * may have won whose answer was lost.
 */
export type Ending<Prize> =
  | { kind: 'won'; prize: Prize }
  | { kind: 'refused'; code: string; remaining: number | undefined; inDoubt: boolean }
  | { kind: 'gave-up'; inDoubt: boolean }

/** One try: the click and what came back. `code` is the problem's code, that of a win, or `no-answer`. */
export type Try = { code: string; ms: number }

export type Shopper = { shopperId: string; token: string; key: string }

/** An answer that hands something out; `prize` is undefined when what it says makes no sense. */
export type Win<Prize> = { code: 'reserved' | 'claimed' | 'repeat'; prize: Prize | undefined }

/** What a crowd comes for: a request, and how its answers are read. */
export type Door<Prize> = {
  click(shopper: Shopper): Promise<Answer>
  /** Undefined for an answer that hands out nothing. */
  readWin(reply: Reply): Win<Prize> | undefined
  /** What the shopper has by now, at the path that a refusal names; undefined when that is nothing. */
  lookUp(shopper: Shopper, path: string): Promise<Prize | undefined>
}

export type Wish<Prize> = Door<Prize> & {
  onTry(made: Try): void
  random(): number
  patienceMs: number
}

const waitWorthCodes = new Set(['at-capacity', 'too-many-requests', 'unavailable', 'not-started', 'paused'])

/**
 * Clicks until the answer is final. An unknown outcome is asked again in the same words, so it cannot win twice; a refusal after
 * one is followed to where it says what was won.
 */
export async function shop<Prize>(shopper: Shopper, wish: Wish<Prize>): Promise<Ending<Prize>> {
  const deadline = performance.now() + wish.patienceMs
  let inDoubt = false
  for (;;) {
    const { reply, ms } = await wish.click(shopper)
    const win = reply && wish.readWin(reply)
    const code = win?.code ?? codeOf(reply)
    wish.onTry({ code, ms })
    if (win !== undefined) return endingOf(win)
    inDoubt = leavesDoubt(reply, inDoubt)
    if (reply !== undefined && !waitWorthCodes.has(code) && !isUnknown(reply)) {
      const path = textOf(reply.body, 'lookup')
      const prize = inDoubt && path !== undefined ? await wish.lookUp(shopper, path) : undefined
      if (prize !== undefined) return { kind: 'won', prize }
      return { kind: 'refused', code, remaining: numberOf(reply.body, 'remaining'), inDoubt }
    }
    const waitMs = (reply?.retryAfterSeconds ?? 1) * 1000 + wish.random() * 500
    if (performance.now() + waitMs > deadline) return { kind: 'gave-up', inDoubt }
    await sleep(waitMs)
  }
}

function endingOf<Prize>({ prize }: Win<Prize>): Ending<Prize> {
  return prize === undefined
    ? { kind: 'refused', code: 'odd-answer', remaining: undefined, inDoubt: true }
    : { kind: 'won', prize }
}

/** The gate knows nobody's prizes: what it says tells nothing of an earlier try that went past it. */
function leavesDoubt(reply: Reply | undefined, before: boolean): boolean {
  if (reply === undefined) return true
  return reply.atGate ? before : reply.status >= 500
}

/** What a distribution says for an origin that did not answer: the click may have been carried out. */
function isUnknown({ status, body }: Reply): boolean {
  return status >= 500 && textOf(body, 'code') === undefined
}

function codeOf(reply: Reply | undefined): string {
  if (reply === undefined) return 'no-answer'
  return textOf(reply.body, 'code') ?? `status-${reply.status}`
}
