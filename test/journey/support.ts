/**
 * Shared by the journeys: one running system, a marketer who opens a sale in it, and shoppers who
 * buy. All requests go through the front, like a browser's.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetchPass, localToken, sessionHeaders } from '../../cli/control-client.ts'
import type { OrderView } from '../../core/api/shop.ts'
import type { Problem } from '../../core/outcome.ts'
import type { Countdown, Pointer } from '../../core/sale/pointer.ts'
import type { EdgeSide, Stack } from '../../local/stack.ts'
import { type Fleet, type FleetRequest as GateCall, openFleet } from '../../proof/bench/fleet/fleet.ts'

export type Answer<T = unknown> = {
  status: number
  headers: Headers
  body: T & Partial<Omit<Problem, 'status' | 'remaining'>>
}

/** A running system as these helpers need it: in this process, or in one of its own. */
export type Shop = Pick<Stack, 'url' | 'token'>

/** The system that runs at `url`. */
export function shopAt(url: string): Shop {
  return { url, token: (shopperId, options) => localToken(url, shopperId, options?.roles) }
}

export type Won = { orderId: string; status: string; quantity: number; remaining: number }

export type ShopRequest = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** One HTTP call through the front; the body is parsed when it is JSON. */
export async function call<T>(
  stack: Shop,
  path: string,
  { method, token, body, headers }: ShopRequest = {},
): Promise<Answer<T>> {
  const response = await fetch(stack.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
}

function newSaleId(): string {
  return `sale-${randomUUID().slice(0, 8)}`
}

/** A valid definition that starts now; `change` overrides any field. */
export function definition(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    saleId: newSaleId(),
    kind: 'goods',
    title: 'Stoneware mug',
    description: 'Ten of them, and no more.',
    pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
    price: 10,
    currency: 'CNY',
    stock: 10,
    limitPerShopper: 1,
    maxPerOrder: 1,
    startsAt: Date.now() - 1000,
    endsAt: Date.now() + 3_600_000,
    throttle: { perShopper: { limit: 1000, windowSeconds: 60 } },
    ...change,
  }
}

/**
 * Pays on the page of the simulated provider, as the shopper's browser would. Retries while the shop is busy.
 * @throws when the page does not lead back
 */
export async function payOnPage(stack: Shop, orderId: string, token: string): Promise<void> {
  const pay = () => call<{ url: string }>(stack, `/api/orders/${orderId}/pay`, { token, body: {} })
  const { body } = await untilAnswered(pay)
  const answer = await fetch(new URL(body.url, stack.url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: stack.url },
    body: 'choice=pay',
    redirect: 'manual',
  })
  if (answer.status !== 303) throw new Error(`the payment page answered ${answer.status}`)
}

/** Repeats a request while the shop is at capacity or unavailable, and returns the answer. */
export const untilAnswered = <T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> =>
  eventually(async () => {
    const answer = await ask()
    const { code } = answer.body
    return code === 'at-capacity' || code === 'unavailable' ? undefined : answer
  })

/**
 * Sends a marketer's call of `/api/control`, and retries while a part is unavailable, as on a busy machine. A change of
 * the stock is not retried: without a key it would count twice.
 * @throws when it is rejected
 */
