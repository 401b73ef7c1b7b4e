import type { Countdown, Pointer } from '../../../core/sale/pointer.ts'
import { phaseSeen } from './phase-seen.ts'

/**
 * Whether the page opens at `startsAt` (epoch ms) by the clock alone, without another request (C5):
 * it has the start token, and the pointer it has seen makes the sale open at that moment. A later
 * window (R7) opens with a new token, which the page must fetch.
 */
export function isArmed(
  seen: { pointer: Pointer; countdown: Countdown | undefined } | undefined,
  startsAt: number,
): boolean {
  if (seen?.countdown?.startToken === undefined) return false
  return phaseSeen(seen, startsAt, seen.pointer.remaining) === 'open'
}
