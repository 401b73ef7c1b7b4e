/** `GET /api/control/sales/{saleId}/coupons.csv` and `packets.csv`, whole or in parts. */

import { nextHeader } from '../../core/api/next-header.ts'
import { type OrderId, parseOrderId, type SaleId, saleOfOrder } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { maxPackets } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import type { SaleRows } from '../table/sale/sale-rows.ts'
import { refusal, unknownSale } from './answers.ts'
import { type CsvPart, type CsvTable, csvPart } from './csv.ts'
import { couponsTable, packetsTable } from './tables.ts'

export type TablePorts = {
  sales: { find: (saleId: SaleId) => Promise<{ sale: Sale } | undefined> }
  rows: SaleRows
}

type Context = { ports: TablePorts; request: HttpRequest; saleId: SaleId }

type AskedOf<Ports> = { ports: Ports; sale: Sale; after: string | null }
type Asked = AskedOf<TablePorts>

/** A part of the table, or undefined for an `after` that is no cursor of it. */
type ReadPart<Ports> = (asked: AskedOf<Ports>) => Promise<CsvPart> | undefined

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

function readOrders({ ports, sale: { saleId }, after }: Asked, table: CsvTable<Order>) {
  const from = orderCursor(saleId, after)
  return from && csvPart(table, ports.rows.orders(saleId, from.cursor), from.isFirst)
}

/** Where a part of the orders of a sale begins; undefined for an `after` that is no cursor of it. */
export function orderCursor(
  saleId: SaleId,
  after: string | null,
): { isFirst: boolean; cursor: OrderId | undefined } | undefined {
  if (after === null || after === '') return { isFirst: true, cursor: undefined }
  const cursor = parseOrderId(after)
  const isOfSale = cursor !== undefined && saleOfOrder(cursor) === saleId
  return isOfSale ? { isFirst: false, cursor } : undefined
}

/**
 * Without `after` the answer is the whole table, or a refusal: a client that knows nothing of parts
 * must not take the first one for all. With an empty `after` it is the first part.
 */
export async function answerTable<Ports extends Pick<TablePorts, 'sales'>>(
  { ports, request, saleId }: { ports: Ports; request: HttpRequest; saleId: SaleId },
  name: 'orders' | 'coupons' | 'packets',
  read: ReadPart<Ports>,
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
