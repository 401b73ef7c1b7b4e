/** The calls to `/api/control`. */

import type { BlockTerms } from '../../../core/api/blocks.ts'
import { controlApi } from '../../../core/api/control-answers.ts'
import {
  type AnswerOf,
  addressFor,
  nextHeader,
  type Operation,
  pathFor,
  readAnswer,
} from '../../../core/api/operation.ts'
import type { PictureType } from '../../../core/api/pictures.ts'
import type { ShipmentLine } from '../../../core/api/shipment-lines.ts'
import type { BrandRecord } from '../../../core/brand.ts'
import { type Block, isWide } from '../../../core/gate/block.ts'
import type { OrderId, ShopperId } from '../../../core/ids.ts'
import type { CustomerIssuerInput } from '../../../core/people/customer-issuer.ts'
import type { TablePart, TablePartQuery } from '../../../core/report/read-report.ts'
import type { SaleDefinition, SaleEdit } from '../../../core/sale/sale.ts'
import { type SalesAsked, salesQuery } from '../../../core/sale/sale-search.ts'
import { call, type Reply, type Request } from '../lib/http.ts'
import type { TypedOrder } from './orders/typed-order.ts'
import type { StartAction } from './sale/actions.ts'
import type { UnitsChange } from './stock/stock-keys.ts'

export type Refused = Exclude<Reply, { kind: 'ok' }>
export type Answer<T> = { ok: true; value: T } | { ok: false; reply: Refused }

type Call = Omit<Request, 'method'> & { parts?: Record<string, string>; query?: Record<string, string> }

const fetch = window.fetch.bind(window)

async function control<O extends Operation>(
  operation: O,
  { parts, query = {}, ...request }: Call = {},
): Promise<Answer<AnswerOf<O>>> {
  const path = addressFor(operation, parts, query)
  const reply = await call(fetch, path, { ...request, method: operation.method })
  if (reply.kind !== 'ok') return { ok: false, reply }
  const read = readAnswer(operation, reply.body)
  return read.ok ? read : { ok: false, reply: { kind: 'lost' } }
}

export const whoAmI = () => control(controlApi.whoAmI)
export const listSales = (page: SalesAsked, limits: Pick<Request, 'deadlineMs'> = {}) =>
  control(controlApi.listSales, { ...limits, query: salesQuery(page) })
export const readSale = (saleId: string) => control(controlApi.getSale, { parts: { saleId } })
export const createSale = (sale: SaleDefinition) => control(controlApi.createSale, { body: sale })
export const editSale = (saleId: string, edit: SaleEdit) =>
  control(controlApi.editSale, { parts: { saleId }, body: edit })
export const deleteSale = (saleId: string) => control(controlApi.deleteSale, { parts: { saleId } })
export const act = (saleId: string, action: 'warm' | 'start' | 'pause' | 'resume' | 'close', body: object = {}) =>
  control(controlApi[action], { parts: { saleId }, body, deadlineMs: 20_000 })
/** Schedules the sale for its start, or opens it at once. */
export const startSale = (saleId: string, start: StartAction) =>
  act(saleId, 'start', start === 'open-now' ? { now: true } : {})
/** Longer than the function may take for many sales or a repair: what it answers is worth waiting for. */
const repair = { body: {}, deadlineMs: 35_000 }

export const beginPicture = (type: PictureType) => control(controlApi.beginPicture, { body: { type } })
/** As long as the function may take for a large picture. */
export const finishPicture = (uploadId: string) =>
  control(controlApi.finishPicture, { parts: { uploadId }, deadlineMs: 35_000 })

export const pauseEverySale = () => control(controlApi.pauseAll, repair)
export const resumeEverySale = () => control(controlApi.resumeAll, repair)
export const changeStock = (saleId: string, change: UnitsChange, key: string) =>
  control(controlApi.changeStock, { parts: { saleId }, body: change, headers: { 'idempotency-key': key } })
export const reserveOrder = (saleId: string, order: TypedOrder & { key: string }) =>
  control(controlApi.reserveOrder, { parts: { saleId }, body: order })
export const getHealth = () => control(controlApi.getHealth)
export const getLive = (saleId: string) => control(controlApi.getLive, { parts: { saleId } })
/** The course of a sale that the table has kept: the last day, or the one before `before` (epoch ms). */
export const getSeries = (saleId: string, before?: number) =>
  control(controlApi.getSeries, { parts: { saleId }, query: before === undefined ? {} : { before: String(before) } })
