/**
 * Counters of the paid orders of a sale and their amount, or of its redeemed coupons. The transaction that
 * changes an order moves them. Each part of the orders has an item of counters, because transactions on one item conflict.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import { isRevenue } from '../../../core/orders/order.ts'
import { redeemedCount } from '../../../core/orders/redemption.ts'
import { type Table, UnexpectedItem } from '../dynamodb.ts'
import { paidKey, paidOrdersOf } from '../keys.ts'
import { queryAll } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'
import type { OrderChange } from './order-change.ts'

/**
 * How many `orders` of a sale are paid, their `amount` in minor units, refunded parts included, and how many
 * of its coupons are `redeemed`.
 */
type PaidCounters = { orders: number; amount: number; redeemed: number }

/**
 * The counters that `changes` move: one item for each part, because a transaction may name it once.
 */
export function paidItems(TableName: string, changes: readonly OrderChange[]): TransactionItem[] {
  const moved = changes.filter(
    ({ from, to }) => isRevenue(from) !== isRevenue(to) || redeemedCount(from) !== redeemedCount(to),
  )
  const byItem = Map.groupBy(moved, ({ to }) => {
    const { pk, sk } = paidKey(to.orderId)
    return `${pk} ${sk}`
  })
  return [...byItem.values()].flatMap((ofItem): TransactionItem[] => {
    const [first] = ofItem
    if (first === undefined) return []
    const { orders, amount, redeemed } = ofItem.map(differenceOf).reduce(sumOf)
    // Coupons have no price: an item counts money or coupons.
    const counts: [string, number][] =
      redeemed === 0
        ? [
            ['orders', orders],
            ['amount', amount],
          ]
        : [['redeemed', redeemed]]
    return [
      {
        Update: {
          TableName,
          Key: paidKey(first.to.orderId),
          UpdateExpression: `ADD ${counts.map(([name]) => `${name} :${name}`).join(', ')}`,
          ExpressionAttributeValues: Object.fromEntries(counts.map(([name, count]) => [`:${name}`, count])),
        },
      },
    ]
  })
}

function differenceOf({ from, to }: OrderChange): PaidCounters {
  const sign = Number(isRevenue(to)) - Number(isRevenue(from))
  return { orders: sign, amount: sign * to.amount, redeemed: redeemedCount(to) - redeemedCount(from) }
}

const sumOf = (a: PaidCounters, b: PaidCounters): PaidCounters => ({
  orders: a.orders + b.orders,
  amount: a.amount + b.amount,
  redeemed: a.redeemed + b.redeemed,
})

const noneCounted: PaidCounters = { orders: 0, amount: 0, redeemed: 0 }

const stored = z.object({
  orders: z._default(z.int(), 0),
  amount: z._default(z.int(), 0),
  redeemed: z._default(z.int(), 0),
})

export async function readPaidOrders(table: Table, saleId: SaleId): Promise<PaidCounters> {
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :paid',
    ExpressionAttributeValues: { ':paid': paidOrdersOf(saleId) },
    ConsistentRead: true,
  })
  return items.map(readPaid).reduce(sumOf, noneCounted)
}

function readPaid(item: Record<string, unknown>): PaidCounters {
  const paid = parse(stored, item)
  if (!paid.ok) throw new UnexpectedItem('a count of paid orders', paid.detail)
  return paid.value
}
