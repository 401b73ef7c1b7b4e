/** The name of this program in requests to other servers. Common firewalls refuse a request without one. */

/** The version in package.json, which no bundle can read. */
export const version = '0.1.0'

/** Returns a `User-Agent` with the address of the shop, by which the operator of the other server finds the sender. */
export const userAgent = (shopUrl?: string): string =>
  `Sluice/${version}${shopUrl === undefined ? '' : ` (+${shopUrl})`}`
