/**
 * A typed client of `/api/control`, one method per call. The command line, the rush and the
 * measurements use it, so they see what the console sees.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Block } from '../core/block.ts'
import type { Problem } from '../core/outcome.ts'
import { parse } from '../core/parse.ts'
import { type SaleEdit, saleKinds } from '../core/sale.ts'

/** The distribution could not reach the system: the call may or may not have taken effect. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  constructor(status: number, options?: ErrorOptions) {
    super(`The system does not answer right now (status ${status}). Try again in a moment.`, options)
  }
}

/** The API rejected the call; `problem` says why. A lost connection is another error. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** The longest wait before the second try. */
const maxWaitSeconds = 3

const count = z.number()
const text = z.string()

const throttleRule = z.looseObject({ limit: count, windowSeconds: count })

/** A sale as the API shows it. Unknown members stay: `--json` prints them. */
const shownSale = z.looseObject({
  saleId: text,
  kind: z.enum(saleKinds),
  title: text,
  flag: z.enum(['off', 'on', 'paused', 'closed']),
  epoch: count,
  version: count,
  warmed: z.boolean(),
  stock: count,
  price: count,
  currency: text,
  startsAt: count,
  endsAt: count,
  startToken: z.nullable(text),
  admissionRatio: count,
  minLevel: count,
  challenge: text,
  throttle: z.looseObject({ perShopper: throttleRule, perIp: throttleRule, perSale: throttleRule }),
  windows: z.array(
    z.looseObject({ startsAt: count, endsAt: count, stock: count, totalAmount: z.optional(count) }),
  ),
  windowIndex: count,
  archivedAt: z.optional(count),
  packets: z.optional(z.looseObject({ count, totalAmount: count })),
  coupons: z.optional(z.looseObject({ validFrom: z.optional(count), validUntil: z.optional(count) })),
})

const phase = z.enum(['draft', 'scheduled', 'open', 'paused', 'sold-out', 'ended'])

/**
 * Values of a dependency in `unavailable`, which does not answer, are null; so is a drift that is
 * unknown at the moment. `money` is in minor units, for red packets only.
 */
const liveNumbers = z.looseObject({
  sale: shownSale,
  phase,
  inStep: z.boolean(),
  frozen: z.boolean(),
  stock: z.nullable(z.looseObject({ total: count, booked: count, available: count })),
  orders: z.looseObject({ sold: count, orders: count }),
  drift: z.nullable(count),
  outbox: z.nullable(count),
  queue: z.nullable(z.looseObject({ visible: count, inFlight: count, delayed: count })),
  deadLetters: z.nullable(count),
  admissions: z.nullable(z.looseObject({ remaining: count, out: count })),
  money: z.nullable(
    z.looseObject({ budget: count, claimed: count, left: count, returned: z.nullable(count) }),
  ),
  unavailable: z.array(text),
  now: count,
})

const auditEntry = z.looseObject({
  who: text,
  what: text,
  saleId: z.nullable(text),
  when: z.union([text, count]),
  requestId: text,
  before: z.optional(z.unknown()),
  after: z.optional(z.unknown()),
})

/** The shopper or addresses of an entry of the block list. */
export const namedBlock = z.looseObject({ kind: text, value: text })

/** A block, the marketer who set it, and since when (epoch ms). */
const blockEntry = z.extend(namedBlock, { who: text, when: count })

/** Result of rebuilding a sale in Redis. */
const recovery = z.looseObject({ sale: shownSale, orders: count, units: count, heldBack: count })

/** Result of comparing a sale; `holds` is null when there was nothing to compare. */
const findings = z.looseObject({
  state: z.enum(['in-step', 'repaired', 'to-recover']),
  resent: count,
  waiting: count,
  givenUp: count,
  drift: z.nullable(count),
  holds: z.nullable(z.looseObject({ restored: count, released: count, lost: count, overdue: count })),
  released: count,
})

const refunded = z.looseObject({
  orderId: text,
  status: text,
  refund: z.nullable(z.looseObject({ amount: count, currency: text })),
})

