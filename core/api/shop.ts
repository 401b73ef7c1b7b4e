/** The operations of a shopper's orders, and their answers. Times are epoch ms, amounts in minor units. */
import * as z from 'zod/mini'
import { maxOrderRequestBytes, maxWebhookBytes } from '../body-limits.ts'
import { variant } from '../buy/requests.ts'
import { parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { languageTag } from '../lib/text.ts'
import { orderReasons, orderStatuses, shownPaymentStates } from '../orders/order.ts'
import { orderPageQuery } from '../orders/order-page.ts'
import type { FullOperation } from './operation.ts'
import { orderNumber, orderParams, shipmentView } from './operation-parts.ts'
import { changeProblems, readProblems } from './problem-sets.ts'
import { money, orderId } from './purchase.ts'

const saleId = readBy(parseSaleId, 'must be a sale id')

/** A code as it was given out, because older ones may have another form. */
const coupon = z.string().brand<'CouponCode'>()

/** `delivery` is null until the country is known. */
const bill = z.object({
  goods: z.number(),
  delivery: z.nullable(z.number()),
  total: z.number(),
})

/**
 * `orderNumber` is there once the order is written. `variant` says which they are, in a sale with variants. `payBy` is
 * null while there is nothing to pay. `payment` says how the latest payment stands; absent before the first.
 * `refundedAmount` is what was sent back, absent while it is nothing. `refund` says of an order that was sent, and keeps
 * its status, that all of its money goes back or is back. `coupons` are the codes, while the order stands,
 * and `validFrom` and `validUntil` when they can be redeemed; absent where the sale sets no bound. `redeemed` are those
 * of the codes that were redeemed, absent while none is. `shipment` is how the order was sent. `delivery` says whether
 * its delivery is stored; absent where the sale asks for no address. `bill` is there for goods of a sale with delivery
 * costs (`core/orders/bill.ts`); `amount` is then its total. A step of `history` may have a `what` that an older client
 * does not know.
 */
const orderView = z.object({
  orderId,
  orderNumber: z.optional(orderNumber),
  saleId,
  quantity: z.number(),
  variant: z.optional(variant),
  ...money,
  status: z.enum(orderStatuses),
  reservedAt: z.number(),
  payBy: z.nullable(z.number()),
  payment: z.optional(z.enum(shownPaymentStates)),
  refundedAmount: z.optional(z.number()),
  refund: z.optional(z.enum(['refund-due', 'refunded'])),
  reason: z.optional(z.enum(orderReasons)),
  coupons: z.optional(z.readonly(z.array(coupon))),
  redeemed: z.optional(z.readonly(z.array(coupon))),
  validFrom: z.optional(z.number()),
  validUntil: z.optional(z.number()),
  shipment: z.optional(shipmentView),
  delivery: z.optional(z.enum(['missing', 'stored'])),
  bill: z.optional(bill),
  history: z.readonly(z.array(z.object({ at: z.number(), what: z.string(), status: z.enum(orderStatuses) }))),
})

/** `next` is the `after` of the following page, null on the last. */
const orderPage = z.object({ orders: z.readonly(z.array(orderView)), next: z.nullable(z.string()) })

/** The path says everything, so the body is an empty object. */
const emptyBody = { maxBytes: maxOrderRequestBytes, schema: z.strictObject({}, 'must be an empty JSON object') }

export const shopApi = {
  listOrders: { method: 'GET', path: '/api/orders', query: orderPageQuery, answer: orderPage, problems: readProblems },
  getOrder: {
    method: 'GET',
    path: '/api/orders/:orderId',
    params: orderParams,
    answer: orderView,
    problems: [...readProblems, 'not-found'],
  },
  /** `url` is where to pay. */
  pay: {
    method: 'POST',
    path: '/api/orders/:orderId/pay',
    params: orderParams,
    body: {
      maxBytes: maxOrderRequestBytes,
      // In this language the provider's page names what is paid for.
      schema: z.strictObject({ language: z.optional(languageTag()) }, 'must be a JSON object'),
    },
    answer: z.object({ url: z.string(), paymentId: z.string() }),
    problems: [...changeProblems, 'not-found', 'conflict', 'at-capacity'],
  },
  cancel: {
    method: 'POST',
    path: '/api/orders/:orderId/cancel',
    params: orderParams,
    body: emptyBody,
    answer: orderView,
    problems: [...changeProblems, 'not-found', 'conflict'],
  },
  /** For the payment provider, whose signature is verified over the text. `result`: what became of the message. */
  webhook: {
    method: 'POST',
    path: '/api/payments/webhook',
    body: { maxBytes: maxWebhookBytes },
    answer: z.object({ result: z.string() }),
    problems: [
      ...['invalid-request', 'too-large', 'unsupported-media-type', 'signature-invalid', 'conflict'],
      ...['too-many-requests', 'unavailable'],
    ],
  },
} as const satisfies Record<string, FullOperation>

export type OrderView = z.infer<typeof orderView>
export type OrderListPage = z.infer<typeof orderPage>
