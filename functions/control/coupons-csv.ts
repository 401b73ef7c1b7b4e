/**
 * The coupons of a sale as a table, for the shop that redeems them. A large sale has more of them
 * than one answer holds, so each partition of its orders is a table of its own.
 */
import { formatCoupon } from '../../core/coupon.ts'
import type { SaleId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { csvOf } from './csv.ts'

/** An order that has codes, whether it stands or not. */
export type CouponOrder = Pick<Order, 'orderId' | 'shopperId' | 'status' | 'writtenAt'> &
  Required<Pick<Order, 'coupons'>>

export type CouponOrders = {
  /** Into how many parts the orders of every sale are divided. */
  parts: number
  /**
   * Every order of the sale that has codes, or of one part of it: from 0, below `parts`. They are
   * no snapshot.
   */
  pages: (saleId: SaleId, part?: number) => AsyncIterable<readonly CouponOrder[]>
}

const headings = ['code', 'orderId', 'shopperId', 'status', 'issuedAt', 'validFrom', 'validUntil']

/**
 * Undefined when the coupons are too many for one answer. Codes are as shoppers hold them, so that
 * a search finds them.
 */
export function couponsCsv(
  { couponOrders }: { couponOrders: CouponOrders },
  { saleId, coupons }: Pick<Sale, 'saleId' | 'coupons'>,
  part: number | undefined,
): Promise<string | undefined> {
  const validity = [timeOf(coupons?.validFrom), timeOf(coupons?.validUntil)]
  return csvOf(headings, couponOrders.pages(saleId, part), (order) => {
    const { orderId, shopperId, status, writtenAt } = order
    const facts = [orderId, shopperId, holdsUnits(status) ? 'valid' : 'void', timeOf(writtenAt), ...validity]
    return order.coupons.map((code) => [formatCoupon(code), ...facts])
  })
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString()
}
