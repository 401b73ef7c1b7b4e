/**
 * When a page asks for its challenge (R5): before the start, so that nothing has to be worked out
 * once it counts, and each page at its own moment, so that a crowd which has waited for hours does
 * not ask in the same second.
 */
import { checkBeforeStartMs } from '../../../core/gate/challenge.ts'
import type { Phase } from '../../../core/sale/phase.ts'

/**
 * `now` and `startsAt` are epoch ms on the shop's clock; `waitMs` is how long the shopper still waits in a
 * sale that is open, for the own turn or for the end of early access; `spread`, from 0 up to 1, is fixed per
 * page. A page that has `won` is on its way to the order.
 */
type DueFacts = {
  phase: Phase | undefined
  now: number
  startsAt: number
  waitMs: number
  spread: number
  won: boolean
}

/** Whether a page without a solved challenge should have one now. */
export function checkDue({ phase, now, startsAt, waitMs, spread, won }: DueFacts): boolean {
  const { from, until } = checkBeforeStartMs
  const aheadMs = from - spread * (from - until)
  // A solution does not last as long as early access may.
  return !won && (phase === 'open' ? waitMs <= aheadMs : phase === 'scheduled' && startsAt - now <= aheadMs)
}
