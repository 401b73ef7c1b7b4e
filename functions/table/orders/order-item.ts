/**
 * Converts an order to an item of the table and back. An item stores each fact once, because every attribute costs the writer
 * and the table: the keys hold the order, its shopper and its reservation, and the history holds when it was written. The item
 * also has the line that a report reads (reported-order.ts).
 */
import * as z from 'zod/mini'
import { parseIdempotencyKey, parseOrderId, parseShopperId, saleOfOrder } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import { capPartCount } from '../../../core/orders/cap-part.ts'
import { readCoupon } from '../../../core/orders/coupon.ts'
import { disputeStates, type Order, orderReasons, orderStatuses, paymentStates } from '../../../core/orders/order.ts'
import { parseOrderSource } from '../../../core/orders/order-message.ts'
import { parseOrderNumber } from '../../../core/orders/order-number.ts'
import { parseCarrier, parseLink, parseTracking } from '../../../core/orders/shipment.ts'
import { redPacket } from '../../../core/packets/packet.ts'
import { isVariantId } from '../../../core/sale/variants.ts'
import { readStored } from '../dynamodb.ts'
import { orderKey, orderListKey, packetListKey, reportedAttribute, shopperOfList } from '../keys.ts'
import type { TransactionItem } from '../transaction.ts'
import { lineOfStep, stepInLine } from './history-line.ts'
import { reportedOrder, reportLine } from './reported-order.ts'

const text = z.string('must be a string')
const count = whole(1, Number.MAX_SAFE_INTEGER)
const amount = whole(0, Number.MAX_SAFE_INTEGER)
const time = amount
const status = z.enum(orderStatuses, 'must be a status')

const disputeState = z.enum(disputeStates, 'must be a state')

const variant = z.optional(z.custom<string>(isVariantId, 'must be the id of a variant'))

const keys = {
  sk: readBy(parseOrderId, 'must be an order id'),
  listPk: z.pipe(z.pipe(text, z.transform(shopperOfList)), readBy(parseShopperId, 'must be the list of a shopper')),
}

/** The attributes that a scan of a sale's orders reads. */
export const storedFacts = {
  ...keys,
  listSk: z.pipe(z.pipe(text, z.transform(Number)), time),
  quantity: count,
  variant,
  packet: z.optional(redPacket),
  status,
}

const code = readBy(readCoupon, 'must be a code')
const coupons = z.array(code, 'must be a list')

const redemptions = z.array(
  z.strictObject(
    {
      code,
      shop: text,
      key: readBy(parseIdempotencyKey, 'must be an idempotency key'),
      at: time,
      reference: z.optional(text),
      undoneAt: z.optional(time),
    },
    'must be a redemption',
  ),
  'must be a list',
)

const step = z.object({
  at: time,
  status,
  what: z.string('must be a string').check(z.minLength(1, 'must not be empty')),
})

const storedStep = z.pipe(z.pipe(text, z.transform(stepInLine)), step)

/** The second step wrote the order. */
const history = z.tuple([storedStep, storedStep], storedStep, 'must be a list of two steps or more')

const dispute = z.strictObject(
  { paymentId: text, state: disputeState, at: time, each: z.optional(z.record(text, disputeState)) },
  'must be a dispute',
)

const storedOrder = z.object({
  ...storedFacts,
  orderNumber: z.optional(z.pipe(text, readBy(parseOrderNumber, 'must be an order number'))),
  source: z.optional(readBy(parseOrderSource, 'must be a source')),
  amount,
  deliveryCost: z.optional(amount),
  currency: text,
  payBy: time,
  cancelAt: z.optional(time),
  reason: z.optional(z.enum(orderReasons, 'must be a reason')),
  payment: z.optional(
    z.strictObject(
      {
        paymentId: text,
        attempt: count,
        startedAt: time,
        state: z.enum(paymentStates, 'must be a state'),
        product: z.optional(text),
        language: z.optional(text),
        reference: z.optional(text),
        inShop: z.optional(z.literal(true)),
      },
      'must be a payment',
    ),
  ),
  paymentQueue: z.optional(
    z.strictObject({ attempt: count, opensAt: time, pausedMs: time }, 'must be a place in the queue'),
  ),
  refunds: z.optional(
    z.array(
      z.strictObject(
        { paymentId: text, amount, currency: text, returned: amount, failedAt: z.optional(time) },
        'must be a refund',
      ),
      'must be a list',
    ),
  ),
  coupons: z.optional(coupons),
  redemptions: z.optional(redemptions),
  capPart: z.optional(whole(1, capPartCount - 1)),
  shipment: z.optional(
    z.strictObject(
      {
        carrier: readBy(parseCarrier, "must be a carrier's name"),
        tracking: z.optional(readBy(parseTracking, 'must be a tracking number')),
        link: z.optional(readBy(parseLink, 'must be an https address')),
      },
      'must be a shipment',
    ),
  ),
  dispute: z.optional(dispute),
  otherDisputes: z.optional(z.array(dispute, 'must be a list')),
  history,
})

/** Returns the item of an order. `cancelAt` is stored only while a pending payment keeps the units beyond `payBy`. */
export function orderItem(order: Order): Record<string, unknown> {
  const { orderId, saleId: _inKey, shopperId, reservedAt, writtenAt: _inHistory, ...rest } = order
  const { cancelAt, history, ...facts } = rest
  return {
    ...orderKey(orderId),
    ...(order.packet ? packetListKey : orderListKey)(shopperId, reservedAt),
    ...facts,
    ...(cancelAt !== facts.payBy && { cancelAt }),
    history: history.map(lineOfStep),
    [reportedAttribute]: reportLine(reportedOrder(order)),
  }
}

/** Puts a new order. Fails when it exists. */
export function newOrderPut(TableName: string, order: Order): TransactionItem {
  return { Put: { TableName, Item: orderItem(order), ConditionExpression: 'attribute_not_exists(pk)' } }
}

/** Reads the order in an item. @throws UnexpectedItem */
export function readOrderItem(item: Record<string, unknown>): Order {
  const order = readStored('an order', storedOrder, item)
  const { sk: orderId, listPk: shopperId, listSk: reservedAt, cancelAt, ...rest } = order
  return {
    orderId,
    saleId: saleOfOrder(orderId),
    shopperId,
    reservedAt,
    writtenAt: rest.history[1].at,
    cancelAt: cancelAt ?? rest.payBy,
    ...rest,
  }
}
