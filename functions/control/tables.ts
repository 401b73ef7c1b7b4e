/**
 * The tables of a sale: its orders, coupons and red packets. `GET /api/control/sales/{saleId}/coupons.csv` and `packets.csv`
 * answer them whole or in parts.
 */
import { controlOperations } from '../../core/api/control-requests.ts'
import { nextHeader } from '../../core/api/operation.ts'
import { type OrderId, type OrderQuarter, parseOrderId, type SaleId } from '../../core/ids.ts'
import { majorText } from '../../core/money.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { refundSum } from '../../core/orders/order-refunds.ts'
import { shownStatus } from '../../core/orders/order-standing.ts'
import { activeRedemption } from '../../core/orders/redemption.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import { reportColumns } from '../../core/report/sale-report.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { orderKey, orderParts } from '../table/keys.ts'
import { paidAtOf, type ReportedOrder, refundedAtOf, timeOfStatus } from '../table/orders/reported-order.ts'
import { orderRows } from '../table/sale/sale-rows.ts'
import { findSale } from '../table/sale/sales.ts'
import { refusal, unknownSale } from './answers.ts'
import { type CsvColumns, type CsvPart, type CsvTable, columnsTable, csvPart } from './csv.ts'
import { onControl } from './staff.ts'

/** Times are ISO 8601 in UTC, amounts in major units of the currency, such as `79.00`. */
const plainCells: CsvColumns<Omit<ReportedOrder, 'orderId' | 'dispute' | 'shown'>> = {
  shopperId: ({ shopperId }) => shopperId,
  quantity: ({ quantity }) => quantity,
  variant: ({ variant }) => variant,
  amount: ({ amount, currency }) => majorText(amount, currency),
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  reservedAt: ({ reservedAt }) => timeOf(reservedAt),
}

const reportedCells: CsvColumns<ReportedOrder> = {
  ...plainCells,
  reservedAt: cachedTimesOf(({ reservedAt }) => reservedAt),
  paidAt: cachedTimesOf(({ paidAt }) => paidAt),
  endedAt: cachedTimesOf(({ endedAt }) => endedAt),
  refundDue: ({ refundDue, currency }) => moneyText(refundDue, currency),
  refundReturned: ({ refundReturned, currency }) => moneyText(refundReturned, currency),
  dispute: ({ dispute }) => dispute,
  source: ({ source }) => source,
  shown: ({ shown }) => shown,
}

/** The columns for accounting and support. */
export const orderCells: CsvColumns<Order> = {
  orderId: ({ orderId }) => orderId,
  orderNumber: ({ orderNumber }) => orderNumber,
  ...plainCells,
  status: shownStatus,
  paymentId: ({ payment }) => payment?.paymentId,
  paidAt: (order) => timeOf(paidAtOf(order)),
  refundReturned: (order) =>
    moneyText(
      refundSum(order, ({ returned }) => returned),
      order.currency,
    ),
  refundedAt: (order) => timeOf(shownStatus(order) === 'refunded' ? refundedAtOf(order) : undefined),
  shippedAt: (order) => timeOf(timeOfStatus(order, ['shipped'])),
  carrier: ({ shipment }) => shipment?.carrier,
  tracking: ({ shipment }) => shipment?.tracking,
  link: ({ shipment }) => shipment?.link,
}

export const reportedOrdersTable = columnsTable(reportedCells, reportColumns, ({ orderId }) => orderId)

/** Returns the table of coupons. Codes are written as shoppers see them, so that a search finds them. */
export function couponsTable({ coupons }: Pick<Sale, 'coupons'>): CsvTable<Order> {
  const validity = [timeOf(coupons?.validFrom), timeOf(coupons?.validUntil)]
  return {
    headings: [
      ...['code', 'orderId', 'shopperId', 'status', 'issuedAt', 'validFrom', 'validUntil'],
      ...['redeemedAt', 'redeemedBy', 'reference', 'orderNumber'],
    ],
    cursorOf: ({ orderId }) => orderId,
    linesOf: (order) => {
      const { orderId, orderNumber, shopperId, status, writtenAt, coupons: codes = [] } = order
      const facts = [orderId, shopperId, holdsUnits(status) ? 'valid' : 'void', timeOf(writtenAt), ...validity]
      return codes.map((code) => {
        const redemption = activeRedemption(order, code)
        const { shop, reference } = redemption ?? {}
        const own = redemption === undefined ? facts : facts.with(2, 'redeemed')
        return [formatCoupon(code), ...own, timeOf(redemption?.at), shop, reference, orderNumber]
      })
    },
  }
}

