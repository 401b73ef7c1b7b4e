/**
 * A typed client of `/api/control`. The command line, the rush and the measurements use the same API as the console.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { controlApi } from '../core/api/control-answers.ts'
import type { CallArguments, CallInput, ControlAnswer, JsonCall } from '../core/api/control-call.ts'
import { addressFor, nextHeader, type Operation, readAnswer } from '../core/api/operation.ts'
import { passHeader } from '../core/gate/pass.ts'
import { type Parsed, parse } from '../core/lib/parse.ts'
import type { Problem } from '../core/outcome.ts'
import type { TablePart, TablePartQuery } from '../core/report/read-report.ts'

/** The distribution could not reach the system: the call may or may not have taken effect. */
export class SystemUnavailable extends Error {
  override name = 'SystemUnavailable'
  constructor(status: number, options?: ErrorOptions) {
    super(`The system does not answer right now (status ${status}). Try again in a moment.`, options)
  }
}

/** The API rejected the call; `problem` says why. A lost connection is a `SystemUnavailable`. */
export class ControlApiError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** Upper limit of the wait before the second try. */
const maxWaitSeconds = 3

const problemDocument = z.looseObject({ code: z.string(), detail: z.string(), status: z.number() })

/** The tables of a sale: its written orders, coupon codes, credited red packets. */
export type ExportedTable = keyof typeof tables

const tables = { orders: controlApi.getOrders, coupons: controlApi.getCoupons, packets: controlApi.getPackets } as const

type Endpoint = { url: string; token: string }

type Calls = { [Name in JsonCall]: (...options: CallArguments<Name>) => Promise<ControlAnswer<Name>> }

/**
 * Returns a function that calls the operations of `/api/control`.
 * @throws ControlApiError
 */
function createSender({ url, token }: Endpoint) {
  return async (operation: Operation, { query = {}, key, body, ...parts }: CallInput = {}): Promise<Response> => {
    // The body of a POST may be empty, but is always sent.
    const sent = body ?? (operation.method === 'POST' ? {} : undefined)
    const response = await fetch(`${url}${addressFor(operation, parts, query)}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        origin: new URL(url).origin,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    })
    if (!response.ok) throw new ControlApiError(readProblem(await readJson(response), response.status))
    return response
  }
}

export type ControlClient = ReturnType<typeof controlClient>

/** Creates a client of the system at `url` (no trailing slash) with a marketer's `token`. It has a method for each operation. */
export function controlClient(endpoint: Endpoint) {
  const send = createSender(endpoint)
  const calls = Object.entries(controlApi).map(([name, operation]) => [
    name,
    async (options?: CallInput) => unwrap(readAnswer(operation, await readJson(await send(operation, options)))),
  ])
  return {
    ...(Object.fromEntries(calls) as Calls),
    /** Reads a part of a table of the sale. `after` is empty for the first part, then the `next` of the part before. */
    tablePart: async (table: ExportedTable, saleId: string, query: TablePartQuery): Promise<TablePart> => {
      const options = { saleId, query }
      const response = await send(tables[table], options)
      return { text: await response.text(), next: response.headers.get(nextHeader) }
    },
  }
}

/** Retries a call once when no answer came or the system was unavailable. For idempotent calls only. */
export async function retryOnce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ControlApiError && error.problem.status !== 503) throw error
    const waitSeconds = error instanceof ControlApiError ? (error.problem.retryAfterSeconds ?? 0) : 0
    await sleep(Math.min(waitSeconds, maxWaitSeconds) * 1000)
    return call()
  }
}

/** Gets a token from the local sign-in, which exists on the loopback address only. */
export async function localToken(url: string, shopperId: string, roles: string[] = []): Promise<string> {
  return (await localSession(url, shopperId, roles)).token
}

/** Gets a session and its pass from the local sign-in. */
export async function localSession(url: string, shopperId: string, roles: string[] = []): Promise<ShopperSession> {
  const response = await fetch(`${url}/local/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ shopperId, roles }),
  })
  const answer = await readJson(response)
  if (!response.ok) throw new ControlApiError(readProblem(answer, response.status))
  const session = z.looseObject({ token: z.string(), pass: z.optional(z.string()) })
  const { token, pass } = unwrap(parse(session, answer))
  return { token, pass }
}

async function readJson(response: Response): Promise<unknown> {
  const body = await response.text()
  if (body === '') return undefined
  try {
    return JSON.parse(body)
  } catch (cause) {
    // CloudFront answers with HTML when the origin does not answer.
    if (response.status >= 500) throw new SystemUnavailable(response.status, { cause })
    throw new Error(`${response.url} answered ${response.status} with something that is not JSON`, { cause })
  }
}

function readProblem(answer: unknown, status: number): Problem {
  const parsed = parse(problemDocument, answer)
  if (!parsed.ok) throw new Error(`the call failed with status ${status} and no problem document`)
  return answer as Problem
}

/** Returns the parsed value. @throws when the answer is not what the API describes */
function unwrap<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(`unexpected answer: ${parsed.detail}`)
  return parsed.value
}

/** A shopper's session. `pass` is undefined while the shop neither issues nor requires one. */
export type ShopperSession = { token: string; pass: string | undefined }

/** Fetches the pass of the shopper with this session token; undefined when the shop issues none. */
export async function fetchPass(url: string, token: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/pass`, { headers: { authorization: `Bearer ${token}` } })
  // The pass is in the header, but an unread body would block the connection.
  await response.arrayBuffer()
  return response.headers.get(passHeader) ?? undefined
}

/** Returns the headers of a purchase request. */
export function sessionHeaders({ token, pass }: ShopperSession): Record<string, string> {
  return { authorization: `Bearer ${token}`, ...(pass === undefined ? {} : { [passHeader]: pass }) }
}
