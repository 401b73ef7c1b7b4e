/**
 * The ids that all tiers share, each a branded string that only its parser creates. Their alphabets exclude braces, spaces
 * and separators, so an id cannot change a Redis hash tag, a list inside a Redis field, or a DynamoDB key.
 */

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type SaleId = Branded<'SaleId'>
export type ShopperId = Branded<'ShopperId'>
export type OrderId = Branded<'OrderId'>
export type IdempotencyKey = Branded<'IdempotencyKey'>

const saleIdShape = '[a-z0-9][a-z0-9-]{1,38}[a-z0-9]'
const orderIdShape = `${saleIdShape}-[a-z2-7]{26}`
const shopperIdShape = '(?![.][.]?$)[A-Za-z0-9_.@|:+-]{1,128}'

/** Sources of regular expressions for ids in a path. `shopper` works only at the end of a pattern. */
export const idShapes = { sale: saleIdShape, order: orderIdShape, shopper: shopperIdShape } as const

// A pure call, so that bundles of pages drop the patterns that they do not use.
const anchored = (shape: string) => new RegExp(`^${shape}$`)
const saleIdPattern = /* @__PURE__ */ anchored(saleIdShape)
const shopperIdPattern = /* @__PURE__ */ anchored(shopperIdShape)
const idempotencyKeyPattern = /^[A-Za-z0-9_.:-]{1,64}$/
/** The characters of an order id after its sale id (RFC 4648 base32, lower case). The last one determines its quarter. */
export const orderIdLetters = 'abcdefghijklmnopqrstuvwxyz234567'
const orderIdPattern = /* @__PURE__ */ anchored(orderIdShape)

/** The quarters of the orders of a sale, by the last character of their ids. Each can be read separately. */
export const orderQuarters = ['1', '2', '3', '4'] as const
export type OrderQuarter = (typeof orderQuarters)[number]

/** Returns the sale id in `text` (3 to 40 lower-case letters, digits and inner hyphens), or undefined. */
export function parseSaleId(text: unknown): SaleId | undefined {
  return typeof text === 'string' && saleIdPattern.test(text) ? (text as SaleId) : undefined
}

/**
 * Returns the shopper id in `text` (1 to 128 letters, digits and `_ . @ | : + -`, but not `.` or `..`, which are path
 * segments with a meaning), or undefined.
 */
export function parseShopperId(text: unknown): ShopperId | undefined {
  return typeof text === 'string' && shopperIdPattern.test(text) ? (text as ShopperId) : undefined
}

/** Returns the idempotency key in `text` (1 to 64 letters, digits and `_ . : -`), or undefined. */
export function parseIdempotencyKey(text: unknown): IdempotencyKey | undefined {
  return typeof text === 'string' && idempotencyKeyPattern.test(text) ? (text as IdempotencyKey) : undefined
}

/** Returns the order id in `text` (`<saleId>-<26 base32 characters>`), or undefined. */
export function parseOrderId(text: unknown): OrderId | undefined {
  return typeof text === 'string' && orderIdPattern.test(text) ? (text as OrderId) : undefined
}

/** Returns the sale of an order. The order id begins with the sale id, so an order can be found before it is written. */
export function saleOfOrder(orderId: OrderId): SaleId {
  return orderId.slice(0, -27) as SaleId
}
