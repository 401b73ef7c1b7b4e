/** Early access: members may buy some minutes before others, whose turn (spread.ts) comes later. */

/** The first `minutes` of each window (R7) are for members of `minLevel` and above. */
export type EarlyAccess = { minutes: number; minLevel: number }

/** How long only members may buy before all others, ms from the start; 0 without early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}
