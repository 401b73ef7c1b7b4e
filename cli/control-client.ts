/**
 * A typed client of `/api/control`, one method per call. The command line, the rush and the
 * measurements use it, so they see what the console sees.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { BlockTerms } from '../core/api/blocks.ts'
import { controlApi } from '../core/api/control-answers.ts'
import { type AnswerOf, addressFor, nextHeader, type Operation, readAnswer } from '../core/api/operation.ts'
import type { ShipmentLine } from '../core/api/shipment-lines.ts'
import type { BrandRecord } from '../core/brand.ts'
import type { Block } from '../core/gate/block.ts'
import { passHeader } from '../core/gate/pass.ts'
import { type Parsed, parse } from '../core/lib/parse.ts'
import type { Problem } from '../core/outcome.ts'
import type { CustomerIssuerInput } from '../core/people/customer-issuer.ts'
import type { TablePart, TablePartQuery } from '../core/report/read-report.ts'
import type { SaleEdit, sale } from '../core/sale/sale.ts'
import { type SalesAsked, salesQuery } from '../core/sale/sale-search.ts'

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

const problemDocument = z.looseObject({ code: z.string(), detail: z.string(), status: z.number() })

/** As it is typed: the API checks the names of types and sales. */
type SentEndpoint = { url: string; types?: string[]; sales?: string[]; enabled?: boolean }

/** The tables of a sale: its written orders, coupon codes, credited red packets. */
export type TableName = keyof typeof tables

const tables = { orders: controlApi.getOrders, coupons: controlApi.getCoupons, packets: controlApi.getPackets } as const

type Endpoint = { url: string; token: string }

type Call = { parts?: Record<string, string>; query?: Record<string, string>; body?: unknown; key?: string | undefined }

/**
 * Calls the operations of `/api/control`.
 * @throws Refused
 */
