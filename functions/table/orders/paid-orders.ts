/**
 * Counts the money of a sale's orders, or its redeemed coupons: the source of truth for paid amounts. The transaction that
 * changes an order moves the counters. Each part of the orders has an item of counters, because transactions on one item
 * conflict.
 */
import type { SaleId } from '../../../core/ids.ts'
import { perName } from '../../../core/lib/record-names.ts'
import type { Order } from '../../../core/orders/order.ts'
import { moneyStateOfOrder } from '../../../core/orders/order-standing.ts'
import { redeemedCount } from '../../../core/orders/redemption.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { paidKey, paidOrdersOf } from '../keys.ts'
import { queryPartition } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'

/**
 * Counters of a sale. Paid `orders`; not among them the `disputed` ones, and the `returned` ones, which were sent and whose
 * whole money was returned or is owed. `redeemed` coupons. Sums in minor units of the sale's currency: the paid `amount`,
 * refunded parts included, the `disputedAmount`, and the `refunded` money.
 */
export type PaidCounters = Record<(typeof counters)[number], number>

const counters = ['orders', 'disputed', 'returned', 'redeemed', 'amount', 'disputedAmount', 'refunded'] as const

/** An order before and after a step. */
type Change = { from: Order; to: Order }

/** Returns the updates of counters by `changes`: one item per part, because a transaction may name it once. */
export function paidItems(TableName: string, changes: readonly Change[]): TransactionItem[] {
  const byItem = Map.groupBy(changes, ({ to }) => {
    const { pk, sk } = paidKey(to.orderId)
    return `${pk} ${sk}`
  })
  return [...byItem.values()].flatMap((ofItem): TransactionItem[] => {
    const [first] = ofItem
    if (first === undefined) return []
    const moved = movedBy(ofItem)
    if (moved.length === 0) return []
    return [
      {
        Update: {
          TableName,
          Key: paidKey(first.to.orderId),
          UpdateExpression: `ADD ${moved.map(([name]) => `${name} :${name}`).join(', ')}`,
          ExpressionAttributeValues: Object.fromEntries(moved.map(([name, count]) => [`:${name}`, count])),
        },
      },
    ]
  })
}

/** Returns what the changes add to each counter. */
function movedBy(changes: readonly Change[]): [name: string, count: number][] {
  const moved = new Map<string, number>()
  const add = (name: string, count: number) => moved.set(name, (moved.get(name) ?? 0) + count)
  for (const { from, to } of changes) {
    for (const [name, count] of countersOf(to)) add(name, count)
    for (const [name, count] of countersOf(from)) add(name, -count)
  }
  return [...moved].filter(([, count]) => count !== 0)
}

function countersOf(order: Order): [name: string, count: number][] {
  const { amount, currency, refunds = [] } = order
  const money = moneyStateOfOrder(order)
  const [orders, disputed] = [Number(money === 'paid'), Number(money === 'disputed')]
  return [
    ['orders', orders],
    ['disputed', disputed],
    ['returned', Number(money === 'returned')],
    ['redeemed', redeemedCount(order)],
    ['amount', orders * amount],
    ['disputedAmount', disputed * amount],
    // A payment in another currency never paid for the order.
    ['refunded', refunds.reduce((sum, refund) => sum + (refund.currency === currency ? refund.returned : 0), 0)],
  ]
}

export async function readPaidOrders(table: Table, saleId: SaleId): Promise<PaidCounters> {
  const found = perName(counters, () => 0)
  for (const item of await queryPartition(table, paidOrdersOf(saleId))) {
    for (const name of counters) {
      // A counter is missing until its first update.
      const value = item[name] ?? 0
      if (!Number.isSafeInteger(value))
        throw new UnexpectedItem('a count of paid orders', `${name} must be a whole number`)
      found[name] += Number(value)
    }
  }
  return found
}
