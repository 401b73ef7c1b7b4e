/**
 * Sends one request for a purchase or a claim, and tells whether a retry may succeed. The caller retries: the client by
 * itself, a page of the shop when the shopper clicks again.
 */
import type { FailedReply, Reply, ShopRequest } from './http.ts'
import type { Problem } from './types.ts'

/** The requests that a click sends. */
export type ShopClient = {
  /** Sends a click once, with the pass. */
  click(path: string, sent: ShopRequest): Promise<Reply>
  /** Sends an idempotent request, with the retries of the caller, if any. */
  withRetries(path: string, sent: ShopRequest): Promise<Reply>
}

/**
 * The caller makes a `key` for each purchase and sends the same one with each retry. A claim has no key, because a
 * shopper has one packet in a sale. `read` parses an answer; it returns undefined when the answer has no result.
 */
export type PurchaseRequest<Result> = {
  path: string
  body: object
  key?: string | undefined
  read: (body: unknown, status: number) => Result | undefined
  signal?: AbortSignal | undefined
}

/**
 * Sends the click. Gets a pass and sends it again when the pass was missing or invalid.
 * @throws when `signal` is aborted
 */
export async function requestPurchase<Result>(
  shop: ShopClient,
  { path, body, key, read, signal }: PurchaseRequest<Result>,
): Promise<{ kind: 'ok'; result: Result } | FailedReply> {
  for (let gotPass = false; ; gotPass = true) {
    const reply = await shop.click(path, { body, headers: key ? { 'idempotency-key': key } : {}, signal })
    if (reply.kind === 'ok') {
      const result = read(reply.body, reply.status)
      return result === undefined ? { kind: 'lost' } : { kind: 'ok', result }
    }
    const { code, field } = definiteProblem(reply) ?? {}
    if (gotPass || code !== 'sign-in-required' || field !== 'pass') return reply
    const passReply = await shop.withRetries('/api/pass', { signal })
    if (passReply.kind !== 'ok') return passReply
  }
}

/**
 * Returns the problem of a request that certainly had no effect. A status of 500 or more proves nothing unless the gate
 * sent it: a function may fail after its script has reserved units.
 */
export const definiteProblem = ({ status = 500, atGate, problem }: FailedReply): Problem | undefined =>
  status < 500 || atGate ? problem : undefined

/** Problems after which a retry may succeed. */
const retryable = /^(?:at-capacity|too-many-requests|unavailable|not-your-turn|not-started|paused)$/

export const isRetryable = (code: string): boolean => retryable.test(code)

/** Returns how long to wait before a retry, ms, with jitter. `random` is in [0, 1). */
export const retryDelayMs = ({ problem, retryAfterSeconds = 1 }: FailedReply, random: number): number =>
  1000 * (problem?.retryAfterSeconds ?? retryAfterSeconds) + (problem ? 500 : 1000) * random
