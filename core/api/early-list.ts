/** The limits of the list of a sale whose units are drawn (core/sale/early-access.ts). */

/** Shoppers of one write to the list. */
export const maxEarlyShoppers = 1000

/** Shoppers on the list of one sale. */
export const maxEarlyList = 20_000
