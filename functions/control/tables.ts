/** What the tables of a sale say: its orders for the books, its coupons, its red packets. */

import { majorText } from '../../core/money.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import {
  holdsUnits,
  type Order,
  type OrderRefund,
  type OrderStatus,
  type Withdrawal,
} from '../../core/orders/order.ts'
import { refundTotal } from '../../core/orders/order-refunds.ts'
import { standingRedemption } from '../../core/orders/redemption.ts'
import { packetIdOf } from '../../core/packets/claim.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { basketText } from '../../core/sale/variants.ts'
import type { CreditedClaim } from '../table/packets/claim-ledger.ts'
import type { CsvTable } from './csv.ts'

/**
 * All times are ISO 8601 in UTC, all amounts in major units of the currency beside them, such as `79.00`. `variants`
 * are the units of each variant by its id, such as `m*1+s*2`.
 */
export const ordersTable: CsvTable<Order> = {
  headings: [
    ...['orderId', 'orderNumber', 'shopperId', 'quantity', 'variants', 'amount', 'currency', 'status'],
    ...[
      'reason',
      'reservedAt',
      'writtenAt',
      'payBy',
      'paymentId',
      'paymentState',
      'paymentStartedAt',
      'paidAt',
    ],
    ...['endedAt', 'refundDue', 'refundReturned', 'refundedAt', 'refunds', 'history'],
    ...['shippedAt', 'deliveredAt', 'carrier', 'tracking', 'dispute', 'source'],
    ...['withdrawnAt', 'withdrawnUnits', 'returnedAt', 'returnedUnits'],
  ],
  cursorOf: ({ orderId }) => orderId,
  linesOf: (order) => {
    const { orderId, orderNumber, shopperId, quantity, basket, amount, currency, status } = order
    const { reason, payment } = order
    const refunds = order.refunds ?? []
    const paidAt = order.history.find(({ what }) => what === 'payment-succeeded')?.at
    // A payment of another amount may have come in another currency: it is in `refunds` alone.
    const own = refunds.filter((refund) => refund.currency === currency)
    const total = (of: (refund: OrderRefund) => number) =>
      majorText(
        own.reduce((sum, refund) => sum + of(refund), 0),
        currency,
      )
    return [
      [
        ...[orderId, orderNumber, shopperId, quantity, basket && basketText(basket)],
        ...[majorText(amount, currency), currency, status, reason],
        ...[timeOf(order.reservedAt), timeOf(order.writtenAt), amount === 0 ? '' : timeOf(order.payBy)],
        ...[payment?.paymentId, payment?.state, timeOf(payment?.startedAt)],
        ...[timeOf(paidAt), timeWhen(order, endStates)],
        ...(own.length === 0 ? ['', ''] : [total(refundTotal), total(({ returned }) => returned)]),
        timeWhen(order, ['refunded']),
        refunds.map(refundText).join('; '),
        order.history.map(({ at, what, status: then }) => `${timeOf(at)} ${what} ${then}`).join('; '),
        ...[timeWhen(order, ['shipped']), timeWhen(order, ['delivered'])],
        ...[order.shipment?.carrier, order.shipment?.tracking, order.dispute?.state, order.source],
        ...withdrawnCells(order.withdrawal),
        ...withdrawnCells(order.withdrawal?.returned),
      ],
    ]
  },
}

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

/** When, and which units as `variants` has them, or how many. */
const withdrawnCells = (units: Omit<Withdrawal, 'statement' | 'returned'> | undefined) =>
  units === undefined
    ? ['', '']
    : [timeOf(units.at), units.basket ? basketText(units.basket) : units.quantity]

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}

/** When the order first got one of those statuses. */
/** What a shop has released is refunded at once, without a refund that is due. */
const endStates: readonly OrderStatus[] = ['cancelled', 'rejected', 'refund-due', 'refunded']

function timeWhen({ history }: Order, statuses: readonly OrderStatus[]): string {
  return timeOf(history.find(({ status }) => statuses.includes(status))?.at)
}

function refundText(refund: OrderRefund): string {
  const { paymentId, currency, returned, failedAt } = refund
  const money = (amount: number) => majorText(amount, currency)
  const sums = `${paymentId} ${money(returned)} of ${money(refundTotal(refund))} ${currency}`
  return failedAt === undefined ? sums : `${sums} returned by the bank`
}
