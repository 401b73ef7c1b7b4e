/**
 * A typed client of `/api/control`, one method per call. The command line, the rush and the
 * measurements use it, so they see what the console sees.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { BlockTerms } from '../core/api/blocks.ts'
import {
  type AuditRow,
  type BlockEntry,
  controlApi,
  type DatabaseList,
  type Findings,
  type FoundOrders,
  type Live,
  type Me,
  type PausedSales,
  type Recovery,
  type Redriven,
  type Refunded,
  type ResumedSales,
  type SalesPage,
} from '../core/api/control-answers.ts'
import { nextHeader } from '../core/api/next-header.ts'
import { type AnswerOf, addressFor, type Operation, readAnswer } from '../core/api/operation.ts'
import type { ReservedLine } from '../core/api/order-lines.ts'
import type { ShipmentLine, ShippedLine } from '../core/api/shipment-lines.ts'
import type { BrandRecord } from '../core/brand.ts'
import type { EndpointView, EventDelivery, SavedEndpoint } from '../core/events/endpoint.ts'
import type { Block } from '../core/gate/block.ts'
import { type Parsed, parse } from '../core/lib/parse.ts'
import type { ChangeCounts } from '../core/lib/slices.ts'
import type { Problem } from '../core/outcome.ts'
import type { CustomerIssuerInput, CustomerIssuerView } from '../core/people/customer-issuer.ts'
import type { TablePart, TablePartQuery } from '../core/report/read-report.ts'
import type { Sale, SaleEdit, sale } from '../core/sale/sale.ts'
import { type SalesAsked, salesQuery } from '../core/sale/sale-search.ts'
import type { Template } from '../core/sale/template.ts'
import type { ShopperSession } from './pass.ts'

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

export type ControlClient = {
  /**
   * The sales from the latest start on, `next` being the `after` of the next page. A page of a search
   * may be short or empty although more come.
   */
  list(page?: SalesAsked): Promise<SalesPage>
  create(definition: unknown): Promise<Sale>
  show(saleId: string): Promise<Sale>
  edit(saleId: string, change: SaleEdit): Promise<Sale>
  remove(saleId: string): Promise<void>
  warm(saleId: string): Promise<Sale>
  start(saleId: string, options: { now: boolean }): Promise<Sale>
  pause(saleId: string): Promise<Sale>
  resume(saleId: string): Promise<Sale>
  close(saleId: string): Promise<Sale>
  /**
   * `variant` is the one whose units they are, in a sale that has some. With a `key` the change takes
   * effect once, also when it is repeated.
   */
  changeStock(
    saleId: string,
    delta: number,
    options?: { key?: string; variant?: string | undefined },
  ): Promise<AnswerOf<typeof controlApi.changeStock>>
  /** Reserves for shoppers, a line each; `lines` are checked by the system. */
  reserveOrders(saleId: string, lines: readonly unknown[]): Promise<readonly ReservedLine[]>
  /** One page of the list for early access. */
  earlyList(saleId: string, after?: string): Promise<AnswerOf<typeof controlApi.getEarlyList>>
  /** How far the draw of a sale is. */
  draw(saleId: string): Promise<AnswerOf<typeof controlApi.getDraw>>
  /** Adds at most 1,000 invitations by their digests. */
  invite(saleId: string, invitations: readonly string[]): Promise<ChangeCounts>
  /** Adds at most 1,000 shoppers to the list for early access, or removes them. */
  changeEarly(
    saleId: string,
    what: 'add' | 'remove',
    shoppers: readonly string[],
    options: { dryRun: boolean },
  ): Promise<ChangeCounts>
  /** Marks orders as shipped or delivered, a line each. */
  ship(
    saleId: string,
    lines: readonly ShipmentLine[],
    options: { dryRun: boolean },
  ): Promise<readonly ShippedLine[]>
  live(saleId: string): Promise<Live>
  /** Rebuilds the sale in Redis from its orders. */
  recover(saleId: string): Promise<Recovery>
  /** Compares Redis with the orders of the sale and repairs differences. */
  reconcile(saleId: string): Promise<Findings>
  /** Who calls, and the roles of the token. */
  me(): Promise<Me>
  /** The order of that number, or a page of the shopper's orders. */
  findOrders(find: string, after?: string): Promise<FoundOrders>
  refund(orderId: string): Promise<Refunded>
  settleRefund(orderId: string): Promise<Refunded>
  refundWithdrawn(orderId: string): Promise<Refunded>
  returnUnits(orderId: string): Promise<Refunded>
  pauseAll(): Promise<PausedSales>
  /** Resumes what `pauseAll` paused. */
  resumeAll(): Promise<ResumedSales>
  redrive(): Promise<Redriven>
  /** Voids every pass; resolves with the time, epoch ms, from which the gate has other keys. */
  rotatePassKeys(): Promise<number>
  /** A part of a table of the sale: of the first one `after` is empty, then it is `next`. All columns, or some. */
  tablePart(table: TableName, saleId: string, query: TablePartQuery): Promise<TablePart>
  audit(day: string | undefined): Promise<readonly AuditRow[]>
  /** The templates of the shop. */
  templates(): Promise<readonly Template[]>
  /** Keeps the present definition of the sale under that name. */
  keepTemplate(name: string, saleId: string): Promise<Template>
  removeTemplate(name: string): Promise<void>
  /** Who signs tokens for the shop's own customers. */
  customerIssuers(): Promise<readonly CustomerIssuerView[]>
  saveCustomerIssuer(name: string, issuer: CustomerIssuerInput): Promise<CustomerIssuerView>
  removeCustomerIssuer(name: string): Promise<void>
  /** Where the shop receives events. */
  eventEndpoints(): Promise<readonly EndpointView[]>
  saveEventEndpoint(name: string, endpoint: SentEndpoint): Promise<SavedEndpoint>
  removeEventEndpoint(name: string): Promise<void>
  rotateEventSecret(name: string): Promise<SavedEndpoint>
  testEventEndpoint(name: string): Promise<AnswerOf<typeof controlApi.testEventEndpoint>>
  /** What waits and what was sent, the newest first. */
  eventDeliveries(name: string): Promise<readonly EventDelivery[]>
  replayEvent(name: string, eventId: string, finishedAt: number): Promise<void>
  /** The databases, each with the sales whose stock it has. */
  databases(): Promise<DatabaseList['databases']>
  /** The shoppers and addresses that the gate rejects. */
  blocklist(): Promise<readonly BlockEntry[]>
  /** A range that holds a great part of all shoppers needs `force`. */
  block(block: Block, options: BlockTerms & { force: boolean }): Promise<BlockEntry>
  /** At most `maxBlocksOfImport` entries. */
  importBlocks(entries: readonly (Block & BlockTerms)[], options: { dryRun: boolean }): Promise<ChangeCounts>
  unblock(block: Block): Promise<void>
  brand(): Promise<BrandRecord>
  /** Saves over the revision that `record` names. */
  changeBrand(record: BrandRecord): Promise<BrandRecord>
}

