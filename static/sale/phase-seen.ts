/** What a page of the shop shows of the phase of its sale, beyond the phase itself (core/sale/page-phase.ts). */
import { phaseSeen } from '../../core/sale/page-phase.ts'
import type { Available, Phase } from '../../core/sale/phase.ts'
import type { Countdown, Pointer } from '../../core/sale/pointer.ts'

/**
 * The phase as the pointer was published, for a page that does not know the time, with `available`
 * units believed to be left.
 */
export function publishedPhase(pointer: Pointer, available: Available): Phase {
  const { phase } = pointer
  if (phase !== 'open' && phase !== 'sold-out') return phase
  return available === 0 ? 'sold-out' : 'open'
}

/** A start that came is seen by every page within this time. */
const delayedAfterMs = 10_000

/** Whether a sale that still waits for `startsAt` at `now` is late: it was not started, and its start is unknown. */
export function isDelayed(startsAt: number, now: number): boolean {
  return now - startsAt >= delayedAfterMs
}

/**
 * The news a change of phase is worth telling, by its key in the sale page's catalogue.
 * `moreRounds`: the page can say when the next round starts (R7).
 */
export function newsOfPhase(before: Phase | undefined, after: Phase, moreRounds: boolean) {
  if (before === after) return undefined
  if (after === 'sold-out') return moreRounds ? 'status.roundSoldOut' : 'status.soldOut'
  if (after === 'scheduled' && moreRounds && before !== undefined) return 'status.roundOver'
  if (after === 'paused') return 'problem.paused'
  if (after === 'ended') return 'problem.ended'
  if (after !== 'open' || before === undefined) return 'none'
  return before === 'sold-out' ? 'status.returned' : 'status.open'
}

/** A countdown is loaded this long before the start: longer than one turn of looks at the pointers. */
const aheadMs = 15_000

/**
 * What a card on the index shows. Its pointer was published before the start, and the next one comes up to seconds after it,
 * so a card near its start needs the countdown to distinguish a scheduled sale from one that was not started.
 * `countdown` is the last one loaded, maybe of an older version; undefined without one.
 */
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
