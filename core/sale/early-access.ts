/**
 * Early access: members may buy some minutes before all others. The sale starts for all at its time;
 * the turn (spread.ts) of a shopper who is neither of the level nor on the list of the sale comes later, and in an
 * invited-only sale never.
 */

/**
 * The first `minutes` of each window (R7) are for members of `minLevel` and above, and with `list` for the
 * shoppers on the list of the sale. Where `list` is `only`, all of each window is, and there are no minutes.
 */
export type EarlyAccess = {
  minutes?: number | undefined
  minLevel?: number | undefined
  list?: 'on' | 'only' | undefined
}

/** How long only members may buy before all others, ms from the start; 0 where there are no others, or no early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}

/** Whether only members may buy as long as the sale runs. */
export function isInvitedOnly(earlyAccess: Pick<EarlyAccess, 'list'> | undefined): boolean {
  return earlyAccess?.list === 'only'
}