/** As it is typed: the API checks the names of types and sales. */
type SentEndpoint = { url: string; types?: string[]; sales?: string[]; enabled?: boolean }

/** The tables of a sale: its written orders, coupon codes, credited red packets. */
export type TableName = keyof typeof tables

/** `next` is null with the last part. */

const tables = {
  orders: controlApi.getOrders,
  coupons: controlApi.getCoupons,
  packets: controlApi.getPackets,
} as const

type Endpoint = { url: string; token: string }

type Call = {
  parts?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  key?: string | undefined
}

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

/** A client of the system at `url` (no trailing slash) with a marketer's `token`. */
export function controlClient(endpoint: Endpoint): ControlClient {
  const send = sender(endpoint)
  const call = async <O extends Operation>(operation: O, asked?: Call): Promise<AnswerOf<O>> =>
    expected(readAnswer(operation, await readJson(await send(operation, asked))))
  const act = (operation: Operation & { answer: typeof sale }, saleId: string, body: unknown = {}) =>
    call(operation, { parts: { saleId }, body })
  return {
    list: (page = {}) => call(controlApi.listSales, { query: salesQuery(page) }),
    create: (definition) => call(controlApi.createSale, { body: definition }),
    show: (saleId) => call(controlApi.getSale, { parts: { saleId } }),
    edit: (saleId, change) => act(controlApi.editSale, saleId, change),
    remove: async (saleId) => {
      await call(controlApi.deleteSale, { parts: { saleId } })
    },
    warm: (saleId) => act(controlApi.warm, saleId),
    start: (saleId, { now }) => act(controlApi.start, saleId, now ? { now: true } : {}),
    pause: (saleId) => act(controlApi.pause, saleId),
    resume: (saleId) => act(controlApi.resume, saleId),
    close: (saleId) => act(controlApi.close, saleId),
    changeStock: (saleId, delta, { key, variant } = {}) =>
      call(controlApi.changeStock, { parts: { saleId }, body: { delta, variant }, key }),
    reserveOrders: async (saleId, lines) =>
      (await call(controlApi.reserveOrders, { parts: { saleId }, body: { lines } })).lines,
    earlyList: (saleId, after) =>
      call(controlApi.getEarlyList, { parts: { saleId }, ...(after !== undefined && { query: { after } }) }),
    draw: (saleId) => call(controlApi.getDraw, { parts: { saleId } }),
    invite: (saleId, invitations) => call(controlApi.addEarly, { parts: { saleId }, body: { invitations } }),
    changeEarly: (saleId, what, shoppers, { dryRun }) =>
      call(what === 'add' ? controlApi.addEarly : controlApi.removeEarly, {
        parts: { saleId },
        body: { shoppers, ...(dryRun && { dryRun }) },
      }),
    ship: async (saleId, lines, { dryRun }) =>
      (await call(controlApi.ship, { parts: { saleId }, body: { lines, ...(dryRun && { dryRun }) } })).lines,
    live: (saleId) => call(controlApi.getLive, { parts: { saleId } }),
    recover: (saleId) => call(controlApi.recover, { parts: { saleId }, body: {} }),
    reconcile: (saleId) => call(controlApi.reconcile, { parts: { saleId }, body: {} }),
    me: () => call(controlApi.whoAmI),
    findOrders: (find, after) =>
      call(controlApi.findOrders, { body: { find, ...(after !== undefined && { after }) } }),
    refund: (orderId) => call(controlApi.refund, { parts: { orderId }, body: {} }),
    settleRefund: (orderId) => call(controlApi.settleRefund, { parts: { orderId }, body: {} }),
    refundWithdrawn: (orderId) => call(controlApi.refundWithdrawn, { parts: { orderId }, body: {} }),
    returnUnits: (orderId) => call(controlApi.returnUnits, { parts: { orderId }, body: {} }),
    pauseAll: () => call(controlApi.pauseAll, { body: {} }),
    resumeAll: () => call(controlApi.resumeAll, { body: {} }),
    redrive: () => call(controlApi.redrive, { body: {} }),
    rotatePassKeys: async () => (await call(controlApi.rotatePassKeys, { body: {} })).rotatedAt,
    tablePart: async (table, saleId, query) => {
      const response = await send(tables[table], { parts: { saleId }, query })
      return { text: await response.text(), next: response.headers.get(nextHeader) }
    },
    audit: async (day) =>
      (await call(controlApi.getAudit, { query: day === undefined ? {} : { day } })).entries,
    databases: async () => (await call(controlApi.listDatabases)).databases,
    blocklist: async () => (await call(controlApi.listBlocks)).entries,
    block: ({ kind, value }, { force, ...body }) =>
      call(controlApi.block, { parts: { kind, value }, query: force ? { force: 'true' } : {}, body }),
    importBlocks: (entries, { dryRun }) => call(controlApi.importBlocks, { body: { entries, dryRun } }),
    templates: async () => (await call(controlApi.listTemplates)).templates,
    keepTemplate: (name, saleId) => call(controlApi.keepTemplate, { body: { name, saleId } }),
    customerIssuers: async () => (await call(controlApi.listCustomerIssuers)).issuers,
    saveCustomerIssuer: (name, issuer) =>
      call(controlApi.saveCustomerIssuer, { parts: { name }, body: issuer }),
    removeCustomerIssuer: async (name) => {
      await call(controlApi.deleteCustomerIssuer, { parts: { name } })
    },
    eventEndpoints: async () => (await call(controlApi.listEventEndpoints)).endpoints,
    saveEventEndpoint: (name, endpoint) =>
      call(controlApi.saveEventEndpoint, { parts: { name }, body: endpoint }),
    removeEventEndpoint: async (name) => {
      await call(controlApi.deleteEventEndpoint, { parts: { name } })
    },
    rotateEventSecret: (name) => call(controlApi.rotateEventSecret, { parts: { name }, body: {} }),
    testEventEndpoint: (name) => call(controlApi.testEventEndpoint, { parts: { name }, body: {} }),
    eventDeliveries: async (name) =>
      (await call(controlApi.listEventDeliveries, { parts: { name } })).deliveries,
    replayEvent: async (name, eventId, finishedAt) => {
      await call(controlApi.replayEventDelivery, { parts: { name }, body: { eventId, finishedAt } })
    },
    removeTemplate: async (name) => {
      await call(controlApi.deleteTemplate, { body: { name } })
    },
    brand: () => call(controlApi.getBrand),
    changeBrand: (record) => call(controlApi.changeBrand, { body: record }),
    unblock: async ({ kind, value }) => {
      await call(controlApi.unblock, { parts: { kind, value } })
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
  return (await localSession(url, shopperId, roles)).token
}

/** A session from the local sign-in, with the pass that it gives. */
export async function localSession(
  url: string,
  shopperId: string,
  roles: string[] = [],
): Promise<ShopperSession> {
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
