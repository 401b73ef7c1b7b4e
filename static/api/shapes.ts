/** What the parsers of our own take, as JSON Schema: of a function, zod can tell nothing. */

import { parseUploadId } from '../../core/api/pictures.ts'
import { maxQuantity, parseBuyRequest } from '../../core/buy/buy-request.ts'
import { idShapes, parseIdempotencyKey, parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { parseCarrier, parseTracking } from '../../core/orders/shipment.ts'
import { parseClaimRequest } from '../../core/packets/claim-request.ts'
import { countryIn } from '../../core/people/delivery.ts'
import { isVariantId } from '../../core/sale/variants.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const text = (pattern: string, description: string): JsonSchema => ({ type: 'string', pattern, description })

export const idempotencyKeyShape = text(
  '^[A-Za-z0-9_.:-]{1,64}$',
  'The key of a call: a repeat with it has no second effect.',
)

const variantId = text('^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$', 'The id of a variant.')
const quantity: JsonSchema = { type: 'integer', minimum: 1, maximum: maxQuantity }

const entry = {
  startToken: text(
    '^[A-Za-z0-9_-]{22,64}$',
    'The start token of the countdown, which it has once the sale is started.',
  ),
  challenge: text('^[A-Za-z0-9+/=_-]{1,1800}$', 'The solved challenge, in a sale that asks for one.'),
}

const body = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: { ...properties, ...entry },
  required: [...required, 'startToken'],
  additionalProperties: false,
})

export const shapes: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [parseSaleId, text(`^${idShapes.sale}$`, 'The id of a sale.')],
  [parseShopperId, text(`^${idShapes.shopper}$`, 'The id of a shopper: `sub` of the session token.')],
  [parseOrderNumber, text('^[1-9][0-9]{8,14}$', 'What people call the order by; its last digit is a check digit.')],
  [parseOrderId, text(`^${idShapes.order}$`, 'The id of an order. It begins with the id of its sale.')],
  [parseIdempotencyKey, idempotencyKeyShape],
  [parseUploadId, text('^[0-9a-f]{32}$', 'The id of an upload.')],
  [parseCarrier, { type: 'string', minLength: 1, description: 'The name of a carrier, at most 32 characters.' }],
  [parseTracking, { type: 'string', minLength: 1, description: 'A tracking number, at most 64 characters.' }],
  [countryIn, text('^[A-Z]{2}$', 'An ISO 3166 code.')],
  [isVariantId, variantId],
  [parseBuyRequest, body({ quantity, variant: variantId }, ['quantity'])],
  [parseClaimRequest, body({}, [])],
])
