/**
 * A click that was refused for sure, and what those need to know of any answer who care for
 * refusals only.
 */
import type { Reply } from '../lib/http.ts'

/**
 * `atGate`: the gate rejected the click, and no function has seen it. `code` may be newer than this
 * page. `lookup` is the path at which a shopper finds the result of an earlier try, where the
 * refusal names one; `variants` are those that it names as lacking units (N1).
 */
export type ClickRefusal = {
  kind: 'refused'
  code: string
  remaining: number
  retryAfterSeconds: number
  atGate: boolean
  lookup?: string | undefined
  variants?: readonly string[] | undefined
}

/** The answer to a click of any kind. */
export type Settled =
  | ClickRefusal
  | { kind: 'won' | 'gone' | 'unsure' | 'offline' }
  | { kind: 'busy'; retryAfterSeconds: number }

/** Reads a refusal. One without a known problem means only that the click had no effect. */
export function refusalOf({
  problem,
  retryAfterSeconds,
  atGate,
}: Extract<Reply, { kind: 'refused' }>): ClickRefusal {
  return {
    kind: 'refused',
    code: problem?.code ?? 'unavailable',
    remaining: problem?.remaining ?? 0,
    retryAfterSeconds: problem?.retryAfterSeconds ?? retryAfterSeconds ?? 0,
    atGate,
    lookup: problem?.lookup,
    variants: problem?.variants,
  }
}

/** Refusals that say that the page's pointer or start token is old. */
const outdating: readonly string[] = ['not-started', 'paused', 'ended', 'stale-page', 'unknown-sale']

/**
 * Whether the answer shows that the page should poll at once. Of a sale that is sold out the answer
 * itself says what is left, but not of the variants that it names, and the others say nothing of the
 * sale.
 */
export function outdatesPage(outcome: Settled): boolean {
  if (outcome.kind !== 'refused') return false
  return outdating.includes(outcome.code) || outcome.variants !== undefined
}

/**
 * The refusal of a click that was surely not carried out; a function that broke may have done so
 * all the same.
 */
export function sureRefusal(reply: Reply): ClickRefusal | undefined {
  if (reply.kind !== 'refused' || reply.problem === undefined) return undefined
  return reply.status < 500 || reply.atGate ? refusalOf(reply) : undefined
}