export async function control<T = unknown>(stack: Shop, path: string, body?: unknown, method?: string): Promise<T> {
  const token = await stack.token('marketer', { roles: ['marketer'] })
  const request = { token, ...(body !== undefined && { body }), ...(method !== undefined && { method }) }
  const ask = () => call<T>(stack, `/api/control${path}`, request)
  const answer = await (path.endsWith('/stock') ? ask() : untilAnswered(ask))
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Creates a sale, calls its actions in order, and returns its id. */
export async function createSale(
  stack: Shop,
  change: Record<string, unknown> = {},
  ...steps: readonly string[]
): Promise<string> {
  const { saleId, ...sale } = definition(change)
  await control(stack, '/sales', { saleId, ...sale })
  for (const step of steps) await control(stack, `/sales/${saleId}/${step}`, {})
  return String(saleId)
}

/** Creates a sale and starts it; returns its id and start token, or the armed token of one that waits for its time. */
export async function openSale(
  stack: Shop,
  change: Record<string, unknown> = {},
): Promise<{ saleId: string; startToken: string }> {
  const saleId = await createSale(stack, change, 'start')
  return { saleId, startToken: await parameterOf(stack, saleId) }
}

export async function pointerOf(stack: Shop, saleId: string): Promise<Pointer> {
  return (await call<Pointer>(stack, `/sales/${saleId}/current.json`)).body as Pointer
}

/** The countdown object that the page would import, found like the page does: by the pointer's `src`. */
export async function countdownOf(stack: Shop, src: string): Promise<Countdown> {
  const source = await (await fetch(stack.url + src)).text()
  return JSON.parse(source.replace('export const countdown = ', '')) as Countdown
}

/**
 * Returns the start token of the public countdown; before the start time it is one that counts for 10 s from the start
 * (C6).
 */
async function parameterOf(stack: Shop, saleId: string): Promise<string> {
  return eventually(async () => (await presentCountdown(stack, saleId)).startToken)
}

/** Waits until the public countdown has started and returns its token, which counts until the sale ends. */
export async function startTokenOf(stack: Shop, saleId: string): Promise<string> {
  return eventually(async () => {
    const { started, startToken } = await presentCountdown(stack, saleId)
    return started ? startToken : undefined
  })
}

/** The countdown that the pointer names. */
export const presentCountdown = async (stack: Shop, saleId: string): Promise<Countdown> =>
  countdownOf(stack, (await pointerOf(stack, saleId)).src)

const passes = new Map<string, Promise<string | undefined>>()

/** The pass for a session, fetched once; again where there was no answer. */
export function passOf(stack: Shop, token: string): Promise<string | undefined> {
  const known = passes.get(token) ?? fetchPass(stack.url, token)
  passes.set(token, known)
  known.catch(() => passes.delete(token))
  return known
}

/** A click with the pass of its shopper. */
export async function click<T>(
  stack: Shop,
  path: string,
  request: ShopRequest & { token: string },
): Promise<Answer<T>> {
  const { token, headers } = request
  const session = { token, pass: await passOf(stack, token) }
  return call<T>(stack, path, { ...request, headers: { ...sessionHeaders(session), ...headers } })
}

export type Buy = {
  token: string
  quantity?: unknown
  variant?: string
  startToken?: unknown
  key?: string
  challenge?: string | undefined
  /** Cookies that an answer has set for a shopper on the list of the sale. */
  cookies?: string | undefined
}

export function buy(
  stack: Shop,
  saleId: string,
  { token, quantity = 1, variant, startToken, key, challenge, cookies }: Buy,
): Promise<Answer<Won>> {
  return click<Won>(stack, `/api/sales/${saleId}/orders`, {
    token,
    body: { quantity, variant, startToken, challenge },
    headers: { ...(key && { 'idempotency-key': key }), ...(cookies && { cookie: cookies }) },
  })
}

/** Instances of the deployed gate, each with a memory of its own and each to be called by itself. */
export function openInstances(edge: EdgeSide, count: number): Promise<Fleet[]> {
  return Promise.all(Array.from({ length: count }, () => openFleet(edge, 1, () => 0)))
}

/**
 * A buy request as it reaches an instance of the gate, for a sale that requires no pass; `address` is
 * the shopper's own.
 */
export function purchaseAt(saleId: string, { address = '203.0.113.7', ...wanted }: Buy & { address?: string }) {
  const { token, quantity = 1, startToken, key, challenge } = wanted
  return {
    method: 'POST',
    uri: `/api/sales/${saleId}/orders`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify({ quantity, startToken, challenge }),
    address,
  } satisfies GateCall
}

/**
 * Buys, and retries after each `Retry-After` while the sale is at capacity, or while the gate answers that it is
 * unavailable: on a busy machine its store is late, and no function has seen such a request. An admission may be lost,
 * which is detected fourteen seconds later.
 */
export function buyWhenAdmitted(stack: Shop, saleId: string, wanted: Buy): Promise<Answer<Won>> {
  return eventually(async () => {
    const answer = await buy(stack, saleId, wanted)
    const isUnseen = answer.status === 503 && answer.headers.has('x-sluice-gate')
    if (answer.body.code !== 'at-capacity' && !isUnseen) return answer
    await sleep((answer.body.retryAfterSeconds ?? 0) * 1000)
    return undefined
  })
}

/**
 * Buys, and also retries when a function of a busy shop does not answer in time. When it had reserved, the repeat finds
 * that order and gets a 200.
 */
export const buyWithRetries = (stack: Shop, saleId: string, wanted: Buy): Promise<Answer<Won>> =>
  untilAnswered(() => buyWhenAdmitted(stack, saleId, wanted))

/**
 * Buys units that must be available.
 * @throws when it is refused
 */
export async function buyUnits(stack: Shop, saleId: string, wanted: Buy): Promise<Won> {
  const answer = await buyWithRetries(stack, saleId, wanted)
  if (answer.status < 300) return answer.body
  throw new Error(`${saleId} sells nothing: ${JSON.stringify(answer.body)}`)
}

/** The order as its shopper sees it, once it is written. */
export function writtenOrder(stack: Shop, orderId: string, token: string): Promise<OrderView> {
  return eventually(async () => {
    const answer = await call<OrderView>(stack, `/api/orders/${orderId}`, { token })
    return answer.status === 200 && answer.body.status !== 'reserved' ? (answer.body as OrderView) : undefined
  })
}

/** An order of a named shopper, once it is written, in an open sale or in a new one of this definition. */
export async function placeOrder(
  stack: Shop,
  shopper: string,
  offer: { saleId: string; startToken: string } | Record<string, unknown>,
  wanted: Omit<Buy, 'token' | 'startToken'> = {},
) {
  const { saleId, startToken } = isOpen(offer) ? offer : await openSale(stack, offer)
  const token = await stack.token(shopper)
  const { orderId } = await buyUnits(stack, saleId, { token, startToken, ...wanted })
  await writtenOrder(stack, orderId, token)
  return { saleId, startToken, orderId, token }
}

const isOpen = (offer: object): offer is { saleId: string; startToken: string } => 'startToken' in offer

/** Resolves when the clock says `time` (epoch ms). A timer of Node may end a millisecond early. */
export async function waitUntil(time: number): Promise<void> {
  await sleep(Math.max(0, time - Date.now()) + 5)
}

/**
 * The limit of `eventually`, ms. It says nothing about speed, it only ends a test that hangs. It is longer than the
 * minute after which a queue delivers a message again.
 */
const patienceMs = 100_000

/** The gate lets a shopper read orders 120 times a minute, and refuses the rest of that minute. */
const maxPauseMs = 500

/**
 * The first defined result of `ask`, called repeatedly, with pauses that grow from 50 ms.
 * @throws when there was none in time
 */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.1, maxPauseMs)) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`no answer within ${patienceMs} ms: ${ask.toString()}`)
    await sleep(pauseMs)
  }
}