const redriven = z.looseObject({ moved: count, left: count })

/** One page of sales; `next` is null on the last. */
const salesPage = z.object({ sales: z.array(shownSale), next: z.nullable(text) })

const problemDocument = z.looseObject({ code: text, detail: text, status: count })

type SalesPage = z.infer<typeof salesPage>
export type ShownSale = z.infer<typeof shownSale>
export type LiveNumbers = z.infer<typeof liveNumbers>
export type AuditEntry = z.infer<typeof auditEntry>
export type BlockEntry = z.infer<typeof blockEntry>
export type Recovery = z.infer<typeof recovery>
export type Findings = z.infer<typeof findings>
export type Refunded = z.infer<typeof refunded>
type Redriven = z.infer<typeof redriven>
type StockChange = { total: number; booked: number }

export type ControlClient = {
  /** The sales from the latest start on, `next` being the `after` of the next page. */
  list(page?: { after?: string | undefined; archived?: boolean | undefined }): Promise<SalesPage>
  create(definition: unknown): Promise<ShownSale>
  show(saleId: string): Promise<ShownSale>
  edit(saleId: string, change: SaleEdit): Promise<ShownSale>
  remove(saleId: string): Promise<void>
  warm(saleId: string): Promise<ShownSale>
  start(saleId: string, options: { now: boolean }): Promise<ShownSale>
  pause(saleId: string): Promise<ShownSale>
  resume(saleId: string): Promise<ShownSale>
  close(saleId: string): Promise<ShownSale>
  /** With a `key` the change takes effect once, also when it is repeated. */
  changeStock(saleId: string, delta: number, key?: string): Promise<StockChange>
  live(saleId: string): Promise<LiveNumbers>
  /** Rebuilds the sale in Redis from its orders. */
  recover(saleId: string): Promise<Recovery>
  /** Compares Redis with the orders of the sale and repairs differences. */
  reconcile(saleId: string): Promise<Findings>
  refund(orderId: string): Promise<Refunded>
  redrive(): Promise<Redriven>
  /** All written orders of the sale, one line each. */
  ordersCsv(saleId: string): Promise<string>
  /** The coupon codes of the sale, or one part of them, one line each. */
  couponsCsv(saleId: string, part: number | undefined): Promise<string>
  audit(day: string | undefined): Promise<AuditEntry[]>
  /** The shoppers and addresses that the gate rejects. */
  blocklist(): Promise<BlockEntry[]>
  /** A range that holds a great part of all shoppers needs `force`. */
  block(block: Block, options: { force: boolean }): Promise<BlockEntry>
  unblock(block: Block): Promise<void>
}

type Endpoint = { url: string; token: string }

