/**
 * The operations with which a shopper withdraws from the contract of an order, and their answers. Directive 2011/83/EU,
 * Art. 11a(2): the statement has the consumer's name, the contract, and where its receipt goes.
 */
import * as z from 'zod/mini'
import { maxDeliveryText, maxWithdrawalBytes } from '../body-limits.ts'
import { parseOrderId, parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { line } from '../lib/text.ts'
import { contact } from '../people/contact.ts'
import { type Basket, isBasket } from '../sale/variants.ts'
import type { FullOperation } from './operation.ts'
import { withdrawnView } from './order-parts.ts'
import { orderNumber, orderParams } from './params.ts'
import { changeProblems, openChangeProblems } from './problem-sets.ts'

const basket = z.optional(z.custom<Basket>(isBasket, 'must be units by variant'))

/**
 * Who withdraws from which units, and where the receipt goes, in `language`. Without `quantity` and `basket` it is all units;
 * an order with variants names a basket. Units that were withdrawn from before add nothing, so it may be repeated.
 */
export const withdrawalStatement = z.strictObject(
  {
    name: line(maxDeliveryText),
    email: contact.shape.email,
    language: contact.shape.language,
    quantity: z.optional(
      z.number('must be a number').check(z.int('must be a whole number'), z.gte(1, 'must be at least 1')),
    ),
    basket,
  },
  'must be a JSON object with name, email and language',
)
export type WithdrawalStatement = z.infer<typeof withdrawalStatement>

/**
 * An order as the link of an e-mail shows it, with the members of the order's own view.
 */
const withdrawableOrder = z.object({
  orderId: readBy(parseOrderId, 'must be an order id'),
  orderNumber: z.optional(orderNumber),
  saleId: readBy(parseSaleId, 'must be a sale id'),
  quantity: z.number(),
  basket,
  withdrawableUntil: z.optional(z.nullable(z.number())),
  withdrawal: z.optional(withdrawnView),
})

/** A link is asked for with the number of the order and its e-mail address, and followed with its token. */
const guestRequest = z.union(
  [
    z.strictObject({ orderNumber, email: contact.shape.email }),
    z.strictObject({
      token: z.string().check(z.minLength(1), z.maxLength(1024)),
      statement: z.optional(withdrawalStatement),
    }),
  ],
  'must have orderNumber and email, or the token of a link',
)

export const withdrawalApi = {
  withdrawFromOrder: {
    method: 'PUT',
    path: '/api/orders/:orderId/withdrawal',
    params: orderParams,
    body: { maxBytes: maxWithdrawalBytes, schema: withdrawalStatement },
    answer: withdrawableOrder,
    problems: [...changeProblems, 'not-found', 'conflict'],
  },
  /** `order` is null where a link was asked for: the answer is the same whether such an order exists or not. */
  withdrawAsGuest: {
    method: 'POST',
    path: '/api/withdrawals',
    body: { maxBytes: maxWithdrawalBytes, schema: guestRequest },
    answer: z.object({ order: z.nullable(withdrawableOrder) }),
    problems: [...openChangeProblems, 'not-found', 'conflict'],
  },
} as const satisfies Record<string, FullOperation>

export type WithdrawableOrder = z.infer<typeof withdrawableOrder>
