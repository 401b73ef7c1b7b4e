/** `GET /api/control/sales/{saleId}/coupons.csv` and `packets.csv`, whole or in parts. */

import { controlOperations } from '../../core/api/control-requests.ts'
import { nextHeader } from '../../core/api/operation.ts'
import { type OrderId, type OrderQuarter, parseOrderId, type SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { maxPackets } from '../../core/packets/packets.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { orderKey, orderParts } from '../table/keys.ts'
import { orderRows, packetRows } from '../table/sale/sale-rows.ts'
import { findSale } from '../table/sale/sales.ts'
import { refusal, unknownSale } from './answers.ts'
import { type CsvPart, type CsvTable, csvPart } from './csv.ts'
import { onControl } from './entrance.ts'
import { couponsTable, packetsTable } from './tables.ts'

/** A call for a table of a sale; `after` is undefined for the whole table. */
export type TableCall = { params: { saleId: SaleId }; query: { after?: string | undefined } }

type AskedOf<Ports> = { ports: Ports; sale: Sale; after: string | undefined }
type Asked = AskedOf<Pick<Shop, 'table'>>

/** A part of the table, or undefined for an `after` that is no cursor of it. */
type ReadPart<Ports> = (asked: AskedOf<Ports>) => Promise<CsvPart | undefined> | undefined

export const tableRoutes = [
  onControl(controlOperations.getCoupons, (ports: Pick<Shop, 'table'>, call) =>
    answerTable(ports, call, 'coupons', (asked) => readOrders(asked, couponsTable(asked.sale))),
  ),
  onControl(controlOperations.getPackets, (ports: Pick<Shop, 'table'>, call) =>
    answerTable(ports, call, 'packets', ({ sale, after }) => {
      const isFirst = isStart(after)
      const cursor = isFirst ? undefined : packetIn(after)
      if (!isFirst && cursor === undefined) return undefined
      return csvPart(packetsTable(sale), packetRows(ports.table, sale.saleId, cursor), isFirst)
    }),
  ),
]

function readOrders({ ports, sale: { saleId }, after }: Asked, table: CsvTable<Order>) {
  const from = orderCursor(saleId, after)
  return from && csvPart(table, orderRows(ports.table, saleId, from.cursor), from.isFirst)
}

/** Where a part of the orders of a sale, or of a quarter of them, begins; undefined for an `after` that is no cursor of it. */
export function orderCursor(
  saleId: SaleId,
  after: string | undefined,
  quarter?: OrderQuarter,
): { isFirst: boolean; cursor: OrderId | undefined } | undefined {
  if (isStart(after)) return { isFirst: true, cursor: undefined }
  const cursor = parseOrderId(after)
  const isAmong = cursor !== undefined && orderParts(saleId, quarter).includes(orderKey(cursor).pk)
  return isAmong ? { isFirst: false, cursor } : undefined
}

/**
 * Without `after` the answer is the whole table, or a refusal: a client that knows nothing of parts
 * must not take the first one for all. With an empty `after` it is the first part.
 */
export async function answerTable<Ports extends Pick<Shop, 'table'>>(
  ports: Ports,
  { params: { saleId }, query: { after } }: TableCall,
  name: 'orders' | 'coupons' | 'packets',
  read: ReadPart<Ports>,
): Promise<HttpAnswer> {
  const sale = (await findSale(ports.table, saleId))?.sale
  if (sale === undefined) return unknownSale()
  if (name === 'coupons' && sale.kind !== 'coupon') return refusal({ reason: 'no-coupons' })
  if (name === 'packets' && sale.kind !== 'red-packet') return refusal({ reason: 'no-packets' })
  const part = await read({ ports, sale, after })
  if (part === undefined) return invalid('after', 'after must be the next of another part')
  if (after === undefined && part.next !== undefined) return refusal({ reason: 'table-in-parts' }, 'too-large')
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

/** Whether the first part is asked for, or the whole. */
function isStart(after: string | undefined): after is '' | undefined {
  return after === undefined || after === ''
}

function packetIn(text: string): number | undefined {
  const packet = /^\d{1,7}$/.test(text) ? Number(text) : maxPackets
  return packet < maxPackets ? packet : undefined
}
