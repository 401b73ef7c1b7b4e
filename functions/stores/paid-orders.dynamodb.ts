/**
 * The paid orders of a sale and their amount, counted by the transaction that changes an order. The
 * counters are spread over the parts of the orders, because transactions on one item conflict.
 */
import * as z from 'zod/mini'
import { isPaid } from '../../core/order.ts'
import { parse } from '../../core/parse.ts'
import type { OrderChange, Paid, PaidOrders } from '../orders/order-ledger.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { queryAll } from './query.ts'
import { paidKey, paidOrdersOf } from './table.ts'
import type { TransactionItem } from './transaction.ts'

/**
 * The counters that `changes` move: one item for each part, because a transaction may name it once.
 */
export function paidItems(TableName: string, changes: readonly OrderChange[]): TransactionItem[] {
  const moved = changes.filter(({ from, to }) => isPaid(from) !== isPaid(to))
  const byItem = Map.groupBy(moved, ({ to }) => {
    const { pk, sk } = paidKey(to.orderId)
    return `${pk} ${sk}`
  })
  return [...byItem.values()].flatMap((ofItem): TransactionItem[] => {
    const [first] = ofItem
    if (first === undefined) return []
    const signs = ofItem.map(({ to }) => ({ sign: isPaid(to) ? 1 : -1, amount: to.amount }))
    const orders = signs.reduce((sum, { sign }) => sum + sign, 0)
    const amount = signs.reduce((sum, change) => sum + change.sign * change.amount, 0)
    return [
      {
        Update: {
          TableName,
          Key: paidKey(first.to.orderId),
          UpdateExpression: 'ADD orders :orders, amount :amount',
          ExpressionAttributeValues: { ':orders': orders, ':amount': amount },
        },
      },
    ]
  })
}

const stored = z.object({ orders: z.int(), amount: z.int() })

export function dynamoPaidOrders(table: Table): PaidOrders {
  return {
    async of(saleId) {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :paid',
        ExpressionAttributeValues: { ':paid': paidOrdersOf(saleId) },
        ConsistentRead: true,
      })
      return items
        .map(readPaid)
        .reduce((sum, { orders, amount }) => ({ orders: sum.orders + orders, amount: sum.amount + amount }), {
          orders: 0,
          amount: 0,
        })
    },
  }
}

function readPaid(item: Record<string, unknown>): Paid {
  const paid = parse(stored, item)
  if (!paid.ok) throw new UnexpectedItem('a count of paid orders', paid.detail)
  return paid.value
}
