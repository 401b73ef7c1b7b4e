/**
 * The key with which a till or web shop redeems coupons and confirms orders: `<name>.<43 characters>`. It has 256 random
 * bits, and a name by which it can be revoked. Sluice stores only a digest of it.
 */

/** 32 random bytes in base64url. */
export const shopKeyBytes = 32

/** 1 to 20 lower-case letters, digits and inner hyphens. */
export const shopNameShape = '[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?'

const shopNamePattern = /* @__PURE__ */ new RegExp(`^${shopNameShape}$`)

export function isShopName(text: string): boolean {
  return shopNamePattern.test(text)
}

const bearerPattern = /* @__PURE__ */ new RegExp(`^[Bb]earer (${shopNameShape}\\.[A-Za-z0-9_-]{43})$`)

/** The header in which the gate forwards a shop key, because the distribution uses `authorization` for its signature. */
export const shopKeyHeader = 'x-shop-key'

/** The header with the IP address of a shop, as the throttles of the gate count it. */
export const shopAddressHeader = 'x-shop-address'

/** Returns the shop key in an `authorization` header, unverified, or undefined. */
export function shopKeyIn(authorization: string): string | undefined {
  return bearerPattern.exec(authorization)?.[1]
}

export function nameOfShopKey(key: string): string {
  return key.slice(0, key.indexOf('.'))
}

/** The path of the public keys that verify reservations (RFC 8615). */
export const jwksPath = '.well-known/jwks.json'
