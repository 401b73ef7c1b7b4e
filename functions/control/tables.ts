/** What the tables of a sale say: its orders for the books, its coupons, its red packets. */

import { majorText } from '../../core/money.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import { refundSum } from '../../core/orders/order-refunds.ts'
import { standingRedemption } from '../../core/orders/redemption.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { reportColumns } from '../../core/report/sale-report.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { paidAtOf, type ReportedOrder, timeOfStatus } from '../table/orders/reported-order.ts'
import type { CreditedClaim } from '../table/packets/claim-ledger.ts'
import { type CsvColumns, type CsvTable, columnsTable } from './csv.ts'

/** Times are ISO 8601 in UTC, amounts in major units of the currency, such as `79.00`. */
const plainCells: CsvColumns<Omit<ReportedOrder, 'orderId' | 'dispute'>> = {
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
  reservedAt: timesOf(({ reservedAt }) => reservedAt),
  paidAt: timesOf(({ paidAt }) => paidAt),
  endedAt: timesOf(({ endedAt }) => endedAt),
  refundDue: ({ refundDue, currency }) => moneyText(refundDue, currency),
  refundReturned: ({ refundReturned, currency }) => moneyText(refundReturned, currency),
  dispute: ({ dispute }) => dispute,
  source: ({ source }) => source,
}

/** What the accounts and the support of a shop need of an order. */
export const orderCells: CsvColumns<Order> = {
  orderId: ({ orderId }) => orderId,
  orderNumber: ({ orderNumber }) => orderNumber,
  ...plainCells,
  paymentId: ({ payment }) => payment?.paymentId,
  paidAt: (order) => timeOf(paidAtOf(order)),
  refundReturned: (order) =>
    moneyText(
      refundSum(order, ({ returned }) => returned),
      order.currency,
    ),
  refundedAt: (order) => timeOf(timeOfStatus(order, ['refunded'])),
  shippedAt: (order) => timeOf(timeOfStatus(order, ['shipped'])),
  carrier: ({ shipment }) => shipment?.carrier,
  tracking: ({ shipment }) => shipment?.tracking,
}

/** The columns that a report reads. */
export const reportedOrdersTable = columnsTable(reportedCells, reportColumns, ({ orderId }) => orderId)

/** Codes are as shoppers hold them, so that a search finds them. */
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
        const redemption = standingRedemption(order, code)
        const { shop, reference } = redemption ?? {}
        const own = redemption === undefined ? facts : facts.with(2, 'redeemed')
        return [formatCoupon(code), ...own, timeOf(redemption?.at), shop, reference, orderNumber]
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

const moneyText = (amount: number | undefined, currency: string) =>
  amount === undefined ? '' : majorText(amount, currency)

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** The same for a column, whose times are near one another: the text of a second is made once. */
function timesOf(of: (order: ReportedOrder) => number | undefined): (order: ReportedOrder) => string {
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
