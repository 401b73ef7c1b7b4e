/**
 * Signs the reservation that a shopper takes to the shop's own checkout: a JWT with ES256, which the shop verifies offline
 * with the keys at `/.well-known/jwks.json`. The keys are published on a schedule, and before the first signature.
 */
import { createECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Order } from '../../core/orders/order.ts'
import { jwksPath } from '../../core/orders/shop-key.ts'
import { jsonText } from '../lib/env.ts'
import { lazyLoad } from '../lib/lazy-load.ts'
import { type SigningKey, toPublicJwk } from '../lib/session-token.ts'
import type { ShopContext } from '../lib/shop/shop.ts'

/** The key in use, and its predecessor. */
export const maxCheckoutKeys = 2

/** A private ES256 key as its bare number, 32 bytes in base64url, because a function's environment has only 4 KB. */
const shortKey = z.pipe(
  z.string().check(z.refine(isPrivateNumber)),
  z.transform((d): SigningKey => {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(d, 'base64url')
    const point = curve.getPublicKey()
    const part = (from: number) => point.subarray(from, from + 32).toString('base64url')
    return { kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d }
  }),
)

/** False for zero and for numbers above the order of the curve. */
function isPrivateNumber(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return false
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url')
    return true
  } catch {
    return false
  }
}

/** The first key signs, and all are published. */
export const checkoutKeys = jsonText(
  z.tuple([shortKey], shortKey).check(z.refine((keys) => keys.length <= maxCheckoutKeys)),
  `must be a list in JSON of 1 to ${maxCheckoutKeys} private ES256 keys, each its number in base64url`,
)

/** For the function that sends shoppers to a shop's own checkout; absent where no sale does. */
export const checkoutVariables = { CHECKOUT_KEYS: z.optional(checkoutKeys) }

/** The fields of an order that a reservation names. */
type ReservedUnits = Pick<
  Order,
  | 'orderId'
  | 'saleId'
  | 'shopperId'
  | 'quantity'
  | 'variant'
  | 'amount'
  | 'currency'
  | 'writtenAt'
  | 'payBy'
  | 'payment'
>

/** Signs the reservation of an order for the checkout at `url`. @throws when the keys cannot be published */
export type SignReservation = (order: ReservedUnits, url: string) => Promise<string>

/** `publishKeys` writes the set of public keys (RFC 7517, 5) when it is missing or outdated. Repeatable. */
type ReservationSigner = { sign: SignReservation; publishKeys: () => Promise<void> }

/** The header states the type, so that no other token is confused with it (RFC 8725, 3.11). */
const reservationType = 'reservation+jwt'

/** Creates the signer. `shopUrl` is the public address of the sale, the issuer. */
export function reservationSigner(
  { site }: Pick<ShopContext, 'site'>,
  keys: readonly [SigningKey, ...SigningKey[]],
  shopUrl: string,
): ReservationSigner {
  async function publishKeys(): Promise<void> {
    const published = await Promise.all(keys.map(toPublicJwk))
    const body = JSON.stringify({ keys: published.map((jwk) => ({ ...jwk, alg: 'ES256', use: 'sig' })) })
    if ((await site.read(jwksPath)) === body) return
    const caching = { contentType: 'application/json', cacheControl: 'public, max-age=300' }
    await site.put({ path: jwksPath, body, ...caching })
  }

  async function prepare() {
    await publishKeys()
    const { kid = '' } = await toPublicJwk(keys[0])
    return { key: await importJWK(keys[0], 'ES256'), kid }
  }
  const ready = lazyLoad(prepare)

  async function sign(order: ReservedUnits, url: string): Promise<string> {
    const { key, kid } = await ready()
    const { orderId, saleId, shopperId, quantity, variant, amount, currency, payBy, payment } = order
    return new SignJWT({ sale: saleId, quantity, amount, currency, ...(variant && { variant }) })
      .setProtectedHeader({ alg: 'ES256', typ: reservationType, kid })
      .setIssuer(new URL(shopUrl).origin)
      .setAudience(new URL(url).origin)
      .setSubject(shopperId)
      .setJti(orderId)
      .setIssuedAt(Math.floor((payment?.startedAt ?? order.writtenAt) / 1000))
      .setExpirationTime(Math.floor(payBy / 1000))
      .sign(key)
  }

  return { sign, publishKeys }
}

/** Returns the address of the checkout with the reservation. It replaces the page of a payment provider. */
export function checkoutAddress(url: string, reservation: string): string {
  const address = new URL(url)
  address.searchParams.set('reservation', reservation)
  return address.href
}
