/** The periods of a sale's life, by its state and the clock alone: from its first moment on until it is archived. */
import { hasEnded, type Sale } from './sale.ts'
import { nextWindow } from './windows.ts'

/** Clicks come a little before a sale opens for a clock that runs ahead. */
export const earlyClickMs = 10_000

/** How long after its last order could be cancelled a sale is still compared. */
const comparedForMs = 3_600_000

/** How long after it was over a sale can still be extended, restocked and recovered. */
const keptForMs = 7 * 86_400_000

/** Returns the step that the clock makes due: the next window, or the opening of the present one. */
export function dueWork(sale: Sale, now: number): 'turn' | 'open' | undefined {
  const { warmed, flag, epoch, startsAt, endsAt, armed } = sale
  if (!warmed || flag === 'closed') return undefined
  if (now >= endsAt) return nextWindow(sale) === undefined ? undefined : 'turn'
  const waits = flag === 'on' ? armed : flag === 'off' && epoch > 0
  return waits && now >= startsAt ? 'open' : undefined
}

/**
 * True before the first moment at which a unit of `sale` may be bought: only changes of a marketer, each of which is
 * published at once, make a difference to what it shows and admits.
 */
export function isUpcoming({ epoch, windowIndex, startsAt }: Sale, now: number): boolean {
  return epoch === 0 || (windowIndex === 0 && now < startsAt - earlyClickMs)
}

/** True while shoppers may buy, and a little before. */
export function isSelling({ flag, startsAt, endsAt }: Sale, now: number): boolean {
  return flag === 'on' && now >= startsAt - earlyClickMs && now < endsAt
}

/**
 * Whether a sale needs the tick: a run without such a sale ends at once and costs nothing. True when `sale` sells, is
 * paused in its window, or opens, turns or starts between `now` and `until` (epoch ms). A sale that was never started
 * counts only around its start, because `start` itself publishes it and the next run finds it running.
 */
export function needsTick(sale: Sale, now: number, until: number): boolean {
  const { warmed, flag, epoch, startsAt, endsAt } = sale
  if (!warmed || flag === 'closed') return false
  if (dueWork(sale, now) !== undefined) return true
  if (now >= endsAt) return false
  const startsInTime = startsAt - earlyClickMs < until
  if (epoch === 0) return startsInTime && now < startsAt
  const turnsInTime = nextWindow(sale) !== undefined && endsAt < until
  return startsInTime || turnsInTime
}

/** True when nothing can happen to a sale any more: orders reserved at its end are long paid or cancelled. */
export function isOver(sale: Sale, now: number): boolean {
  const { endsAt, paymentWindowSeconds, paymentGraceSeconds } = sale
  const lastCancelledAt = endsAt + (paymentWindowSeconds + paymentGraceSeconds) * 1000
  return hasEnded(sale, now) && now >= lastCancelledAt + comparedForMs
}

/** True when `sale` was over a week ago. */
export function isArchivable(sale: Sale, now: number): boolean {
  return isOver(sale, now - keptForMs)
}
