/**
 * How many shoppers to expect at a start, from those who asked to be reminded of it.
 *
 *   followers = the larger of: links of this start's reminders that were followed so far,
 *               reminders × the share of links that were followed at former starts of this shop (½ before the first)
 *   from, to  = followers × the smallest and the largest number of requests for each follower at former starts
 *
 * With less than three former starts the range is wider: × 2 at both ends with one, × 1.5 with two, × 1.2 with more. Before the
 * first it is 2 to 10 requests for each follower: an assumption, which the first measured start replaces. A page sends a
 * request again only after its shopper clicks again, so requests stand for shoppers.
 */

/** What became of one start: `came` requests reached the gate in its first ten minutes, `opened` links were followed by then. */
export type MeasuredCrowd = { reminders: number; opened: number; came: number }

/** Shoppers, in two digits: a forecast is no more exact. */
export type ExpectedCrowd = { from: number; to: number }

/** When a start is measured, ms after it. */
export const measuredAfterMs = 10 * 60_000

/** Former starts that count: the habits of a shop's customers change. */
export const mostMeasured = 10

/** A start with fewer followers says too little of the others. */
const fewestFollowers = 5

const unmeasured = { share: 0.5, smallest: 2, largest: 10 }
const widths = [1, 2, 1.5] as const
const narrowest = 1.2

/** Undefined where no shopper asked for a reminder: then nothing is known of the crowd. */
export function expectedCrowd(
  { asked, opened }: { asked: number; opened: number },
  former: readonly MeasuredCrowd[],
): ExpectedCrowd | undefined {
  if (asked === 0) return undefined
  const known = former.filter((one) => one.opened >= fewestFollowers)
  const sum = (of: (one: MeasuredCrowd) => number) => known.reduce((all, one) => all + of(one), 0)
  const each = known.map((one) => one.came / one.opened)
  const share =
    known.length === 0 ? unmeasured.share : Math.min(1, sum((one) => one.opened) / sum((one) => one.reminders))
  const followers = Math.max(opened, asked * share)
  const width = widths[known.length] ?? narrowest
  const smallest = known.length === 0 ? unmeasured.smallest : Math.min(...each) / width
  const largest = known.length === 0 ? unmeasured.largest : Math.max(...each) * width
  // Those who followed their link are there.
  const from = Math.max(twoDigits(followers * smallest), opened)
  return { from, to: Math.max(from, twoDigits(followers * largest)) }
}

function twoDigits(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1)
  return Math.max(1, Math.round(n / step) * step)
}

/** The forecast of a start, and what came, null before that is known. */
export type StartCrowd = ExpectedCrowd & { came: number | null }

/** All starts of a sale together, undefined where none has a forecast; `came` counts once each of them is measured. */
export function wholeCrowd(crowds: readonly (StartCrowd | null)[]): StartCrowd | undefined {
  const known = crowds.filter((one) => one !== null)
  if (known.length === 0) return undefined
  return known.reduce((all, { from, to, came }) => ({
    from: all.from + from,
    to: all.to + to,
    came: all.came === null || came === null ? null : all.came + came,
  }))
}
