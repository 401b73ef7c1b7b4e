/** What the tables of a sale say: its orders for the books, its coupons, its red packets. */

import { majorText } from '../../core/money.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import { holdsUnits, type Order, type OrderRefund, type WithdrawnUnits } from '../../core/orders/order.ts'
import { refundSum, refundTotal } from '../../core/orders/order-refunds.ts'
import { standingRedemption } from '../../core/orders/redemption.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import { reportColumns } from '../../core/report/sale-report.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { basketText } from '../../core/sale/variants.ts'
import { endedAtOf, paidAtOf, type ReportedOrder, timeOfStatus } from '../table/orders/reported-order.ts'
import type { CreditedClaim } from '../table/packets/claim-ledger.ts'
import { type CsvColumns, type CsvTable, columnsTable } from './csv.ts'

/** Times are ISO 8601 in UTC, amounts in major units of the currency, such as `79.00`. */
const plainCells: CsvColumns<Omit<ReportedOrder, 'orderId' | 'dispute'>> = {
  shopperId: ({ shopperId }) => shopperId,
  quantity: ({ quantity }) => quantity,
  variants: ({ basket }) => basket && basketText(basket),
  amount: ({ amount, currency }) => majorText(amount, currency),
  currency: ({ currency }) => currency,
  status: ({ status }) => status,
  reservedAt: ({ reservedAt }) => timeOf(reservedAt),
  source: ({ source }) => source,
}

const reportedCells: CsvColumns<ReportedOrder> = {
  ...plainCells,
  reservedAt: timesOf(({ reservedAt }) => reservedAt),
  paidAt: timesOf(({ paidAt }) => paidAt),
  endedAt: timesOf(({ endedAt }) => endedAt),
  refundDue: ({ refundDue, currency }) => moneyText(refundDue, currency),
  refundReturned: ({ refundReturned, currency }) => moneyText(refundReturned, currency),
  dispute: ({ dispute }) => dispute,
}

/** `variants` are the units of each variant by its id, such as `m*1+s*2`. */
export const orderCells: CsvColumns<Order> = {
  ...plainCells,
  paidAt: (order) => timeOf(paidAtOf(order)),
  endedAt: (order) => timeOf(endedAtOf(order)),
  refundDue: (order) => moneyText(refundSum(order, refundTotal), order.currency),
  refundReturned: (order) =>
    moneyText(
      refundSum(order, ({ returned }) => returned),
      order.currency,
    ),
  dispute: ({ dispute }) => dispute?.state,
  orderId: ({ orderId }) => orderId,
  orderNumber: ({ orderNumber }) => orderNumber,
  reason: ({ reason }) => reason,
  writtenAt: ({ writtenAt }) => timeOf(writtenAt),
  payBy: ({ amount, payBy }) => (amount === 0 ? '' : timeOf(payBy)),
  paymentId: ({ payment }) => payment?.paymentId,
  paymentState: ({ payment }) => payment?.state,
  paymentStartedAt: ({ payment }) => timeOf(payment?.startedAt),
  refundedAt: (order) => timeOf(timeOfStatus(order, ['refunded'])),
  refunds: ({ refunds = [] }) => refunds.map(refundText).join('; '),
  history: ({ history }) => history.map(({ at, what, status: then }) => `${timeOf(at)} ${what} ${then}`).join('; '),
  shippedAt: (order) => timeOf(timeOfStatus(order, ['shipped'])),
  deliveredAt: (order) => timeOf(timeOfStatus(order, ['delivered'])),
  carrier: ({ shipment }) => shipment?.carrier,
  tracking: ({ shipment }) => shipment?.tracking,
  withdrawnAt: ({ withdrawal }) => timeOf(withdrawal?.at),
  withdrawnUnits: ({ withdrawal }) => unitsOf(withdrawal),
  returnedAt: ({ withdrawal }) => timeOf(withdrawal?.returned?.at),
  returnedUnits: ({ withdrawal }) => unitsOf(withdrawal?.returned),
}

export const orderHeadings = [
  ...['orderId', 'orderNumber', 'shopperId', 'quantity', 'variants', 'amount', 'currency', 'status', 'reason'],
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

/** Which units, as `variants` has them, or how many. */
const unitsOf = (units: WithdrawnUnits | undefined) => (units?.basket ? basketText(units.basket) : units?.quantity)

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

function refundText(refund: OrderRefund): string {
  const { paymentId, currency, returned, failedAt } = refund
  const money = (amount: number) => majorText(amount, currency)
  const sums = `${paymentId} ${money(returned)} of ${money(refundTotal(refund))} ${currency}`
  return failedAt === undefined ? sums : `${sums} returned by the bank`
}