export const getDraw = (saleId: string) => control(controlApi.getDraw, { parts: { saleId } })
export const getBrand = () => control(controlApi.getBrand)
/** As long as the function may take to publish all pages. */
export const changeBrand = (record: BrandRecord) =>
  control(controlApi.changeBrand, { body: record, deadlineMs: 35_000 })
export const listIssuers = () => control(controlApi.listCustomerIssuers)
/** As long as the function may take to read the keys at an address. */
export const saveIssuer = (name: string, input: CustomerIssuerInput) =>
  control(controlApi.saveCustomerIssuer, { parts: { name }, body: input, deadlineMs: 20_000 })
export const removeIssuer = (name: string) => control(controlApi.deleteCustomerIssuer, { parts: { name } })
export const listEventEndpoints = () => control(controlApi.listEventEndpoints)
export const saveEventEndpoint = (name: string, body: unknown) =>
  control(controlApi.saveEventEndpoint, { parts: { name }, body })
export const deleteEventEndpoint = (name: string) => control(controlApi.deleteEventEndpoint, { parts: { name } })
export const rotateEventSecret = (name: string) => control(controlApi.rotateEventSecret, { parts: { name }, body: {} })
/** Longer than a post may take. */
export const testEventEndpoint = (name: string) =>
  control(controlApi.testEventEndpoint, { parts: { name }, body: {}, deadlineMs: 15_000 })
export const listEventDeliveries = (name: string) => control(controlApi.listEventDeliveries, { parts: { name } })
export const replayEvent = (name: string, done: { eventId: string; finishedAt: number }) =>
  control(controlApi.replayEventDelivery, { parts: { name }, body: done })
/** Keeps the present definition of the sale under `name`. */
export const getAudit = (day: string) => control(controlApi.getAudit, { query: { day } })

/** As long as the function may take for a hundred orders or two hundred blocks. */
const shipping = { deadlineMs: 35_000 }

export const listBlocks = () => control(controlApi.listBlocks)
/** The caller asks first whether a wide range is meant. */
export const setBlock = ({ kind, value }: Block, terms: BlockTerms) =>
  control(controlApi.block, {
    parts: { kind, value },
    query: isWide({ kind, value }) ? { force: 'true' } : {},
    body: terms,
  })
export const unsetBlock = ({ kind, value }: Block) => control(controlApi.unblock, { parts: { kind, value } })
export const importBlocks = (entries: readonly (Block & BlockTerms)[], dryRun: boolean) =>
  control(controlApi.importBlocks, { body: { entries, dryRun }, ...shipping })

export const checkSale = (saleId: string) => control(controlApi.reconcile, { parts: { saleId }, ...repair })
export const recoverSale = (saleId: string) => control(controlApi.recover, { parts: { saleId }, ...repair })
export const redriveDeadLetters = () => control(controlApi.redrive, repair)
export const listOrders = (query: Record<string, string>) => control(controlApi.listAllOrders, { query })
/** The shopper's orders and the rest of the shopper, by the same. */
export const findShopper = (find: string) => control(controlApi.findOrders, { body: { find, shopper: true } })
/** Orders by their number or id, or by their shopper. */
/** As long as the function may take where each sale of a large shop is asked. */
export const exportPerson = (shopperId: ShopperId) =>
  control(controlApi.exportPerson, { body: { shopperId }, deadlineMs: 35_000 })
export const erasePerson = (shopperId: ShopperId) =>
  control(controlApi.erasePerson, { body: { shopperId }, deadlineMs: 35_000 })
export const findOrders = (find: string, after?: string) =>
  control(controlApi.findOrders, { body: { find, ...(after !== undefined && { after }) } })
export const settleRefund = (orderId: OrderId) => control(controlApi.settleRefund, { parts: { orderId }, ...repair })
export const refundOrder = (orderId: OrderId) => control(controlApi.refund, { parts: { orderId }, ...repair })

export const shipOrders = (saleId: string, lines: readonly ShipmentLine[], dryRun: boolean) =>
  control(controlApi.ship, { parts: { saleId }, body: { lines, dryRun }, ...shipping })

const tables = { orders: controlApi.getOrders, coupons: controlApi.getCoupons, packets: controlApi.getPackets } as const

export type TableName = keyof typeof tables

/** As long as the function may take to read one part of a table. */
const partDeadlineMs = 35_000

/** A part of a table of the sale; the first one is asked for with an empty `after`. */
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