function sender({ url, token }: Endpoint) {
  return async (operation: Operation, { parts, query = {}, body, key }: Call = {}): Promise<Response> => {
    const response = await fetch(`${url}${addressFor(operation, parts, query)}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        origin: new URL(url).origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Refused(readProblem(await readJson(response), response.status))
    return response
  }
}

export type ControlClient = ReturnType<typeof controlClient>

/** A client of the system at `url` (no trailing slash) with a marketer's `token`. */
export function controlClient(endpoint: Endpoint) {
  const send = sender(endpoint)
  const call = async <O extends Operation>(operation: O, asked?: Call): Promise<AnswerOf<O>> =>
    expected(readAnswer(operation, await readJson(await send(operation, asked))))
  const act = (operation: Operation & { answer: typeof sale }, saleId: string, body: unknown = {}) =>
    call(operation, { parts: { saleId }, body })
  return {
    /**
     * The sales from the latest start on, `next` being the `after` of the next page. A page of a search
     * may be short or empty although more come.
     */
    list: (page: SalesAsked = {}) => call(controlApi.listSales, { query: salesQuery(page) }),
    create: (definition: unknown) => call(controlApi.createSale, { body: definition }),
    show: (saleId: string) => call(controlApi.getSale, { parts: { saleId } }),
    edit: (saleId: string, change: SaleEdit) => act(controlApi.editSale, saleId, change),
    remove: async (saleId: string) => {
      await call(controlApi.deleteSale, { parts: { saleId } })
    },
    warm: (saleId: string) => act(controlApi.warm, saleId),
    start: (saleId: string, { now }: { now: boolean }) => act(controlApi.start, saleId, now ? { now: true } : {}),
    pause: (saleId: string) => act(controlApi.pause, saleId),
    resume: (saleId: string) => act(controlApi.resume, saleId),
    close: (saleId: string) => act(controlApi.close, saleId),
    /**
     * `variant` is the one whose units they are, in a sale that has some. With a `key` the change takes
     * effect once, also when it is repeated.
     */
    changeStock: (
      saleId: string,
      delta: number,
      { key, variant }: { key?: string; variant?: string | undefined } = {},
    ) => call(controlApi.changeStock, { parts: { saleId }, body: { delta, variant }, key }),
    /** Reserves for one shopper; `order` is checked by the system. */
    reserveOrder: (saleId: string, order: object) => call(controlApi.reserveOrder, { parts: { saleId }, body: order }),
    /** How far the draw of a sale is. */
    draw: (saleId: string) => call(controlApi.getDraw, { parts: { saleId } }),
    /** Marks orders as shipped or delivered, a line each. */
    ship: async (saleId: string, lines: readonly ShipmentLine[], { dryRun }: { dryRun: boolean }) =>
      (await call(controlApi.ship, { parts: { saleId }, body: { lines, ...(dryRun && { dryRun }) } })).lines,
    live: (saleId: string) => call(controlApi.getLive, { parts: { saleId } }),
    /** Rebuilds the sale in Redis from its orders. */
    recover: (saleId: string) => call(controlApi.recover, { parts: { saleId }, body: {} }),
    /** Compares Redis with the orders of the sale and repairs differences. */
    reconcile: (saleId: string) => call(controlApi.reconcile, { parts: { saleId }, body: {} }),
    /** Who calls, and the roles of the token. */
    me: () => call(controlApi.whoAmI),
    /** The order of that number, or a page of the shopper's orders. */
    findOrders: (find: string, after?: string) =>
      call(controlApi.findOrders, { body: { find, ...(after !== undefined && { after }) } }),
    refund: (orderId: string) => call(controlApi.refund, { parts: { orderId }, body: {} }),
    settleRefund: (orderId: string) => call(controlApi.settleRefund, { parts: { orderId }, body: {} }),
    pauseAll: () => call(controlApi.pauseAll, { body: {} }),
    /** Resumes what `pauseAll` paused. */
    resumeAll: () => call(controlApi.resumeAll, { body: {} }),
    redrive: () => call(controlApi.redrive, { body: {} }),
    /** Voids every pass; resolves with the time, epoch ms, from which the gate has other keys. */
    rotatePassKeys: async () => (await call(controlApi.rotatePassKeys, { body: {} })).rotatedAt,
    /** A part of a table of the sale: of the first one `after` is empty, then it is `next`. All columns, or some. */
    tablePart: async (table: TableName, saleId: string, query: TablePartQuery): Promise<TablePart> => {
      const response = await send(tables[table], { parts: { saleId }, query })
      return { text: await response.text(), next: response.headers.get(nextHeader) }
    },
    audit: async (day: string | undefined) =>
      (await call(controlApi.getAudit, { query: day === undefined ? {} : { day } })).entries,
    /** The databases, each with the sales whose stock it has. */
    databases: async () => (await call(controlApi.listDatabases)).databases,
    /** The shoppers and addresses that the gate rejects. */
    blocklist: async () => (await call(controlApi.listBlocks)).entries,
    /** A range that holds a great part of all shoppers needs `force`. */
    block: ({ kind, value }: Block, { force, ...body }: BlockTerms & { force: boolean }) =>
      call(controlApi.block, { parts: { kind, value }, query: force ? { force: 'true' } : {}, body }),
    /** At most `maxBlocksOfImport` entries. */
    importBlocks: (entries: readonly (Block & BlockTerms)[], { dryRun }: { dryRun: boolean }) =>
      call(controlApi.importBlocks, { body: { entries, dryRun } }),
    /** Keeps the present definition of the sale under that name. */
    /** Who signs tokens for the shop's own customers. */
    customerIssuers: async () => (await call(controlApi.listCustomerIssuers)).issuers,
    saveCustomerIssuer: (name: string, issuer: CustomerIssuerInput) =>
      call(controlApi.saveCustomerIssuer, { parts: { name }, body: issuer }),
    removeCustomerIssuer: async (name: string) => {
      await call(controlApi.deleteCustomerIssuer, { parts: { name } })
    },
    /** Where the shop receives events. */
    eventEndpoints: async () => (await call(controlApi.listEventEndpoints)).endpoints,
    saveEventEndpoint: (name: string, endpoint: SentEndpoint) =>
      call(controlApi.saveEventEndpoint, { parts: { name }, body: endpoint }),
    removeEventEndpoint: async (name: string) => {
      await call(controlApi.deleteEventEndpoint, { parts: { name } })
    },
    rotateEventSecret: (name: string) => call(controlApi.rotateEventSecret, { parts: { name }, body: {} }),
    testEventEndpoint: (name: string) => call(controlApi.testEventEndpoint, { parts: { name }, body: {} }),
    /** What waits and what was sent, the newest first. */
    eventDeliveries: async (name: string) =>
      (await call(controlApi.listEventDeliveries, { parts: { name } })).deliveries,
    replayEvent: async (name: string, eventId: string, finishedAt: number) => {
      await call(controlApi.replayEventDelivery, { parts: { name }, body: { eventId, finishedAt } })
    },
    brand: () => call(controlApi.getBrand),
    /** Saves over the revision that `record` names. */
    changeBrand: (record: BrandRecord) => call(controlApi.changeBrand, { body: record }),
    unblock: async ({ kind, value }: Block) => {
      await call(controlApi.unblock, { parts: { kind, value } })
    },
  }
}

/** Retries a call once when no answer came or the system was unavailable. For idempotent calls only. */
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
  return (await localSession(url, shopperId, roles)).token
}

/** A session from the local sign-in, with the pass that it gives. */
export async function localSession(url: string, shopperId: string, roles: string[] = []): Promise<ShopperSession> {
  const response = await fetch(`${url}/local/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ shopperId, roles }),
  })
  const answer = await readJson(response)
  if (!response.ok) throw new Refused(readProblem(answer, response.status))
  const session = z.looseObject({ token: z.string(), pass: z.optional(z.string()) })
  const { token, pass } = expected(parse(session, answer))
  return { token, pass }
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

/** @throws when the answer is not what the API describes */
function expected<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(`unexpected answer: ${parsed.detail}`)
  return parsed.value
}

/** A shopper's session; `pass` is undefined while the shop gives none, and wants none. */
export type ShopperSession = { token: string; pass: string | undefined }

/** A pass for the shopper with this session token; undefined when the shop gives none. */
export async function fetchPass(url: string, token: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/pass`, { headers: { authorization: `Bearer ${token}` } })
  // The header says it all, and an unread body keeps the connection.
  await response.arrayBuffer()
  return response.headers.get(passHeader) ?? undefined
}

/** The headers of a click. */
export function sessionHeaders({ token, pass }: ShopperSession): Record<string, string> {
  return { authorization: `Bearer ${token}`, ...(pass === undefined ? {} : { [passHeader]: pass }) }
}
