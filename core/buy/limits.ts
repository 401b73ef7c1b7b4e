/** How much and how often a page may ask for. */

/** The largest quantity any sale could allow; the sale's own `maxPerOrder` is checked where the sale is known. */
export const maxQuantity = 1000

/** C7: a page sends one click in this time. */
export const restMs = 10_000
