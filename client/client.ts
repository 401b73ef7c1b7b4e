/**
 * A client of the shop's API for shoppers. It keeps what a purchase needs: the start token of the sale, the pass, the
 * key that makes a repeat harmless, the waits that the shop asks for, and the look-up after a lost answer.
 */
import { type Fetch, type Reply, type Sent, send } from './http.ts'
import type { Countdown, Order, OrderPage, Pointer, Problem } from './types.ts'

export type * from './types.ts'

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

/** Either `quantity` units, or in a sale with variants a `basket` of them by their ids. */
export type Wanted = { quantity?: number; basket?: Readonly<Record<string, number>> }

export type BuyOptions = Wanted & {
  /** Names this purchase; one is made unless it is given. */
  key?: string
  /** Of an earlier call with the same `key` that ended `unsure`: what it may have bought is looked for. */
  since?: number
  /** The solved challenge, in a sale that asks for one. */
  challenge?: string
  /** How long the shop's “later” is obeyed, in ms; a minute unless given. */
  patienceMs?: number
  signal?: AbortSignal
}

/**
 * `won`: the units are the shopper's. `gone`: an earlier request with the key won, and that order has ended since.
 * `refused`: nothing was bought, and `problem` says why. `unsure`: no answer came and the look-up failed as well; buy
 * again with the same `key` and `since`, also after a restart.
 */
export type Purchase =
  | { kind: 'won'; orderId: string; quantity: number; repeat: boolean; key: string }
  | { kind: 'gone'; orderId: string; key: string }
  | { kind: 'refused'; problem: Problem; key: string }
  | { kind: 'unsure'; key: string; since: number }

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

export type Client = ReturnType<typeof createClient>

/** A repeat may succeed, after a wait. */
const later: ReadonlySet<string> = new Set([
  ...['at-capacity', 'too-many-requests', 'unavailable', 'not-your-turn', 'not-started', 'paused'],
])

/** Statuses that nothing follows. */
const ended: ReadonlySet<string> = new Set(['cancelled', 'rejected', 'refunded', 'delivered'])
const held: ReadonlySet<string> = new Set([
  ...['reserved', 'awaiting-payment', 'paid', 'fulfilled', 'shipped', 'delivered'],
])

const passHeader = 'x-sluice-pass'

/** Clocks of shop and client agree to well within this. */
const slackMs = 3000

/** Reads are asked for again so often. */
const maxReads = 5

