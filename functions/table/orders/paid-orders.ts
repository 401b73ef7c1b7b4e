/**
 * Counters of the money of a sale's orders, or of its redeemed coupons: the one source of what is paid. The transaction that
 * changes an order moves them. Each part of the orders has an item of counters, because transactions on one item conflict.
 */
import * as z from 'zod/mini'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import { isContested, isPaid, isRevenue } from '../../../core/orders/order.ts'
import { moneyReturned } from '../../../core/orders/order-refunds.ts'
import { redeemedCount } from '../../../core/orders/redemption.ts'
import type { Table } from '../../lib/shop/table.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { paidKey, paidOrdersOf } from '../keys.ts'
import { queryAll } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'
import type { OrderChange } from './order-change.ts'

/**
 * How many `orders` of a sale are paid and their `amount`, refunded parts included; how many are `disputed`, which are
 * not among them, and their `disputedAmount`; the money that was `refunded`; and how many of its coupons are `redeemed`.
 * Money is in minor units.
 */
export type PaidCounters = Record<(typeof counters)[number], number>

const counters = ['orders', 'amount', 'disputed', 'disputedAmount', 'refunded', 'redeemed'] as const

/**
 * The counters that `changes` move: one item for each part, because a transaction may name it once.
 */
export function paidItems(TableName: string, changes: readonly OrderChange[]): TransactionItem[] {
  const moved = changes.filter((change) => movedIn(differenceOf(change)).length > 0)
  const byItem = Map.groupBy(moved, ({ to }) => {
    const { pk, sk } = paidKey(to.orderId)
    return `${pk} ${sk}`
  })
  return [...byItem.values()].flatMap((ofItem): TransactionItem[] => {
    const [first] = ofItem
    if (first === undefined) return []
    const counts = movedIn(ofItem.map(differenceOf).reduce(sumOf))
    // Changes that cancel each other out still leave nothing to add.
    if (counts.length === 0) return []
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

const movedIn = (difference: PaidCounters) =>
  counters.flatMap((name) => (difference[name] === 0 ? [] : [[name, difference[name]] as const]))

function differenceOf({ from, to }: OrderChange): PaidCounters {
  const [before, after] = [countersOf(from), countersOf(to)]
  return counted((name) => after[name] - before[name])
}

function countersOf(order: OrderChange['to']): PaidCounters {
  const [orders, disputed] = [Number(isRevenue(order)), Number(isPaid(order) && isContested(order))]
  return {
    ...{ orders, amount: orders * order.amount, disputed, disputedAmount: disputed * order.amount },
    ...{ refunded: moneyReturned(order), redeemed: redeemedCount(order) },
  }
}

const counted = (count: (name: keyof PaidCounters) => number) =>
  Object.fromEntries(counters.map((name) => [name, count(name)])) as PaidCounters

const sumOf = (a: PaidCounters, b: PaidCounters) => counted((name) => a[name] + b[name])

const noneCounted = counted(() => 0)

const counter = z._default(z.int(), 0)
const stored = z.object({
  ...{ orders: counter, amount: counter, disputed: counter, disputedAmount: counter },
  ...{ refunded: counter, redeemed: counter },
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
