/** Whether a sale needs a look every second: a run without such a sale ends at once and costs nothing. */
import type { Sale } from '../../core/sale/sale.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { dueWork } from '../sales/window-steps.ts'

/** Clicks come a little before a sale opens for a clock that runs ahead. */
export const aheadMs = 10_000

/**
 * True when `sale` sells, is paused in its window, or opens, turns or starts between `now` and
 * `until` (epoch ms). A sale that was never started counts only around its start, because `start`
 * itself publishes it and the next run finds it running.
 */
export function needsTick(sale: Sale, now: number, until: number): boolean {
  const { warmed, flag, epoch, startsAt, endsAt } = sale
  if (!warmed || flag === 'closed') return false
  if (dueWork(sale, now) !== undefined) return true
  if (now >= endsAt) return false
  const startsInTime = startsAt - aheadMs < until
  if (epoch === 0) return startsInTime && now < startsAt
  const turnsInTime = nextWindow(sale) !== undefined && endsAt < until
  return startsInTime || turnsInTime
}

/**
 * True before the first moment at which a unit of `sale` may be bought: only changes of a marketer, each of which is
 * published at once, make a difference to what it shows and admits.
 */
export function isToCome({ epoch, windowIndex, startsAt }: Sale, now: number): boolean {
  return epoch === 0 || (windowIndex === 0 && now < startsAt - aheadMs)
}
