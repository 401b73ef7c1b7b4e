/** The message from which the writer creates an order. reserve.lua writes it to the outbox; SQS delivers it. */
import * as z from 'zod/mini'
import { maxQuantity } from '../buy/limits.ts'
import { parseOrderId, parseSaleId, parseShopperId } from '../ids.ts'
import { readBy, whole } from '../lib/parse.ts'
import { redPacket } from '../packets/packet.ts'
import { isVariantId } from '../sale/variants.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/**
 * The admission of a request. The consumer reports it to the gate as completed once the order or claim is in the table. A
 * message resent from the outbox has none, so its admission stays counted until it expires some seconds later. `second` is
 * the epoch second in which the gate counts the admission. `booked` counts the units booked afterwards, in that revision
 * of the stock; both are absent for an unlimited stock.
 */
const admitted = z.strictObject(
  { second: count, booked: z.optional(count), stockRevision: z.optional(count) },
  'must be an object',
)

export type Admitted = z.infer<typeof admitted>

/** `reservedAt` is epoch ms. `source` is where the shopper came from (`parseOrderSource`). */
export const orderMessage = z.strictObject(
  {
    orderId: readBy(parseOrderId, 'is not a valid id'),
    saleId: readBy(parseSaleId, 'is not a valid id'),
    shopperId: readBy(parseShopperId, 'is not a valid id'),
    quantity: whole(1, maxQuantity),
    variant: z.optional(z.custom<string>(isVariantId, 'must be the id of a variant')),
    packet: z.optional(redPacket),
    source: z.optional(readBy(parseOrderSource, 'must be a source')),
    reservedAt: whole(0, Number.MAX_SAFE_INTEGER),
    requestId: z.string('must be a string').check(z.maxLength(128, 'must be at most 128 characters')),
    admitted: z.optional(admitted),
  },
  'must be a JSON object',
)

export type OrderMessage = z.infer<typeof orderMessage>

/**
 * Returns where an order came from, the `utm_source` of the sale page's URL: 1 to 64 of `a-z0-9_.-`, or undefined. Browsers
 * send that URL in `Referer`, so the page needs no code for it and stores nothing.
 */
export function parseOrderSource(text: unknown): string | undefined {
  return typeof text === 'string' && /^[a-z0-9_.-]{1,64}$/.test(text) ? text : undefined
}

/** Returns the source in the URL of a page, in lower case; undefined without one. */
export function sourceIn(address = ''): string | undefined {
  return parseOrderSource(/[?&]utm_source=([^&#]*)/.exec(address)?.[1]?.toLowerCase())
}
