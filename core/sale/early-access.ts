/**
 * Early access: members may buy some minutes before all others. The sale starts for all at its time;
 * the turn (spread.ts) of a shopper who is neither of the level nor on the list of the sale comes later.
 */

/**
 * The first `minutes` of each window (R7) are for members of `minLevel` and above, and with `list` for the
 * shoppers on the list of the sale.
 */
export type EarlyAccess = { minutes: number; minLevel?: number | undefined; list?: 'on' | undefined }

/** How long only members may buy, ms from the start; 0 for a sale without early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}