/** One row for each credited claim. */
export const packetsTable: CsvTable<Order> = {
  headings: ['packetId', 'shopperId', 'amount', 'currency', 'claimedAt', 'creditedAt'],
  cursorOf: ({ orderId }) => orderId,
  linesOf: ({ saleId, shopperId, packet, status, reservedAt, writtenAt }) => {
    if (packet === undefined || status !== 'fulfilled') return []
    const { number, amount, currency } = packet
    const facts = [packetIdOf(saleId, number), shopperId, majorText(amount, currency), currency]
    return [[...facts, timeOf(reservedAt), timeOf(writtenAt)]]
  },
}

const moneyText = (amount: number | undefined, currency: string) =>
  amount === undefined ? '' : majorText(amount, currency)

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** Formats the times of a column like `timeOf`. Neighbouring times are close, so the text of a second is cached. */
function cachedTimesOf(of: (order: ReportedOrder) => number | undefined): (order: ReportedOrder) => string {
  let [second, text] = [Number.NaN, '']
  return (order) => {
    const ms = of(order)
    if (ms === undefined) return ''
    const now = Math.floor(ms / 1000)
    if (now !== second) {
      second = now
      text = new Date(1000 * now).toISOString().slice(0, -4)
    }
    return `${text}${String(ms - 1000 * now).padStart(3, '0')}Z`
  }
}

/** A call for a table of a sale; `after` is undefined for the whole table. */
export type TableCall = { params: { saleId: SaleId }; query: { after?: string | undefined } }

type TableRequest<Ports> = { ports: Ports; sale: Sale; after: string | undefined }
type OrdersRequest = TableRequest<Pick<ShopContext, 'table'>>

/** Reads a part of the table; undefined when `after` is not a cursor of it. */
type ReadPart<Ports> = (request: TableRequest<Ports>) => Promise<CsvPart | undefined> | undefined

export const tableRoutes = [
  onControl(controlOperations.getCoupons, (ports: Pick<ShopContext, 'table'>, call) =>
    answerTable(ports, call, 'coupons', (request) => readOrders(request, couponsTable(request.sale))),
  ),
  onControl(controlOperations.getPackets, (ports: Pick<ShopContext, 'table'>, call) =>
    answerTable(ports, call, 'packets', (request) => readOrders(request, packetsTable)),
  ),
]

function readOrders({ ports, sale: { saleId }, after }: OrdersRequest, table: CsvTable<Order>) {
  const from = orderCursor(saleId, after)
  return from && csvPart(table, orderRows(ports.table, saleId, from.cursor), from.isFirst)
}

/**
 * Returns where a part of the orders of a sale, or of a quarter of them, begins; undefined when `after` is not a cursor of it.
 */
export function orderCursor(
  saleId: SaleId,
  after: string | undefined,
  quarter?: OrderQuarter,
): { isFirst: boolean; cursor: OrderId | undefined } | undefined {
  if (after === undefined || after === '') return { isFirst: true, cursor: undefined }
  const cursor = parseOrderId(after)
  const isAmong = cursor !== undefined && orderParts(saleId, quarter).includes(orderKey(cursor).pk)
  return isAmong ? { isFirst: false, cursor } : undefined
}

/**
 * Answers a table. Without `after` the answer is the whole table or a refusal: a client that does not know of parts must not
 * take the first one for the whole. An empty `after` asks for the first part.
 */
export async function answerTable<Ports extends Pick<ShopContext, 'table'>>(
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
