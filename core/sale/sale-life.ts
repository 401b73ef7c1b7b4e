/** The periods of a sale's life, from before its opening until it is archived, by its state and the clock. */
import { hasEnded, type Sale } from './sale.ts'
import { nextWindow } from './windows.ts'

/** How long before the opening clicks may arrive from clients whose clock is fast. */
export const earlyClickMs = 10_000

/** How long after its last possible cancellation a sale is still compared. */
const comparedForMs = 3_600_000

/** How long after its end a sale can still be extended, restocked and recovered. */
const keptForMs = 7 * 86_400_000

/** Returns the due step: move to the `next-window`, or `open` the current one. */
export function dueWork(sale: Sale, now: number): 'next-window' | 'open' | undefined {
  const { warmed, flag, epoch, startsAt, endsAt, armed } = sale
  if (!warmed || flag === 'closed') return undefined
  if (now >= endsAt) return nextWindow(sale) === undefined ? undefined : 'next-window'
  const waits = flag === 'on' ? armed : flag === 'off' && epoch > 0
  return waits && now >= startsAt ? 'open' : undefined
}

/**
 * True before the first unit of `sale` can be bought. Until then only a marketer's changes, which are published at once,
 * affect its public state.
 */
export function isUpcoming({ epoch, windowIndex, startsAt }: Sale, now: number): boolean {
  return epoch === 0 || (windowIndex === 0 && now < startsAt - earlyClickMs)
}

/** True from shortly before shoppers may buy until they no longer may. */
export function isSelling({ flag, startsAt, endsAt }: Sale, now: number): boolean {
  return flag === 'on' && now >= startsAt - earlyClickMs && now < endsAt
}

/**
 * True when a sale needs the tick, which otherwise ends at once: `sale` is open or paused in its window, or it opens or
 * changes its window between `now` and `until` (epoch ms). A sale that was never started needs it only around its start,
 * because `start` publishes it and the next run then finds it running.
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

/** True when nothing can happen to a sale any more: orders reserved at its end were paid or cancelled long ago. */
export function isOver(sale: Sale, now: number): boolean {
  const { endsAt, paymentWindowSeconds, paymentGraceSeconds } = sale
  const lastCancelledAt = endsAt + (paymentWindowSeconds + paymentGraceSeconds) * 1000
  return hasEnded(sale, now) && now >= lastCancelledAt + comparedForMs
}

/** True when `sale` was over a week ago. */
export function isArchivable(sale: Sale, now: number): boolean {
  return isOver(sale, now - keptForMs)
}
