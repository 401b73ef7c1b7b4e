/**
 * Finds the order of a coupon code. An entry is written before its order, because an order may have more codes than a
 * transaction has items. The order decides: an entry whose order was never written, or was written with other codes by another
 * message, names no coupon.
 */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { CouponCode } from '../../../core/orders/coupon.ts'
import { maxItems } from '../../lib/group-commit.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { findItem, UnexpectedItem } from '../dynamodb.ts'
import { couponKey } from '../keys.ts'
import { runTransaction } from '../transaction.ts'
import type { OrderWriter } from './order-writer.ts'

/** Returns the order that a code may belong to, which decides; strongly consistent. @throws when the table is unavailable */
export async function orderOfCoupon(table: Table, code: CouponCode): Promise<OrderId | undefined> {
  const item = await findItem(table, couponKey(code))
  if (item === undefined) return undefined
  const orderId = parseOrderId(item.orderId)
  if (orderId === undefined) throw new UnexpectedItem('a coupon', 'it must name an order')
  return orderId
}

/** Wraps a writer so that it first writes the entries of a chunk's coupons, once per writer, in a try of its own. */
export function withCouponEntries(table: Table, writer: OrderWriter): OrderWriter {
  const entered = new WeakSet<readonly CouponCode[]>()
  return {
    async write(chunk) {
      const fresh = chunk.flatMap(({ order: { orderId, coupons } }) =>
        coupons === undefined || entered.has(coupons) ? [] : [{ orderId, coupons }],
      )
      if (fresh.length === 0) return writer.write(chunk)
      const puts = fresh.flatMap(({ orderId, coupons }) =>
        coupons.map((code) => ({ Put: { TableName: table.name, Item: { ...couponKey(code), orderId } } })),
      )
      // Concurrently, because no two share an item and a chunk has few.
      const tries = await Promise.all(slicesOf(puts, maxItems).map((some) => runTransaction(table, some)))
      for (const tried of tries) {
        if (tried.kind === 'refused') throw new Error('the entries of coupons have no condition')
        if (tried.kind !== 'written') return tried
      }
      for (const { coupons } of fresh) entered.add(coupons)
      return { kind: 'begun' }
    },
  }
}
