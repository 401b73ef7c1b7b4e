/** Calls the control API. */
import type { FailedReply } from '../client/http.ts'
import { controlApi } from '../core/api/control-answers.ts'
import type { CallArguments, CallInput, ControlAnswer, JsonCall } from '../core/api/control-call.ts'
import { addressFor, nextHeader, type Operation, pathFor, readAnswer } from '../core/api/operation.ts'
import { optionRoutes } from '../core/options.ts'
import type { TablePart, TablePartQuery } from '../core/report/read-report.ts'
import { type SalesListQuery, salesQuery } from '../core/sale/sale-search.ts'
import type { StaffRoute } from '../core/seams.ts'
import { type CallOptions, call } from '../web/http.ts'
import type { StartAction } from './sale/actions.ts'

export type Answer<T> = { ok: true; value: T } | { ok: false; reply: FailedReply }

/** Deadlines of slow calls, ms: the timeouts of their functions. */
const deadlines: ReadonlyMap<string, number> = new Map([
  ...Object.entries({
    ...{ warm: 20_000, start: 20_000, pause: 20_000, resume: 20_000, close: 20_000 },
    ...{ pauseAll: 35_000, resumeAll: 35_000, reconcile: 35_000, recover: 35_000, redrive: 35_000 },
    ...{ refund: 35_000, settleRefund: 35_000, ship: 35_000, importBlocks: 35_000 },
    ...{ exportPerson: 35_000, erasePerson: 35_000, changeBrand: 35_000, finishPicture: 35_000 },
    saveCustomerIssuer: 20_000,
  } satisfies Partial<Record<JsonCall, number>>),
  ...Object.entries<StaffRoute>(optionRoutes).flatMap(([name, { waitMs }]) =>
    waitMs === undefined ? [] : [[name, waitMs] as const],
  ),
])

type Deadline = Pick<CallOptions, 'deadlineMs'>

async function make(
  name: string,
  operation: Operation,
  { query = {}, body, key, deadlineMs, ...parts }: CallInput & Deadline,
): Promise<Answer<unknown>> {
  const reply = await call(fetch, addressFor(operation, parts, query), {
    ...{ method: operation.method, body },
    deadlineMs: deadlineMs ?? deadlines.get(name),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
  if (reply.kind !== 'ok') return { ok: false, reply }
  const read = readAnswer(operation, reply.body)
  return read.ok ? read : { ok: false, reply: { kind: 'lost' } }
}

type Calls = { [Name in JsonCall]: (...asked: CallArguments<Name, Deadline>) => Promise<Answer<ControlAnswer<Name>>> }

const calls = Object.entries(controlApi).map(([name, operation]) => [
  name,
  (asked: CallInput & Deadline = {}) => make(name, operation, asked),
])

/** The operations of `/api/control` by their names. */
export const control = Object.fromEntries(calls) as Calls

export const listSales = (page: SalesListQuery, limits: Deadline = {}) =>
  control.listSales({ query: salesQuery(page), ...limits })
/** Schedules the sale for its start, or opens it at once. */
export const requestStart = (saleId: string, start: StartAction) =>
  control.start({ saleId, body: start === 'open-now' ? { now: true } : {} })

const tables = { orders: controlApi.getOrders, coupons: controlApi.getCoupons, packets: controlApi.getPackets } as const

export type TableName = keyof typeof tables

/** The timeout of the function that reads one part of a table, ms. */
const partDeadlineMs = 35_000

/** Reads a part of a table of the sale. An empty `after` reads the first one. */
export async function getTablePart(
  table: TableName,
  saleId: string,
  query: TablePartQuery,
): Promise<Answer<TablePart>> {
  const path = `${pathFor(tables[table], { saleId })}?${new URLSearchParams(query)}`
  const reply = await call(fetch, path, { parse: String, deadlineMs: partDeadlineMs })
  if (reply.kind !== 'ok') return { ok: false, reply }
  return { ok: true, value: { text: String(reply.body), next: reply.headers.get(nextHeader) } }
}