/** Sends requests to `/api/control` and reads JSON, or the text of a table. */
function requester({ url, token }: Endpoint) {
  const send = (method: string, path: string, body?: unknown, key?: string): Promise<Response> =>
    fetch(`${url}/api/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        origin: new URL(url).origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const call = async (method: string, path: string, body?: unknown, key?: string): Promise<unknown> => {
    const response = await send(method, path, body, key)
    const answer = await readJson(response)
    if (!response.ok) throw new Refused(readProblem(answer, response.status))
    return answer
  }
  const table = async (path: string): Promise<string> => {
    const response = await send('GET', path)
    if (response.ok) return response.text()
    throw new Refused(readProblem(await readJson(response), response.status))
  }
  return { call, table }
}

/** A client of the system at `url` (no trailing slash) with a marketer's `token`. */
export function controlClient(endpoint: Endpoint): ControlClient {
  const { call, table } = requester(endpoint)
  const salePath = (saleId: string) => `/sales/${encodeURIComponent(saleId)}`
  // A block has only characters that a path may hold.
  const blockPath = ({ kind, value }: Block) => `/blocklist/${kind}/${value}`
  const act = async (saleId: string, action: string, body: unknown = {}) =>
    read(shownSale, await call('POST', `${salePath(saleId)}/${action}`, body))

  return {
    list: async ({ after, archived } = {}) => {
      const query = new URLSearchParams({
        ...(after !== undefined && { after }),
        ...(archived === true && { archived: 'true' }),
      })
      return read(salesPage, await call('GET', `/sales${query.size === 0 ? '' : `?${query}`}`))
    },
    create: async (definition) => read(shownSale, await call('POST', '/sales', definition)),
    show: async (saleId) => read(shownSale, await call('GET', salePath(saleId))),
    edit: async (saleId, change) => read(shownSale, await call('PATCH', salePath(saleId), change)),
    remove: async (saleId) => {
      await call('DELETE', salePath(saleId))
    },
    warm: (saleId) => act(saleId, 'warm'),
    start: (saleId, { now }) => act(saleId, 'start', now ? { now: true } : {}),
    pause: (saleId) => act(saleId, 'pause'),
    resume: (saleId) => act(saleId, 'resume'),
    close: (saleId) => act(saleId, 'close'),
    changeStock: async (saleId, delta, key) =>
      read(
        z.looseObject({ total: count, booked: count }),
        await call('POST', `${salePath(saleId)}/stock`, { delta }, key),
      ),
    live: async (saleId) => read(liveNumbers, await call('GET', `${salePath(saleId)}/live`)),
    recover: async (saleId) => read(recovery, await call('POST', `${salePath(saleId)}/recover`, {})),
    reconcile: async (saleId) => read(findings, await call('POST', `${salePath(saleId)}/reconcile`, {})),
    refund: async (orderId) =>
      read(refunded, await call('POST', `/orders/${encodeURIComponent(orderId)}/refund`, {})),
    redrive: async () => read(redriven, await call('POST', '/dead-letters/redrive', {})),
    ordersCsv: (saleId) => table(`${salePath(saleId)}/orders.csv`),
    couponsCsv: (saleId, part) =>
      table(`${salePath(saleId)}/coupons.csv${part === undefined ? '' : `?part=${part}`}`),
    audit: async (day) =>
      read(
        z.object({ entries: z.array(auditEntry) }),
        await call('GET', day === undefined ? '/audit' : `/audit?day=${encodeURIComponent(day)}`),
      ).entries,
    blocklist: async () =>
      read(z.object({ entries: z.array(blockEntry) }), await call('GET', '/blocklist')).entries,
    block: async (block, { force }) =>
      read(blockEntry, await call('PUT', `${blockPath(block)}${force ? '?force=true' : ''}`)),
    unblock: async (block) => {
      await call('DELETE', blockPath(block))
    },
  }
}

/**
 * Retries a call once when no answer came or the system was unavailable. For idempotent calls only.
 */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof Refused && error.problem.status !== 503) throw error
    const waitSeconds = error instanceof Refused ? (error.problem.retryAfterSeconds ?? 0) : 0
    await sleep(Math.min(waitSeconds, maxWaitSeconds) * 1000)
    return call()
  }
}

/** A token from the local sign-in, which exists on the loopback address only. */
export async function localToken(url: string, shopperId: string, roles: string[] = []): Promise<string> {
  const response = await fetch(`${url}/local/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ shopperId, roles }),
  })
  const answer = await readJson(response)
  if (!response.ok) throw new Refused(readProblem(answer, response.status))
  return read(z.looseObject({ token: text }), answer).token
}

async function readJson(response: Response): Promise<unknown> {
  const body = await response.text()
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch (cause) {
    // The distribution answers for an origin that does not, with HTML.
    if (response.status >= 500) throw new NoAnswer(response.status, { cause })
    throw new Error(`${response.url} answered ${response.status} with something that is not JSON`, { cause })
  }
}

function readProblem(answer: unknown, status: number): Problem {
  const parsed = parse(problemDocument, answer)
  if (!parsed.ok) throw new Error(`the call failed with status ${status} and no problem document`)
  return answer as Problem
}

function read<S extends z.core.$ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = parse(schema, answer)
  if (!parsed.ok) throw new Error(`unexpected answer: ${parsed.detail}`)
  return parsed.value
}
