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

/** Not validated: codes of older versions may have another format. */
const coupon = z.string().brand<'CouponCode'>()

/** `delivery` is null until the country is known. */
const bill = z.object({
  goods: z.number(),
  delivery: z.nullable(z.number()),
  total: z.number(),
})

/**
 * `orderNumber` is set once the order is written. `variant` is set in a sale with variants. `payBy` is null while no
 * payment is due. `payment` is the state of the latest payment, absent before the first. `refundedAmount` is absent while
 * it is 0. A shipped order keeps its `status`, so `refund` says that its whole amount is being or was refunded. `coupons`
 * are the codes of an active order, redeemable from `validFrom` to `validUntil`, which are absent if the sale sets no
 * bound. `redeemed` are the redeemed codes, absent if there are none. `delivery` says whether an address is stored; absent
 * if the sale needs none. A sale with delivery costs has a `bill` (`core/orders/bill.ts`), whose total is `amount`. A step
 * of `history` may have a `what` that an older client does not know.
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
  /** `url` is the payment page. */
  pay: {
    method: 'POST',
    path: '/api/orders/:orderId/pay',
    params: orderParams,
    body: {
      maxBytes: maxOrderRequestBytes,
      // The language of the product text on the provider's page.
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
  /** For the payment provider, whose signature covers the raw text. `result` says how the message was handled. */
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
