/** The `User-Agent` of requests to other servers. Common firewalls reject requests without one. */

/** Repeats package.json, which bundles cannot read. */
export const version = '0.1.0'

/** Returns a `User-Agent` with the shop's URL, so that the operator of the other server can identify the sender. */
export const userAgent = (shopUrl?: string): string =>
  `Sluice/${version}${shopUrl === undefined ? '' : ` (+${shopUrl})`}`
