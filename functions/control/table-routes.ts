/** `GET /api/control/sales/{saleId}/orders.csv`, `coupons.csv` and `packets.csv`, whole or in parts. */
import { parseOrderId, type SaleId, saleOfOrder } from '../../core/ids.ts'
import { nextHeader } from '../../core/next-header.ts'
import { maxPackets } from '../../core/packets.ts'
import type { Sale } from '../../core/sale.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { refusal, unknownSale } from './answers.ts'
import { type CsvPart, type CsvTable, csvPart } from './csv.ts'
import { couponsTable, ordersTable, packetsTable, type SaleRows } from './tables.ts'

export type TablePorts = {
  sales: { find: (saleId: SaleId) => Promise<{ sale: Sale } | undefined> }
  rows: SaleRows
}

type Context = { ports: TablePorts; request: HttpRequest; saleId: SaleId }

type Asked = { ports: TablePorts; sale: Sale; after: string | null }

/** A part of the table, or undefined for an `after` that is no cursor of it. */
type ReadPart = (asked: Asked) => Promise<CsvPart> | undefined

export async function answerOrdersTable(context: Context): Promise<HttpAnswer> {
  return answerTable(context, 'orders', (asked) => readOrders(asked, ordersTable))
}

export async function answerCouponsTable(context: Context): Promise<HttpAnswer> {
  return answerTable(context, 'coupons', (asked) => readOrders(asked, couponsTable(asked.sale)))
}

export async function answerPacketsTable(context: Context): Promise<HttpAnswer> {
  return answerTable(context, 'packets', ({ ports, sale, after }) => {
    const isFirst = after === null || after === ''
    const cursor = isFirst ? undefined : packetIn(after)
    if (!isFirst && cursor === undefined) return undefined
    return csvPart(packetsTable(sale), ports.rows.packets(sale.saleId, cursor), isFirst)
  })
}

function readOrders(
  { ports, sale: { saleId }, after }: Asked,
  table: CsvTable<Parameters<typeof ordersTable.cursorOf>[0]>,
): Promise<CsvPart> | undefined {
  const isFirst = after === null || after === ''
  const cursor = isFirst ? undefined : parseOrderId(after)
  if (!isFirst && (cursor === undefined || saleOfOrder(cursor) !== saleId)) return undefined
  return csvPart(table, ports.rows.orders(saleId, cursor), isFirst)
}

/**
 * Without `after` the answer is the whole table, or a refusal: a client that knows nothing of parts
 * must not take the first one for all. With an empty `after` it is the first part.
 */
async function answerTable(
  { ports, request, saleId }: Context,
  name: 'orders' | 'coupons' | 'packets',
  read: ReadPart,
): Promise<HttpAnswer> {
  const { query } = request
  const unknown = [...query.keys()].find((key) => key !== 'after')
  if (unknown !== undefined) return invalid(unknown, `${unknown} is not a parameter of this table`)
  const sale = (await ports.sales.find(saleId))?.sale
  if (sale === undefined) return unknownSale()
  if (name === 'coupons' && sale.kind !== 'coupon') return refusal({ reason: 'no-coupons' })
  if (name === 'packets' && sale.kind !== 'red-packet') return refusal({ reason: 'no-packets' })
  const after = query.get('after')
  const part = await read({ ports, sale, after })
  if (part === undefined) return invalid('after', 'after must be the next of another part')
  if (after === null && part.next !== undefined) return refusal({ reason: 'table-in-parts' }, 'too-large')
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${saleId}-${name}.csv"`,
      'cache-control': 'no-store',
      ...(part.next !== undefined && { [nextHeader]: part.next }),
    },
    body: part.text,
  }
}

function packetIn(text: string): number | undefined {
  const packet = /^\d{1,7}$/.test(text) ? Number(text) : maxPackets
  return packet < maxPackets ? packet : undefined
}
