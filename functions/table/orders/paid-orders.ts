/**
 * Counters of the money of a sale's orders, or of its redeemed coupons: the one source of what is paid. The transaction that
 * changes an order moves them. Each part of the orders has an item of counters, because transactions on one item conflict.
 */
import { isContested, isPaid, isRevenue } from '../../../core/orders/order.ts'
import { redeemedCount } from '../../../core/orders/redemption.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Table } from '../../lib/shop/table.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { paidKey, paidOrdersOf } from '../keys.ts'
import { allOf } from '../query.ts'
import type { TransactionItem } from '../transaction.ts'
import type { OrderChange } from './order-change.ts'

/** Sums of money in one currency, minor units: what is paid, refunded parts included; what is disputed; what went back. */
type PaidSums = Record<(typeof sums)[number], number>

/**
 * How many `orders` of a sale are paid, and how many are `disputed`, which are not among them; how many of its coupons are
 * `redeemed`; and the sums of money in the sale's own currency. `otherCurrencies` has those of its orders in others,
 * absent where there are none.
 */
export type PaidCounters = Record<(typeof counts)[number], number> &
  PaidSums & { otherCurrencies?: Record<string, PaidSums> }

const counts = ['orders', 'disputed', 'redeemed'] as const
const sums = ['amount', 'disputedAmount', 'refunded'] as const

/**
 * The counters that `changes` move: one item for each part, because a transaction may name it once.
 */
export function paidItems(TableName: string, changes: readonly OrderChange[]): TransactionItem[] {
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

/** What the changes add, by the names of attributes; those of money end in their currency. */
function movedBy(changes: readonly OrderChange[]): [name: string, count: number][] {
  const moved = new Map<string, number>()
  const add = (name: string, count: number) => moved.set(name, (moved.get(name) ?? 0) + count)
  for (const { from, to } of changes) {
    for (const [name, count] of countersOf(to)) add(name, count)
    for (const [name, count] of countersOf(from)) add(name, -count)
  }
  return [...moved].filter(([, count]) => count !== 0)
}

function countersOf(order: OrderChange['to']): [name: string, count: number][] {
  const { amount, currency, refunds = [] } = order
  const [orders, disputed] = [Number(isRevenue(order)), Number(isPaid(order) && isContested(order))]
  return [
    ['orders', orders],
    ['disputed', disputed],
    ['redeemed', redeemedCount(order)],
    [`amount${currency}`, orders * amount],
    [`disputedAmount${currency}`, disputed * amount],
    ...refunds.map((refund): [string, number] => [`refunded${refund.currency}`, refund.returned]),
  ]
}

/** A sum without a currency was counted by an earlier version: it is in that of the sale. */
const attribute = new RegExp(`^(?:(${counts.join('|')})|(${sums.join('|')})([A-Z]{3})?)$`)

export async function readPaidOrders(
  table: Table,
  { saleId, currency }: Pick<Sale, 'saleId' | 'currency'>,
): Promise<PaidCounters> {
  const items = await allOf(table, paidOrdersOf(saleId))
  const own: Record<string, number> = {}
  const others: Record<string, Record<string, number>> = {}
  for (const [name, value] of items.flatMap((item) => Object.entries(item))) {
    const [, count, sum, code = currency] = attribute.exec(name) ?? []
    const counted = count ?? sum
    if (counted === undefined) continue
    if (!Number.isSafeInteger(value))
      throw new UnexpectedItem('a count of paid orders', `${name} must be a whole number`)
    if (code !== currency) others[code] ??= {}
    const target = others[code] ?? own
    target[counted] = (target[counted] ?? 0) + Number(value)
  }
  const whole = withAll([...counts, ...sums], own)
  if (Object.keys(others).length === 0) return whole
  const sumsOf = ([code, found]: [string, Record<string, number>]) => [code, withAll(sums, found)] as const
  return { ...whole, otherCurrencies: Object.fromEntries(Object.entries(others).sort().map(sumsOf)) }
}

/** What was never counted is 0. */
function withAll<Name extends string>(
  names: readonly Name[],
  found: Readonly<Record<string, number>>,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, found[name] ?? 0])) as Record<Name, number>
}
