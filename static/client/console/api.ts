/** The calls to `/api/control`. */
import type { Block } from '../../../core/block.ts'
import type { TableAnswer } from '../../../core/coupon-table.ts'
import type { OrderId } from '../../../core/ids.ts'
import type { SaleDefinition, SaleEdit } from '../../../core/sale.ts'
import { call, type Reply, type Request } from '../http.ts'
import { readEntry, readList, readLive } from './read.ts'
import { readBlock } from './read-block.ts'
import { readChecked, readRecovered, readRedriven, readRefunded } from './read-care.ts'
import { readSalesPage } from './read-sales-page.ts'

export type Refused = Exclude<Reply, { kind: 'ok' }>
type Answer<T> = { ok: true; value: T } | { ok: false; reply: Refused }

const fetch = window.fetch.bind(window)

async function control<T>(
  path: string,
  read: (body: unknown) => T | undefined,
  request?: Request,
): Promise<Answer<T>> {
  const reply = await call(fetch, `/api/control${path}`, request)
  if (reply.kind !== 'ok') return { ok: false, reply }
  const value = read(reply.body)
  return value === undefined ? { ok: false, reply: { kind: 'lost' } } : { ok: true, value }
}

const anything = () => true
const salePath = (saleId: string) => `/sales/${encodeURIComponent(saleId)}`

export const listSales = ({ after, archived }: { after?: string; archived: boolean }) => {
  const query = new URLSearchParams({
    ...(after !== undefined && { after }),
    ...(archived && { archived: 'true' }),
  })
  return control(query.size === 0 ? '/sales' : `/sales?${query}`, readSalesPage)
}
export const createSale = (sale: SaleDefinition) => control('/sales', anything, { body: sale })
export const editSale = (saleId: string, edit: SaleEdit) =>
  control(salePath(saleId), anything, { method: 'PATCH', body: edit })
export const deleteSale = (saleId: string) => control(salePath(saleId), anything, { method: 'DELETE' })
export const act = (saleId: string, verb: string, body: object = {}) =>
  control(`${salePath(saleId)}/${verb}`, anything, { body, deadlineMs: 20_000 })
export const changeStock = (saleId: string, delta: number, key: string) =>
  control(`${salePath(saleId)}/stock`, anything, { body: { delta }, headers: { 'idempotency-key': key } })
export const getLive = (saleId: string) => control(`${salePath(saleId)}/live`, readLive)
export const getAudit = (day: string) =>
  control(`/audit?day=${day}`, (body) => readList(body, 'entries', readEntry))

/** Every character of a block may stand in a path as it is. */
const blockPath = ({ kind, value }: Block) => `/blocklist/${kind}/${value}`

export const listBlocks = () => control('/blocklist', (body) => readList(body, 'entries', readBlock))
export const setBlocked = (block: Block, blocked: boolean) =>
  control(blockPath(block), anything, { method: blocked ? 'PUT' : 'DELETE' })

/** Longer than the function behind the repairs may take: what it answers is worth waiting for. */
const repair = { body: {}, deadlineMs: 35_000 }

export const checkSale = (saleId: string) => control(`${salePath(saleId)}/reconcile`, readChecked, repair)
export const recoverSale = (saleId: string) => control(`${salePath(saleId)}/recover`, readRecovered, repair)
export const redriveDeadLetters = () => control('/dead-letters/redrive', readRedriven, repair)
export const refundOrder = (orderId: OrderId) =>
  control(`/orders/${encodeURIComponent(orderId)}/refund`, readRefunded, repair)

/** As long as the function may take to read all orders of a sale. */
const tableDeadlineMs = 35_000

const asTable = (body: unknown) => (typeof body === 'string' ? body : undefined)

/** The orders of a sale as CSV. */
export const getOrdersTable = (saleId: string) =>
  control(`${salePath(saleId)}/orders.csv`, asTable, { as: 'text', deadlineMs: tableDeadlineMs })

/** The coupon codes of a sale as a table, or one part of them. */
export async function askCoupons(saleId: string, part: number | undefined): Promise<TableAnswer<Refused>> {
  const query = part === undefined ? '' : `?part=${part}`
  const path = `${salePath(saleId)}/coupons.csv${query}`
  const answer = await control(path, asTable, { as: 'text', deadlineMs: tableDeadlineMs })
  if (answer.ok) return { kind: 'table', text: answer.value }
  const { reply } = answer
  const tooLarge = reply.kind === 'refused' && reply.problem?.code === 'too-large'
  return { kind: 'failed', failure: reply, tooLarge }
}
