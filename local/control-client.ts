/**
 * The marketer's side of the HTTP contract, typed: one method per call of `/api/control`. The command line,
 * the rush and the measurements all drive sales through it, so they see exactly what the console sees.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Block } from '../core/block.ts'
import type { Problem } from '../core/outcome.ts'
import { parse } from '../core/parse.ts'
import { type SaleEdit, saleKinds } from '../core/sale.ts'

/** The system could not be reached behind its distribution: nobody knows whether the call was carried out. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  constructor(status: number, options?: ErrorOptions) {
    super(`The system does not answer right now (status ${status}). Try again in a moment.`, options)
  }
}

/** The call was refused; `problem` says why. Only an answer of the API becomes a Refused, never a broken line. */
export class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** The longest that anybody at a terminal is kept waiting before the second try. */
const maxWaitSeconds = 3

const count = z.number()
const text = z.string()

const throttleRule = z.looseObject({ limit: count, windowSeconds: count })

/** A sale as control shows it. Unknown members are kept: the command line prints them with `--json`. */
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
 * What a part in `unavailable` would have told is null; so is a drift that nobody can know at the moment. `money` is in minor units,
 * and there for red packets alone.
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

/** Whom an entry of the block list is about. */
export const namedBlock = z.looseObject({ kind: text, value: text })

/** Whom the gate turns away, by whose doing, and since when (epoch ms). */
const blockEntry = z.extend(namedBlock, { who: text, when: count })

/** What rebuilding a sale put back. */
const recovery = z.looseObject({ sale: shownSale, orders: count, units: count, heldBack: count })

/** What comparing a sale found; `holds` is null when there was nothing to compare. */
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

export type SalesPage = z.infer<typeof salesPage>
export type ShownSale = z.infer<typeof shownSale>
export type LiveNumbers = z.infer<typeof liveNumbers>
export type AuditEntry = z.infer<typeof auditEntry>
export type BlockEntry = z.infer<typeof blockEntry>
export type Recovery = z.infer<typeof recovery>
export type Findings = z.infer<typeof findings>
export type Refunded = z.infer<typeof refunded>
export type Redriven = z.infer<typeof redriven>
export type StockChange = { total: number; booked: number }

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
  /** With a `key` the same change may be asked for again and counts once. */
  changeStock(saleId: string, delta: number, key?: string): Promise<StockChange>
  live(saleId: string): Promise<LiveNumbers>
  /** Rebuilds the sale in Redis from its orders. */
  recover(saleId: string): Promise<Recovery>
  /** Compares Redis with the orders of the sale at once, and puts right what differs. */
  reconcile(saleId: string): Promise<Findings>
  refund(orderId: string): Promise<Refunded>
  redrive(): Promise<Redriven>
  /** All written orders of the sale, one line each. */
  ordersCsv(saleId: string): Promise<string>
  /** The coupon codes of the sale, or one part of them, one line each. */
  couponsCsv(saleId: string, part: number | undefined): Promise<string>
  audit(day: string | undefined): Promise<AuditEntry[]>
  /** Whom the gate turns away before anything else. */
  blocklist(): Promise<BlockEntry[]>
  /** `force` is asked for by a range that shuts out a great part of all shoppers. */
  block(block: Block, options: { force: boolean }): Promise<BlockEntry>
  unblock(block: Block): Promise<void>
}

/** A client of the system at `url` (no trailing slash) that acts with a marketer's `token`. */
export function controlClient({ url, token }: { url: string; token: string }): ControlClient {
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
  const salePath = (saleId: string) => `/sales/${encodeURIComponent(saleId)}`
  // Every character of a block may stand in a path as it is.
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
 * Asks again, once, when no answer came or the system could not serve the call just then. Only for calls that
 * count once however often they are asked.
 */
export async function askAgainOnce<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused && error.problem.status !== 503) throw error
    const waitSeconds = error instanceof Refused ? (error.problem.retryAfterSeconds ?? 0) : 0
    await sleep(Math.min(waitSeconds, maxWaitSeconds) * 1000)
    return ask()
  }
}

/** A token from a local system's own sign-in, which exists on the loopback address only. */
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
    // A distribution speaks for an origin that does not answer, and it does not speak JSON.
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
  if (!parsed.ok) throw new Error(`the answer is not what this client knows: ${parsed.detail}`)
  return parsed.value
}
