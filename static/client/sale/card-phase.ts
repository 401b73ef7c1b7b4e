/**
 * What a card on the index shows. Its pointer was published before the start, and nothing is
 * published at the start itself, so a card near its start needs the countdown to distinguish a
 * scheduled sale from one that was not started.
 */
import type { Phase } from '../../../core/sale/phase.ts'
import type { Countdown, Pointer } from '../../../core/sale/pointer.ts'
import { phaseSeen } from './phase-seen.ts'

/**
 * A countdown is loaded this long before the start: longer than one turn of looks at the pointers.
 */
const aheadMs = 15_000

/** `countdown` is the last one loaded, maybe of an older version; undefined without one. */
export type CardSeen = { pointer: Pointer; countdown: Countdown | undefined }

/** The phase at `now` (epoch ms, the shop's clock). */
export function cardPhase({ pointer, countdown }: CardSeen, now: number): Phase {
  const own = countdown?.version === pointer.version ? countdown : undefined
  return phaseSeen({ pointer, countdown: own }, now, pointer.remaining)
}

/** True when only the countdown shows whether the sale is open, and it is not loaded yet. */
export function wantsCountdown({ pointer, countdown }: CardSeen, now: number): boolean {
  const near = pointer.phase === 'scheduled' && now >= pointer.startsAt - aheadMs && now < pointer.endsAt
  return near && countdown?.version !== pointer.version
}
