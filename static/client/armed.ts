import type { Countdown, Pointer } from '../../core/pointer.ts'
import { phaseSeen } from './phase-seen.ts'

/**
 * Whether the page will open at `startsAt` (epoch ms) by the clock alone, with nothing more to
 * fetch (C5): it holds the start token, and what it has seen makes an open sale of that moment. A
 * later window (R7) opens with a new token, so nobody is armed for it.
 */
export function isArmed(
  seen: { pointer: Pointer; countdown: Countdown | undefined } | undefined,
  startsAt: number,
): boolean {
  if (seen?.countdown?.startToken === undefined) return false
  return phaseSeen(seen, startsAt, seen.pointer.remaining) === 'open'
}
