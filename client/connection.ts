/** The calls of one client: with its session, its pass, the shop's clock, and the waits that the shop asks for. */
import { type Fetch, type Reply, type Sent, send } from './http.ts'
import type { Countdown, Pointer, Problem } from './types.ts'

export type ClientOptions = {
  /** The address of the shop, such as `https://shop.example`; empty for the page's own. */
  url: string
  /** The session token of the shopper, asked for with each call; undefined where a cookie has it. */
  token?: () => string | undefined | Promise<string | undefined>
  fetch?: Fetch
  /** Resolves after so many milliseconds. @throws when `signal` is aborted meanwhile */
  sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  /** From 0 up to 1. */
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

/** No answer came, however often it was asked for. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** A repeat may succeed, after a wait. */
const later: ReadonlySet<string> = new Set([
  ...['at-capacity', 'too-many-requests', 'unavailable', 'not-your-turn', 'not-started', 'paused'],
])

export const isForLater = (code: string): boolean => later.has(code)

export const passHeader = 'x-sluice-pass'

/** Reads are asked for again so often. */
const maxReads = 5

export type Connection = ReturnType<typeof connect>

export function connect({
  url,
  token = () => undefined,
  fetch = (input, init) => globalThis.fetch(input, init),
  sleep = wait,
  random = Math.random,
}: ClientOptions) {
  let pass: string | undefined
  /** What the shop's clock is ahead of ours, by the answer with the shortest way. */
  let clock = { offsetMs: 0, tripMs: Number.POSITIVE_INFINITY }

  async function ask(path: string, sent: Sent = {}): Promise<Reply> {
    // A token makes a read of another site's page ask first, and public objects need none.
    const bearer = path.startsWith('/api/') ? await token() : undefined
    const headers = { ...sent.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
    const reply = await send(fetch, url + path, { ...sent, headers })
    if (reply.kind === 'lost') return reply
    pass = reply.headers.get(passHeader) ?? pass
    const shown = Number(reply.headers.get('x-sluice-now') ?? Number.NaN)
    if (reply.kind === 'ok' && Number.isFinite(shown)) {
      const tripMs = reply.receivedAt - reply.sentAt
      if (tripMs <= clock.tripMs) clock = { tripMs, offsetMs: shown + tripMs / 2 - reply.receivedAt }
    }
    return reply
  }

  /** How long to wait for a repeat, ms, with some chance in it, so that not all come back at once. */
  function pauseAfter(reply: Exclude<Reply, { kind: 'ok' }>): number {
    if (reply.kind === 'lost') return 1000 + 1000 * random()
    const { problem, headers } = reply
    return 1000 * (problem.retryAfterSeconds ?? (Number(headers.get('retry-after')) || 1)) + 500 * random()
  }

  /**
   * Asks until there is an answer, `most` times. For calls that may be repeated.
   * @throws {Refused} {NoAnswer} and when `signal` is aborted
   */
  async function read<T>(path: string, sent: Sent = {}, most = maxReads): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const reply = await ask(path, sent)
      if (reply.kind === 'ok') return reply.body as T
      const mayHelp = reply.kind === 'lost' || isForLater(reply.problem.code)
      if (tries === most || !mayHelp)
        throw reply.kind === 'lost' ? new NoAnswer(`no answer to ${path}`) : new Refused(reply.problem)
      await sleep(pauseAfter(reply), sent.signal)
    }
  }

  const pointer = (saleId: string, signal?: AbortSignal, most?: number) =>
    read<Pointer>(`/sales/${saleId}/current.json`, { signal }, most)
  const countdownOf = ({ saleId, version }: Pointer, signal?: AbortSignal) =>
    read<Countdown>(`/sales/${saleId}/countdown.${version}.json`, { signal })

  return {
    ask,
    read,
    pauseAfter,
    sleep,
    random,
    pointer,
    countdownOf,
    async countdown(saleId: string, signal?: AbortSignal): Promise<Countdown> {
      return countdownOf(await pointer(saleId, signal), signal)
    },
    pass: () => pass,
    async getPass(signal?: AbortSignal, most?: number): Promise<string> {
      const { pass: fresh } = await read<{ pass: string }>('/api/pass', { signal }, most)
      pass = fresh
      return fresh
    },
    /** The shop's time, epoch ms, estimated from its answers. */
    now: () => Date.now() + clock.offsetMs,
  }
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
