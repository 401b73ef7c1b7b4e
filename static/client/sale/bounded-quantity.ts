/** What a shopper typed as a quantity that an order may have. */

/** Any text as a quantity from `min` to `max`. */
export function boundedQuantity(text: string, min: number, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? min : Math.min(max, Math.max(min, n))
}
