/** `/api/control` as the console sees it. */
import { parseSaleId } from '../../../core/ids.ts'
import type { Phase } from '../../../core/phase.ts'
import type { SaleDefinition, SaleEdit, SaleState } from '../../../core/sale.ts'
import { call, type Reply, type Request } from '../http.ts'
import { type Fields, fieldsOf } from '../wire.ts'

/** A sale without its start token: the console has no use for it. */
export type ConsoleSale = SaleDefinition & Omit<SaleState, 'startToken'>

/** The live numbers. `total` and `available` are -1 when the stock is unlimited; `stock` is null before it is warm. */
export type Live = {
  sale: ConsoleSale
  phase: Phase
  stock: { total: number; booked: number; available: number } | null
  sold: number
  outbox: number
  queue: { visible: number; inFlight: number }
  deadLetters: number
  now: number
}

export type AuditEntry = {
  when: number
  who: string
  what: string
  saleId: string
  before: unknown
  after: unknown
}

export type Refused = Exclude<Reply, { kind: 'ok' }>
export type Answer<T> = { ok: true; value: T } | { ok: false; reply: Refused }

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

export const listSales = () => control('/sales', (body) => readList(body, 'sales', readSale))
export const createSale = (sale: SaleDefinition) => control('/sales', anything, { body: sale })
export const editSale = (saleId: string, edit: SaleEdit) =>
  control(salePath(saleId), anything, { method: 'PATCH', body: edit })
export const deleteSale = (saleId: string) => control(salePath(saleId), anything, { method: 'DELETE' })
export const act = (saleId: string, verb: string, body: object = {}) =>
  control(`${salePath(saleId)}/${verb}`, anything, { body, deadlineMs: 20_000 })
export const changeStock = (saleId: string, delta: number) =>
  control(`${salePath(saleId)}/stock`, anything, { body: { delta } })
export const getLive = (saleId: string) => control(`${salePath(saleId)}/live`, readLive)
export const getAudit = (day: string) =>
  control(`/audit?day=${day}`, (body) => readList(body, 'entries', readEntry))

function readList<T>(body: unknown, name: string, read: (item: unknown) => T | undefined): T[] | undefined {
  const list = fieldsOf(body)?.[name]
  return Array.isArray(list) ? list.map(read).filter((item) => item !== undefined) : undefined
}

/** A sale of our own control function: the console trusts its fields once the id and the numbers are there. */
function readSale(value: unknown): ConsoleSale | undefined {
  const sale = fieldsOf(value)
  if (sale === undefined || parseSaleId(sale.saleId) === undefined) return undefined
  const numbers = ['price', 'stock', 'startsAt', 'endsAt', 'epoch', 'version', 'limitPerShopper']
  return numbers.every((name) => typeof sale[name] === 'number')
    ? (sale as unknown as ConsoleSale)
    : undefined
}

function readLive(value: unknown): Live | undefined {
  const live = fieldsOf(value)
  const sale = readSale(live?.sale)
  if (live === undefined || sale === undefined) return undefined
  const stock = fieldsOf(live.stock)
  const queue = fieldsOf(live.queue)
  return {
    sale,
    phase: live.phase as Phase,
    stock:
      stock === undefined
        ? null
        : {
            total: number(stock, 'total'),
            booked: number(stock, 'booked'),
            available: number(stock, 'available'),
          },
    sold: number(fieldsOf(live.orders), 'sold'),
    outbox: number(live, 'outbox'),
    queue: { visible: number(queue, 'visible'), inFlight: number(queue, 'inFlight') },
    deadLetters: number(live, 'deadLetters'),
    now: number(live, 'now'),
  }
}

function readEntry(value: unknown): AuditEntry | undefined {
  const entry = fieldsOf(value)
  if (entry === undefined) return undefined
  const when = typeof entry.when === 'number' ? entry.when : Date.parse(String(entry.when))
  const text = (name: string) => (typeof entry[name] === 'string' ? entry[name] : '')
  return {
    when,
    who: text('who'),
    what: text('what'),
    saleId: text('saleId'),
    before: entry.before,
    after: entry.after,
  }
}

function number(fields: Fields | undefined, name: string): number {
  const value = fields?.[name]
  return typeof value === 'number' ? value : 0
}
