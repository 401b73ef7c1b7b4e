/**
 * One try of a click, and whether another may succeed. The caller repeats it: a program by itself, a page of the shop when
 * the shopper clicks again.
 */
import type { Reply, Sent, Unanswered } from './http.ts'
import type { Problem } from './types.ts'

/** What a click needs of a connection. */
export type Shop = {
  /** Sends a click, with what this client adds to each. */
  click(path: string, sent: Sent): Promise<Reply>
  /** Repeats what may be repeated until there is an answer, as often as this client does. */
  often(path: string, sent: Sent): Promise<Reply>
}

/**
 * The caller makes a `key` for each purchase and sends it with each repeat; a claim has none, because a shopper has one
 * in a sale. `read` makes a prize of an answer; undefined for an answer without one.
 */
export type Attempt<Prize> = {
  path: string
  body: object
  key?: string | undefined
  read: (body: unknown, status: number) => Prize | undefined
  signal?: AbortSignal | undefined
}

/**
 * Sends the click; sends it once more when only the pass was missing or invalid.
 * @throws when `signal` is aborted
 */
export async function attempt<Prize>(
  shop: Shop,
  { path, body, key, read, signal }: Attempt<Prize>,
): Promise<{ kind: 'ok'; prize: Prize } | Unanswered> {
  for (let hadPass = false; ; hadPass = true) {
    const reply = await shop.click(path, { body, headers: key ? { 'idempotency-key': key } : {}, signal })
    if (reply.kind === 'ok') {
      const prize = read(reply.body, reply.status)
      return prize === undefined ? { kind: 'lost' } : { kind: 'ok', prize }
    }
    const { code, field } = sureProblem(reply) ?? {}
    if (hadPass || code !== 'sign-in-required' || field !== 'pass') return reply
    const given = await shop.often('/api/pass', { signal })
    if (given.kind !== 'ok') return given
  }
}

/** The problem of a request that surely had no effect: a function may fail after the script has taken units. */
export const sureProblem = ({ status = 500, atGate, problem }: Unanswered): Problem | undefined =>
  status < 500 || atGate ? problem : undefined

/** A repeat may succeed, after a wait. */
const later = /^(?:at-capacity|too-many-requests|unavailable|not-your-turn|not-started|paused)$/

export const isForLater = (code: string): boolean => later.test(code)

/**
 * How long to wait for a repeat, ms, with some chance in it, so that not all come back at once; `random` is from 0 up
 * to 1.
 */
export const pauseAfter = ({ problem, retryAfterSeconds = 1 }: Unanswered, random: number): number =>
  1000 * (problem?.retryAfterSeconds ?? retryAfterSeconds) + (problem ? 500 : 1000) * random
