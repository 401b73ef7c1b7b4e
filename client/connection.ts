/** The calls of one client: with its session, its pass, the shop's clock, and the waits that the shop asks for. */
import { isForLater, pauseAfter } from './attempt.ts'
import { type Fetch, type Reply, type Sent, send, type Unanswered } from './http.ts'
import type { Countdown, Pointer, Problem } from './types.ts'

export type ClientOptions = {
  /** The address of the shop, such as `https://shop.example`; empty for the page's own. */
  url: string
  /** The session token of the shopper, asked for with each call; undefined where a cookie has it. */
  token?: () => string | undefined | Promise<string | undefined>
  /** A pass from before. */
  pass?: string | undefined
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

const passHeader = 'x-sluice-pass'

/** A request later than this counts as lost. */
const deadlineMs = 8000

/** Reads are asked for again so often. */
const maxReads = 5

/** The public facts of a sale. */
export type Seen = { pointer: Pointer; countdown: Countdown }

export type Connection = ReturnType<typeof connect>

export function connect({
  url,
  token = () => undefined,
  pass,
  fetch = (input, init) => globalThis.fetch(input, init),
  sleep = wait,
  random = Math.random,
}: ClientOptions) {
  /** How far the shop's clock is ahead of ours, by the answer with the shortest way. */
  let clock = { offsetMs: 0, tripMs: deadlineMs }

  /** Any answer may have a new pass and the shop's time. */
  const taking: Fetch = async (input, init) => {
    const sentAt = Date.now()
    const answer = await fetch(input, init)
    const tripMs = Date.now() - sentAt
    const shown = Number(answer.headers.get('x-sluice-now'))
    if (shown && tripMs <= clock.tripMs) clock = { tripMs, offsetMs: shown - sentAt - tripMs / 2 }
    pass = answer.headers.get(passHeader) ?? pass
    return answer
  }

  async function ask(path: string, sent: Sent): Promise<Reply> {
    const { signal } = sent
    const deadline = deadlineWith(deadlineMs, signal)
    try {
      // A token makes a read of another site's page ask first, and public objects need none.
      const bearer = path.startsWith('/api/') ? await token() : undefined
      const headers = { ...sent.headers, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) }
      return await send(taking, url + path, { ...sent, headers, signal: deadline.signal })
    } finally {
      deadline.clear()
      signal?.throwIfAborted()
    }
  }

  /** Asks until there is an answer, `most` times. For calls that may be repeated. */
  async function often(path: string, sent: Sent = {}, most = maxReads): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await ask(path, sent)
      const { problem } = reply
      if (reply.kind === 'ok' || tries === most || (problem && !isForLater(problem.code))) return reply
      await sleep(pauseAfter(reply, random()), sent.signal)
    }
  }

  /** @throws {Refused} {NoAnswer} and when `signal` is aborted */
  async function read<T>(path: string, sent?: Sent, most?: number): Promise<T> {
    const reply = await often(path, sent, most)
    if (reply.kind === 'ok') return reply.body as T
    throw reply.problem ? new Refused(reply.problem) : new NoAnswer(`no answer to ${path}`)
  }

  /** The sale with its countdown, read anew unless it is the one of `known`; or the answer that says why not. */
  async function sale(saleId: string, signal?: AbortSignal, known?: Seen, most?: number): Promise<Seen | Unanswered> {
    const pointed = await often(`/sales/${saleId}/current.json`, { signal }, most)
    if (pointed.kind !== 'ok') return pointed
    const pointer = pointed.body as Pointer
    const { version } = pointer
    if (known?.pointer.version === version) return { pointer, countdown: known.countdown }
    const counted = await often(`/sales/${saleId}/countdown.${version}.json`, { signal })
    return counted.kind === 'ok' ? { pointer, countdown: counted.body as Countdown } : counted
  }

  return {
    click: (path: string, sent: Sent) =>
      ask(path, pass === undefined ? sent : { ...sent, headers: { ...sent.headers, [passHeader]: pass } }),
    often,
    read,
    sleep,
    random,
    sale,
    /** The start token, or the answer that says why there is none. */
    async startToken(saleId: string, signal?: AbortSignal): Promise<string | Unanswered> {
      const seen = await sale(saleId, signal)
      return 'kind' in seen ? seen : (seen.countdown.startToken ?? notStarted)
    },
    getPass: async (signal?: AbortSignal, most?: number) =>
      (await read<{ pass: string }>('/api/pass', { signal }, most)).pass,
    /** The shop's time, epoch ms, estimated from its answers. */
    now: () => Date.now() + clock.offsetMs,
  }
}

const notStarted: Unanswered = {
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

/** Aborts at the deadline or with `signal`. `AbortSignal.any` is too new for some phones. */
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
