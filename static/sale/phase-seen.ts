/** Derives what pages show about a phase (core/sale/page-phase.ts): news, lateness, and the phase on cards. */
import { pagePhase } from '../../core/sale/page-phase.ts'
import type { Available, Phase } from '../../core/sale/phase.ts'
import type { Countdown, Pointer } from '../../core/sale/pointer.ts'

/** Returns the published phase, for a page that does not know the time. `available` are the remaining units. */
export function publishedPhase(pointer: Pointer, available: Available): Phase {
  const { phase } = pointer
  if (phase !== 'open' && phase !== 'sold-out') return phase
  return available === 0 ? 'sold-out' : 'open'
}

/** Every page sees a start within this time, ms. */
const delayedAfterMs = 10_000

/** True when a sale that is still scheduled at `now` is late, so that its start is unknown. */
export function isDelayed(startsAt: number, now: number): boolean {
  return now - startsAt >= delayedAfterMs
}

/** Returns the message key for a change of phase. `moreRounds`: the start of the next round is known (R7). */
export function newsOfPhase(before: Phase | undefined, after: Phase, moreRounds: boolean) {
  if (before === after) return undefined
  if (after === 'sold-out') return moreRounds ? 'status.roundSoldOut' : 'status.soldOut'
  if (after === 'scheduled' && moreRounds && before !== undefined) return 'status.roundOver'
  if (after === 'paused') return 'problem.paused'
  if (after === 'ended') return 'problem.ended'
  if (after !== 'open' || before === undefined) return 'none'
  return before === 'sold-out' ? 'status.returned' : 'status.open'
}

/** A countdown is loaded this long before the start, ms: longer than the interval of polls. */
const aheadMs = 15_000

/**
 * The data of a card on the index. The next pointer comes seconds after the start, so a card near it needs the countdown to
 * know whether the sale was started. `countdown` is the last one loaded, maybe of an older version.
 */
export type CardData = { pointer: Pointer; countdown: Countdown | undefined }

/** Returns the phase at `now`, epoch ms on the shop's clock. */
export function cardPhase({ pointer, countdown }: CardData, now: number): Phase {
  const own = countdown?.version === pointer.version ? countdown : undefined
  return pagePhase({ pointer, countdown: own }, now, pointer.remaining)
}

/** True when the card needs the countdown and has not loaded it. */
export function needsCountdown({ pointer, countdown }: CardData, now: number): boolean {
  const near = pointer.phase === 'scheduled' && now >= pointer.startsAt - aheadMs && now < pointer.endsAt
  return near && countdown?.version !== pointer.version
}
