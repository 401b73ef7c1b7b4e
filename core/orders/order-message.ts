/** The message from the reservation to the order: written to the outbox by reserve.lua, delivered by SQS. */
import * as z from 'zod/mini'
import { maxQuantity } from '../buy/limits.ts'
import { parseOrderId, parseSaleId, parseShopperId } from '../ids.ts'
import { readBy, whole } from '../lib/parse.ts'
import { redPacket } from '../packets/packet.ts'
import { isVariantId } from '../sale/variants.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/**
 * The admission of a request, which the consumer reports to the gate as completed once the order or claim is in the
 * table. A message that is sent again from the outbox has none: its admission takes a place some seconds longer, until
 * it expires by itself. `second` is the epoch second in which the gate counts the request's admission. `booked` are the
 * units booked afterwards, in that revision of the stock; both are absent for an unlimited stock.
 */
const admitted = z.strictObject(
  { second: count, booked: z.optional(count), stockRevision: z.optional(count) },
  'must be an object',
)

export type Admitted = z.infer<typeof admitted>

/** `variant` and `packet` say which units; `reservedAt` is epoch ms; `source` is where the shopper came from. */
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
 * Where an order came from: the `utm_source` of the sale page's address. Browsers send that address with each request
 * of the page (`Referer`), so the page itself has no code for it and stores nothing. 1 to 64 of `a-z0-9_.-`; undefined
 * for anything else.
 */
export function parseOrderSource(text: unknown): string | undefined {
  return typeof text === 'string' && /^[a-z0-9_.-]{1,64}$/.test(text) ? text : undefined
}

/** Returns the source that a page's address names, in small letters; undefined where it names none. */
export function sourceIn(address = ''): string | undefined {
  return parseOrderSource(/[?&]utm_source=([^&#]*)/.exec(address)?.[1]?.toLowerCase())
}
