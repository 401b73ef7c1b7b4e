/** An order as an item of the table and back. */
import * as z from 'zod/mini'
import { capPartCount } from '../../core/cap-part.ts'
import { readCoupon } from '../../core/coupon.ts'
import { parseOrderId, parseShopperId, saleOfOrder } from '../../core/ids.ts'
import {
  type HistoryEntry,
  type Order,
  orderReasons,
  orderStatuses,
  paymentStates,
} from '../../core/order.ts'
import { parse, readBy, whole } from '../../core/parse.ts'
import { UnexpectedItem } from './dynamodb.ts'
import { orderKey, orderListKey } from './table.ts'
import type { TransactionItem } from './transaction.ts'

const text = z.string('must be a string')
const count = whole(1, Number.MAX_SAFE_INTEGER)
const amount = whole(0, Number.MAX_SAFE_INTEGER)
const time = amount
const status = z.enum(orderStatuses, 'must be a status')

/** The attributes that a walk over a sale's orders reads. The key names the order and its sale. */
export const storedFacts = {
  sk: readBy(parseOrderId, 'must be an order id'),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  quantity: count,
  status,
  reservedAt: time,
}

const coupons = z.array(readBy(readCoupon, 'must be a code'), 'must be a list')

/** The attributes that a walk over a sale's coupons reads. */
export const couponFacts = {
  sk: storedFacts.sk,
  shopperId: storedFacts.shopperId,
  status,
  writtenAt: time,
  coupons,
}

const step = z.object({
  at: time,
  status,
  what: z.string('must be a string').check(z.minLength(1, 'must not be empty')),
})

const storedOrder = z.object({
  ...storedFacts,
  amount,
  currency: text,
  writtenAt: time,
  payBy: time,
  cancelAt: time,
  reason: z.optional(z.enum(orderReasons, 'must be a reason')),
  payment: z.optional(
    z.strictObject(
      {
        paymentId: text,
        attempt: count,
        startedAt: time,
        state: z.enum(paymentStates, 'must be a state'),
      },
      'must be a payment',
    ),
  ),
  refunds: z.optional(
    z.array(
      z.strictObject({ paymentId: text, amount, currency: text, returned: amount }, 'must be a refund'),
      'must be a list',
    ),
  ),
  coupons: z.optional(coupons),
  capPart: z.optional(whole(1, capPartCount - 1)),
  history: z.array(z.pipe(z.pipe(text, z.transform(wordsOfStep)), step), 'must be a list'),
})

export function orderItem({ orderId, saleId: _saleId, history, ...rest }: Order): Record<string, unknown> {
  return {
    ...orderKey(orderId),
    ...orderListKey(rest.shopperId, rest.reservedAt),
    ...rest,
    history: history.map(lineOfStep),
  }
}

/**
 * A history step is one line of text, `<at> <status> <what>`. The table and its lists each store a
 * copy of every order, and two steps as maps made the local table a seventh slower at writing them.
 */
function lineOfStep({ at, status, what }: HistoryEntry): string {
  return `${at} ${status} ${what}`
}

function wordsOfStep(line: string): Record<keyof HistoryEntry, unknown> {
  const [at, status, ...what] = line.split(' ')
  return { at: Number(at), status, what: what.join(' ') }
}

/** Fails when the order exists. */
export function newOrderPut(TableName: string, order: Order): TransactionItem {
  return {
    Put: { TableName, Item: orderItem(order), ConditionExpression: 'attribute_not_exists(pk)' },
  }
}

/**
 * The order in an item.
 * @throws UnexpectedItem
 */
export function readOrderItem(item: Record<string, unknown>): Order {
  const order = parse(storedOrder, item)
  if (!order.ok) throw new UnexpectedItem('an order', order.detail)
  const { sk: orderId, ...rest } = order.value
  return { orderId, saleId: saleOfOrder(orderId), ...rest }
}
