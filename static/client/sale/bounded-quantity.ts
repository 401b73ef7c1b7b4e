/** What a shopper typed as a quantity that an order may have. */

/** Any text as a quantity from 1 to `max`. */
export function boundedQuantity(text: string, max: number): number {
  const n = Number.parseInt(text, 10)
  return Number.isNaN(n) ? 1 : Math.min(max, Math.max(1, n))
}
