/** Sends the requests of one client with its session and pass, retries them, and keeps the shop's clock. */

import { type FailedReply, type Fetch, type Reply, type ShopRequest, send } from './http.ts'
import { isRetryable, retryDelayMs } from './request-purchase.ts'
import type { Countdown, Pointer, Problem } from './types.ts'

export type ClientOptions = {
  /** The origin of the shop, such as `https://shop.example`; empty for the origin of the page. */
  url: string
  /** Returns the session token of the shopper for a call; undefined where a cookie carries the session. */
  token?: () => string | undefined | Promise<string | undefined>
  /** A pass that an earlier client received. */
  pass?: string | undefined
  fetch?: Fetch
  /** Resolves after `milliseconds`. @throws when `signal` is aborted */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** Returns a number in [0, 1). */
  random?: () => number
}

/** The shop refused a call; `problem` says why. */
export class Refused extends Error {
  override name = 'Refused'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** No answer came, even after retries. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

const passHeader = 'x-sluice-pass'

/** A request without an answer after this time counts as lost, ms. */
const deadlineMs = 8000

/** Requests for one read, the first included. */
const defaultRequests = 5

/** The two public files of a sale. */
export type SaleSnapshot = { pointer: Pointer; countdown: Countdown }

export type Connection = ReturnType<typeof connect>

export function connect({
  url,
  token = () => undefined,
  pass,
  fetch = (input, init) => globalThis.fetch(input, init),
  sleep = wait,
  random = Math.random,
}: ClientOptions) {
  /** How far the shop's clock is ahead of ours, from the answer with the shortest round trip. */
  let clock = { offsetMs: 0, tripMs: deadlineMs }

  /** Keeps the pass and the shop's time, which any answer may carry. */
  const trackingFetch: Fetch = async (input, init) => {
    const sentAt = Date.now()
    const answer = await fetch(input, init)
    const tripMs = Date.now() - sentAt
    const shown = Number(answer.headers.get('x-sluice-now'))
    if (shown && tripMs <= clock.tripMs) clock = { tripMs, offsetMs: shown - sentAt - tripMs / 2 }
    pass = answer.headers.get(passHeader) ?? pass
    return answer
  }

  async function request(path: string, sent: ShopRequest): Promise<Reply> {
    const { signal } = sent
    const deadline = deadlineWith(deadlineMs, signal)
    try {
      // Public objects need no token, and the header would cost a page of another site a preflight.
      const bearer = path.startsWith('/api/') ? await token() : undefined
      const headers = { ...sent.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
      return await send(trackingFetch, url + path, { ...sent, headers, signal: deadline.signal })
    } finally {
      deadline.clear()
      signal?.throwIfAborted()
    }
  }

  /** Sends an idempotent request up to `maxRequests` times, with the waits that the shop asks for. */
  async function withRetries(path: string, sent: ShopRequest = {}, maxRequests = defaultRequests): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await request(path, sent)
      const { problem } = reply
      if (reply.kind === 'ok' || tries === maxRequests || (problem && !isRetryable(problem.code))) return reply
      await sleep(retryDelayMs(reply, random()), sent.signal)
    }
  }

  /** @throws {Refused} {NoAnswer} and when `signal` is aborted */
  async function read<T>(path: string, sent?: ShopRequest, maxRequests?: number): Promise<T> {
    const reply = await withRetries(path, sent, maxRequests)
    if (reply.kind === 'ok') return reply.body as T
    throw reply.problem ? new Refused(reply.problem) : new NoAnswer(`no answer to ${path}`)
  }

  /** Returns the sale with its countdown, or the reply that failed. Reuses the countdown of `known` if it is current. */
  async function sale(
    saleId: string,
    signal?: AbortSignal,
    known?: SaleSnapshot,
    maxRequests?: number,
  ): Promise<SaleSnapshot | FailedReply> {
    const pointed = await withRetries(`/sales/${saleId}/current.json`, { signal }, maxRequests)
    if (pointed.kind !== 'ok') return pointed
    const pointer = pointed.body as Pointer
    const { version } = pointer
    if (known?.pointer.version === version) return { pointer, countdown: known.countdown }
    const counted = await withRetries(`/sales/${saleId}/countdown.${version}.json`, { signal })
    return counted.kind === 'ok' ? { pointer, countdown: counted.body as Countdown } : counted
  }

  return {
    click: (path: string, sent: ShopRequest) =>
      request(path, pass === undefined ? sent : { ...sent, headers: { ...sent.headers, [passHeader]: pass } }),
    withRetries,
    read,
    sleep,
    random,
    sale,
    /** Returns the start token, or the reply that says why there is none. */
    async startToken(saleId: string, signal?: AbortSignal): Promise<string | FailedReply> {
      const seen = await sale(saleId, signal)
      return 'kind' in seen ? seen : (seen.countdown.startToken ?? notStarted)
    },
    getPass: async (signal?: AbortSignal, maxRequests?: number) =>
      (await read<{ pass: string }>('/api/pass', { signal }, maxRequests)).pass,
    /** Returns the shop's time, epoch ms, estimated from its answers. */
    now: () => Date.now() + clock.offsetMs,
  }
}

const notStarted: FailedReply = {
  ...{ kind: 'refused', status: 425, atGate: true, retryAfterSeconds: undefined },
  problem: {
    ...{ type: 'urn:sluice:problem:not-started', title: 'The sale has not started', status: 425 },
    ...{ code: 'not-started', detail: 'The sale has not started.' },
  },
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { signal: over, clear } = deadlineWith(milliseconds, signal)
  if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve))
  clear()
  signal?.throwIfAborted()
}

/** Aborts after `milliseconds` or with `signal`. Some phones lack `AbortSignal.any`. */
function deadlineWith(milliseconds: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, milliseconds)
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    },
  }
}
