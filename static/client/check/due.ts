/**
 * When a page asks for its challenge (R5): before the start, so that nothing has to be worked out
 * once it counts, and each page at its own moment, so that a crowd which has waited for hours does
 * not ask in the same second.
 */
import { checkBeforeStartMs } from '../../../core/challenge.ts'
import type { Phase } from '../../../core/phase.ts'

const { from, until } = checkBeforeStartMs

/**
 * `now` and `startsAt` are epoch ms on the shop's clock; `spread`, from 0 up to 1, is fixed per
 * page. A page that has `won` is on its way to the order.
 */
type DueFacts = { phase: Phase | undefined; now: number; startsAt: number; spread: number; won: boolean }

/** Whether a page without a solved challenge should have one now. */
export function checkDue({ phase, now, startsAt, spread, won }: DueFacts): boolean {
  if (won) return false
  if (phase === 'open') return true
  return phase === 'scheduled' && now >= startsAt - from + spread * (from - until)
}
