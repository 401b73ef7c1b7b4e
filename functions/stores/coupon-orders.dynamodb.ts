/**
 * Which order a coupon code belongs to. An entry is written before its order, because an order may have more
 * codes than a transaction has items. The order decides: an entry whose order was never written, or was
 * written with other codes by another message, names no coupon.
 */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { CouponCode } from '../../core/coupon.ts'
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import { slicesOf } from '../../core/slices.ts'
import { maxItems } from '../lib/group-commit.ts'
import type { OrderEntry } from '../orders/order-entry.ts'
import type { CouponOrders } from '../orders/redeem.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { couponKey } from './table.ts'
import { type Attempt, attempt } from './transaction.ts'

export function dynamoCouponOrders({ client, name }: Table): CouponOrders {
  return {
    async orderOf(code) {
      const get = new GetCommand({ TableName: name, Key: couponKey(code), ConsistentRead: true })
      const { Item } = await client.send(get)
      if (Item === undefined) return undefined
      const orderId = parseOrderId(Item.orderId)
      if (orderId === undefined) throw new UnexpectedItem('a coupon', 'it must name an order')
      return orderId
    },
  }
}

/** Writes the entries of a chunk's coupons, once for each writer, however often the chunk is tried. */
export function couponEntries(table: Table): (chunk: readonly OrderEntry[]) => Promise<Attempt> {
  const written = new WeakSet<readonly CouponCode[]>()
  return async (chunk) => {
    const fresh = chunk.flatMap(({ order: { orderId, coupons } }) =>
      coupons === undefined || written.has(coupons) ? [] : [{ orderId, coupons }],
    )
    const puts = fresh.flatMap(({ orderId, coupons }) =>
      coupons.map((code) => entryPut(table.name, code, orderId)),
    )
    for (const some of slicesOf(puts, maxItems)) {
      const tried = await attempt(table, some)
      if (tried.kind !== 'written') return tried
    }
    for (const { coupons } of fresh) written.add(coupons)
    return { kind: 'written' }
  }
}

function entryPut(TableName: string, code: CouponCode, orderId: OrderId) {
  return { Put: { TableName, Item: { ...couponKey(code), orderId } } }
}
