/**
 * One virtual shopper. It behaves like a person with a decent page: one click, patience when told to wait,
 * the same idempotency key for the same wish, and it goes home when the sale is sold out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, memberOf, type Reply } from './http.ts'

/** What became of a shopper. `gave-up` is one whose patience ended without an answer that settles anything. */
export type Ending =
  | { kind: 'won'; orderId: string; quantity: number }
  | { kind: 'refused'; code: string; remaining: number | undefined }
  | { kind: 'gave-up' }

/** One try: the click and what came back. `code` is the problem's code, `reserved`, `repeat` or `no-answer`. */
export type Try = { code: string; ms: number }

export type Shopper = { shopperId: string; token: string; key: string }

export type Wish = {
  click(shopper: Shopper): Promise<Answer>
  onTry(made: Try): void
  random(): number
  patienceMs: number
}

const waitWorthCodes = new Set(['too-many-requests', 'unavailable', 'not-started', 'paused'])

/** Clicks until the answer is final. An unknown outcome is asked again under the same key, so it cannot buy twice. */
export async function shop(shopper: Shopper, wish: Wish): Promise<Ending> {
  const deadline = performance.now() + wish.patienceMs
  for (;;) {
    const { reply, ms } = await wish.click(shopper)
    const code = codeOf(reply)
    wish.onTry({ code, ms })
    if (reply !== undefined && (code === 'reserved' || code === 'repeat')) return wonBy(reply)
    if (reply !== undefined && !waitWorthCodes.has(code) && !isUnknown(reply)) {
      return { kind: 'refused', code, remaining: numberOf(reply.body, 'remaining') }
    }
    const waitMs = (reply?.retryAfterSeconds ?? 1) * 1000 + wish.random() * 500
    if (performance.now() + waitMs > deadline) return { kind: 'gave-up' }
    await sleep(waitMs)
  }
}

/** What a distribution says for an origin that did not answer: the click may have been carried out. */
function isUnknown({ status, body }: Reply): boolean {
  return status >= 500 && textOf(body, 'code') === undefined
}

function codeOf(reply: Reply | undefined): string {
  if (reply === undefined) return 'no-answer'
  if (reply.status === 202) return 'reserved'
  if (reply.status === 200) return 'repeat'
  return textOf(reply.body, 'code') ?? `status-${reply.status}`
}

function wonBy(reply: Reply): Ending {
  const orderId = textOf(reply.body, 'orderId')
  const quantity = numberOf(reply.body, 'quantity')
  if (orderId === undefined || quantity === undefined)
    return { kind: 'refused', code: 'odd-answer', remaining: undefined }
  return { kind: 'won', orderId, quantity }
}

function textOf(body: unknown, name: string): string | undefined {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}

function numberOf(body: unknown, name: string): number | undefined {
  const value = memberOf(body, name)
  return typeof value === 'number' ? value : undefined
}