export function createClient({
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
    const bearer = await token()
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

  /** Milliseconds that a refusal asks for, with some chance in it, so that not all come back at once. */
  const pauseOf = ({ problem: { retryAfterSeconds }, headers }: Extract<Reply, { kind: 'refused' }>) =>
    1000 * (retryAfterSeconds ?? (Number(headers.get('retry-after')) || 1)) + 500 * random()

  /**
   * Asks until there is an answer. For calls without a second effect.
   * @throws {Refused} {NoAnswer} and when `signal` is aborted
   */
  async function read<T>(path: string, sent: Sent = {}): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const reply = await ask(path, sent)
      if (reply.kind === 'ok') return reply.body as T
      const mayHelp = reply.kind === 'lost' || later.has(reply.problem.code)
      if (tries >= maxReads || !mayHelp) {
        throw reply.kind === 'lost' ? new NoAnswer(`no answer to ${path}`) : new Refused(reply.problem)
      }
      await sleep(reply.kind === 'lost' ? 500 * tries + 500 * random() : pauseOf(reply), sent.signal)
    }
  }

  const pointer = (saleId: string, signal?: AbortSignal) =>
    read<Pointer>(`/sales/${saleId}/current.json`, { signal })

  async function countdown(saleId: string, signal?: AbortSignal): Promise<Countdown> {
    const { version } = await pointer(saleId, signal)
    return read<Countdown>(`/sales/${saleId}/countdown.${version}.json`, { signal })
  }

  /** Gets the pass early, so that the first click need not wait for it. */
  async function getPass(signal?: AbortSignal): Promise<string> {
    const { pass: fresh } = await read<{ pass: string }>('/api/pass', { signal })
    pass = fresh
    return fresh
  }

  /** Resolves with the start token once the sale has opened. @throws when `signal` is aborted */
  async function whenOpen(saleId: string, signal?: AbortSignal): Promise<string> {
    for (;;) {
      const { startToken, startsAt } = await countdown(saleId, signal)
      const left = startsAt - now()
      if (startToken !== undefined && left <= 0) return startToken
      await sleep(Math.min(Math.max(left, 1000 + 500 * random()), 5000), signal)
    }
  }

  /** The shop's time, epoch ms, as well as its answers have told. */
  const now = () => Date.now() + clock.offsetMs

  /** The newest order of the sale since then that holds units, or else the newest one. */
  async function ownOrder(path: string, saleId: string, since: number, signal: AbortSignal | undefined) {
    const { orders } = await read<OrderPage>(path, { signal })
    const recent = orders.filter((one) => one.saleId === saleId && one.reservedAt >= since - slackMs)
    return recent.find(({ status }) => held.has(status)) ?? recent[0]
  }

  /**
   * Buys. However many answers are lost, it buys at most once: every try has the same key.
   * @throws when `signal` is aborted; the outcome is open then
   */
  async function buy(saleId: string, options: BuyOptions = {}): Promise<Purchase> {
    const { quantity = 1, basket, challenge, signal, patienceMs = 60_000 } = options
    const { key = newKey() } = options
    const since = options.since ?? now()
    const until = Date.now() + patienceMs
    let startToken: string | undefined
    /** A request that may have won has no answer. */
    let inDoubt = options.since !== undefined
    let isFresh = false

    const settle = async (otherwise: Purchase, path = `/api/orders?sale=${saleId}`): Promise<Purchase> => {
      if (!inDoubt) return otherwise
      try {
        const order = await ownOrder(path, saleId, since, signal)
        if (order === undefined) return otherwise
        const { orderId, quantity: units } = order
        if (held.has(order.status)) return { kind: 'won', orderId, quantity: units, repeat: true, key }
        return otherwise.kind === 'unsure' ? { kind: 'gone', orderId, key } : otherwise
      } catch (failure) {
        if (failure instanceof NoAnswer || failure instanceof Refused) return { kind: 'unsure', key, since }
        throw failure
      }
    }

    const purchase = async (): Promise<Purchase> => {
      for (;;) {
        if (startToken === undefined) {
          const seen = await countdown(saleId, signal)
          startToken = seen.startToken ?? ''
          if (startToken === '') return settle({ kind: 'refused', problem: notStarted(now()), key })
        }
        const reply = await ask(`/api/sales/${saleId}/orders`, {
          body: {
            ...(basket ? { basket } : { quantity }),
            startToken,
            ...(challenge !== undefined && { challenge }),
          },
          headers: { 'idempotency-key': key, ...(pass !== undefined && { [passHeader]: pass }) },
          signal,
        })
        if (reply.kind === 'ok') {
          const {
            orderId,
            status,
            quantity: units,
          } = reply.body as { orderId: string; status: string; quantity: number }
          if (status === 'cancelled') return { kind: 'gone', orderId, key }
          return { kind: 'won', orderId, quantity: units, repeat: reply.status === 200, key }
        }
        let waitMs: number
        if (reply.kind === 'lost') {
          inDoubt = true
          waitMs = 1000 + 1000 * random()
        } else {
          const { problem } = reply
          // A function that fails may have bought before.
          if (reply.status >= 500 && !reply.atGate) inDoubt = true
          if (problem.code === 'sign-in-required' && problem.field === 'pass' && !isFresh) {
            isFresh = true
            await getPass(signal)
            continue
          }
          if (problem.code === 'stale-page') {
            const seen: Countdown = await countdown(saleId, signal)
            if (seen.startToken !== undefined && seen.startToken !== startToken) {
              startToken = seen.startToken
              continue
            }
          }
          if (!later.has(problem.code)) return settle({ kind: 'refused', problem, key }, problem.lookup)
          waitMs = pauseOf(reply)
          if (Date.now() + waitMs > until) return settle({ kind: 'refused', problem, key }, problem.lookup)
        }
        if (Date.now() + waitMs > until) return settle({ kind: 'unsure', key, since })
        await sleep(waitMs, signal)
      }
    }
    try {
      return await purchase()
    } catch (failure) {
      if (failure instanceof Refused) return settle({ kind: 'refused', problem: failure.problem, key })
      if (failure instanceof NoAnswer) return settle({ kind: 'unsure', key, since })
      throw failure
    }
  }

  const order = (orderId: string, signal?: AbortSignal) => read<Order>(`/api/orders/${orderId}`, { signal })

  /** The order now, and again whenever it has changed, until nothing can follow. */
  async function* changes(orderId: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
    let before = ''
    let idleMs = 1000
    for (;;) {
      const seen = await order(orderId, signal)
      const text = JSON.stringify(seen)
      if (text !== before) yield seen
      idleMs = text === before ? Math.min(2 * idleMs, 15_000) : 1000
      before = text
      if (ended.has(seen.status)) return
      await sleep(idleMs + 500 * random(), signal)
    }
  }

  /** The shopper's orders, newest first, each once. */
  async function* orders(saleId?: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
    const known = new Set<string>()
    for (let after: string | null | undefined; after !== null; ) {
      const query = new URLSearchParams({ ...(saleId && { sale: saleId }), ...(after && { after }) })
      const page: OrderPage = await read(`/api/orders${query.size > 0 ? `?${query}` : ''}`, { signal })
      for (const one of page.orders) if (!known.has(one.orderId)) yield one
      for (const { orderId } of page.orders) known.add(orderId)
      after = page.next
    }
  }

  return {
    pointer,
    countdown,
    whenOpen,
    now,
    getPass,
    buy,
    order,
    orders,
    changes,
    /** Where to pay. Repeating it is safe: while a payment is under way it gives the same page. */
    pay: (orderId: string, signal?: AbortSignal) =>
      read<{ url: string; paymentId: string }>(`/api/orders/${orderId}/pay`, { body: {}, signal }),
    /** Cancels an order that is not paid; repeating it is safe. */
    cancel: (orderId: string, signal?: AbortSignal) =>
      read<Order>(`/api/orders/${orderId}/cancel`, { body: {}, signal }),
  }
}

const newKey = () => crypto.randomUUID()

const notStarted = (now: number): Problem => ({
  ...{ type: 'urn:sluice:problem:not-started', title: 'The sale has not started', status: 425 },
  ...{ code: 'not-started', detail: 'The sale has not started.', now },
})

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
