/**
 * The payment provider's webhook, `POST /api/payments/webhook`, in the format of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks). Unknown fields and types are ignored, because a provider may
 * add some; known ones must be complete.
 */
import * as z from 'zod/mini'
import { parseOrderId } from '../ids.ts'
import { type Parsed, readBy, readJson, whole } from '../lib/parse.ts'

/**
 * `orderId` and `paymentId` are the ids that the provider got when the payment was opened. `reference` is the provider's
 * own id of the payment, which some providers need for later calls.
 */
export const paymentFacts = z.object(
  {
    paymentId: z
      .string('must be a string')
      .check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/, 'must be 1 to 128 letters, digits or _ . : -')),
    reference: z.optional(
      z
        .string('must be a string')
        .check(z.regex(/^[A-Za-z0-9_.:-]{1,255}$/, 'must be 1 to 255 letters, digits or _ . : -')),
    ),
    orderId: readBy(parseOrderId, 'must be an order id'),
    amount: whole(0, Number.MAX_SAFE_INTEGER),
    currency: z.string('must be a string').check(z.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')),
  },
  'must be an object',
)

/**
 * `disputeId` is the provider's id of a dispute, because a payment can have several. It is a key of a record of the order,
 * and must not be `__proto__`, which zod does not read.
 */
export const eventFacts = z.extend(paymentFacts, {
  disputeId: z.optional(
    z
      .string('must be a string')
      .check(z.regex(/^[A-Za-z0-9][\w.:-]{0,254}$/, 'must be a letter or digit, and up to 254 more or _ . : -')),
  ),
})

const types = [
  'payment.authorised',
  'payment.succeeded',
  'payment.failed',
  'payment.disputed',
  'dispute.won',
  'dispute.lost',
  'refund.succeeded',
  'refund.failed',
] as const

const paymentEvent = z.object({ type: z.enum(types, 'must be a known type'), data: eventFacts }, 'must be an object')

const anyEvent = z.object({ type: z.string('must be a string') }, 'must be a JSON object')

/**
 * Events of a payment concern its whole amount; events of refunds and disputes concern `amount`, in minor units of
 * `currency`. Each partial refund has its own event. Authorised money is reserved on the shopper's account until it is
 * captured or released.
 */
export type PaymentEvent = z.infer<typeof paymentEvent>

/** Returns the event in a body; the value is undefined for an unknown type. */
export function readPaymentEvent(json: string): Parsed<PaymentEvent | undefined> {
  const event = readJson(anyEvent, json)
  if (!event.ok) return event
  const isKnown = types.some((type) => type === event.value.type)
  return isKnown ? readJson(paymentEvent, json) : { ok: true, value: undefined }
}
