/** What the tables of a sale say: its orders for the books, its coupons, its red packets. */

import { majorText } from '../../core/money.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import {
  holdsUnits,
  type Order,
  type OrderRefund,
  type OrderStatus,
  type WithdrawnUnits,
} from '../../core/orders/order.ts'
import { refundTotal } from '../../core/orders/order-refunds.ts'
import { standingRedemption } from '../../core/orders/redemption.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { reportColumns } from '../../core/report/sale-report.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { basketText } from '../../core/sale/variants.ts'
import type { ReportedOrder } from '../table/orders/order-item.ts'
import type { CreditedClaim } from '../table/packets/claim-ledger.ts'
import { type CsvColumns, type CsvTable, columnsTable } from './csv.ts'

/** What a report reads of an order. Times are ISO 8601 in UTC, amounts in major units of the currency, such as `79.00`. */
const reportedCells: CsvColumns<ReportedOrder> = {
  shopperId: ({ shopperId }) => shopperId,
  quantity: ({ quantity }) => quantity,
  variants: ({ basket }) => basket && basketText(basket),
  amount: ({ amount, currency }) => majorText(amount, currency),
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  reservedAt: ({ reservedAt }) => timeOf(reservedAt),
  paidAt: ({ history }) => timeOf(history.find(({ what }) => what === 'payment-succeeded')?.at),
  endedAt: (order) => timeWhen(order, endStates),
  refundDue: (order) => refundedText(order, refundTotal),
  refundReturned: (order) => refundedText(order, ({ returned }) => returned),
  dispute: ({ dispute }) => dispute?.state,
  source: ({ source }) => source,
}

/** `variants` are the units of each variant by its id, such as `m*1+s*2`. */
export const orderCells: CsvColumns<Order> = {
  ...reportedCells,
  orderId: ({ orderId }) => orderId,
  orderNumber: ({ orderNumber }) => orderNumber,
  reason: ({ reason }) => reason,
  writtenAt: ({ writtenAt }) => timeOf(writtenAt),
  payBy: ({ amount, payBy }) => (amount === 0 ? '' : timeOf(payBy)),
  paymentId: ({ payment }) => payment?.paymentId,
  paymentState: ({ payment }) => payment?.state,
  paymentStartedAt: ({ payment }) => timeOf(payment?.startedAt),
  refundedAt: (order) => timeWhen(order, ['refunded']),
  refunds: ({ refunds = [] }) => refunds.map(refundText).join('; '),
  history: ({ history }) =>
    history.map(({ at, what, status: then }) => `${timeOf(at)} ${what} ${then}`).join('; '),
  shippedAt: (order) => timeWhen(order, ['shipped']),
  deliveredAt: (order) => timeWhen(order, ['delivered']),
  carrier: ({ shipment }) => shipment?.carrier,
  tracking: ({ shipment }) => shipment?.tracking,
  withdrawnAt: ({ withdrawal }) => timeOf(withdrawal?.at),
  withdrawnUnits: ({ withdrawal }) => unitsOf(withdrawal),
  returnedAt: ({ withdrawal }) => timeOf(withdrawal?.returned?.at),
  returnedUnits: ({ withdrawal }) => unitsOf(withdrawal?.returned),
}

export const orderHeadings = [
  ...[
    'orderId',
    'orderNumber',
    'shopperId',
    'quantity',
    'variants',
    'amount',
    'currency',
    'status',
    'reason',
  ],
  ...['reservedAt', 'writtenAt', 'payBy', 'paymentId', 'paymentState', 'paymentStartedAt', 'paidAt'],
  ...['endedAt', 'refundDue', 'refundReturned', 'refundedAt', 'refunds', 'history'],
  ...['shippedAt', 'deliveredAt', 'carrier', 'tracking', 'dispute', 'source'],
  ...['withdrawnAt', 'withdrawnUnits', 'returnedAt', 'returnedUnits'],
]

/** The columns that a report reads. */
export const reportedOrdersTable = columnsTable(reportedCells, reportColumns, ({ orderId }) => orderId)

/** Codes are as shoppers hold them, so that a search finds them. */
export function couponsTable({ coupons }: Pick<Sale, 'coupons'>): CsvTable<Order> {
  const validity = [timeOf(coupons?.validFrom), timeOf(coupons?.validUntil)]
  return {
    headings: [
      ...['code', 'orderId', 'shopperId', 'status', 'issuedAt', 'validFrom', 'validUntil'],
      ...['redeemedAt', 'redeemedBy', 'reference'],
    ],
    cursorOf: ({ orderId }) => orderId,
    linesOf: (order) => {
      const { orderId, shopperId, status, writtenAt, coupons: codes = [] } = order
      const facts = [
        orderId,
        shopperId,
        holdsUnits(status) ? 'valid' : 'void',
        timeOf(writtenAt),
        ...validity,
      ]
      return codes.map((code) => {
        const redemption = standingRedemption(order, code)
        const { shop, reference } = redemption ?? {}
        const own = redemption === undefined ? facts : facts.with(2, 'redeemed')
        return [formatCoupon(code), ...own, timeOf(redemption?.at), shop, reference]
      })
    },
  }
}

/** Each claim that was credited. `creditedAt` is empty for what earlier versions have credited. */
export function packetsTable({ saleId }: Pick<Sale, 'saleId'>): CsvTable<CreditedClaim> {
  return {
    headings: ['packetId', 'shopperId', 'amount', 'currency', 'claimedAt', 'creditedAt'],
    cursorOf: ({ packet }) => String(packet),
    linesOf: ({ packet, shopperId, amount, currency, claimedAt, creditedAt }) => [
      [
        ...[packetIdOf(saleId, packet), shopperId, majorText(amount, currency), currency],
        ...[timeOf(claimedAt), timeOf(creditedAt)],
      ],
    ],
  }
}

/** Which units, as `variants` has them, or how many. */
const unitsOf = (units: WithdrawnUnits | undefined) =>
  units?.basket ? basketText(units.basket) : units?.quantity

/** A payment of another amount may have come in another currency: it is in `refunds` alone. */
function refundedText(
  { refunds = [], currency }: Pick<Order, 'refunds' | 'currency'>,
  of: (refund: OrderRefund) => number,
): string {
  const own = refunds.filter((refund) => refund.currency === currency)
  return own.length === 0
    ? ''
    : majorText(
        own.reduce((sum, refund) => sum + of(refund), 0),
        currency,
      )
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** An order that a shop released is `refunded` at once, without `refund-due` before. */
const endStates: readonly OrderStatus[] = ['cancelled', 'rejected', 'refund-due', 'refunded']

/** When the order first got one of those statuses. */
function timeWhen({ history }: Pick<Order, 'history'>, statuses: readonly OrderStatus[]): string {
  return timeOf(history.find(({ status }) => statuses.includes(status))?.at)
}

function refundText(refund: OrderRefund): string {
  const { paymentId, currency, returned, failedAt } = refund
  const money = (amount: number) => majorText(amount, currency)
  const sums = `${paymentId} ${money(returned)} of ${money(refundTotal(refund))} ${currency}`
  return failedAt === undefined ? sums : `${sums} returned by the bank`
}
