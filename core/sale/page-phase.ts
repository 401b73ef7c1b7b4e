/**
 * The phase of a sale on a page. The pointer has the phase at its publication. From then on the page applies the clock, so a
 * scheduled sale opens on a page without another publication (C5).
 *
 * This is the rule of phase.ts with less input: a page knows neither the flag nor whether the stock is loaded. With the
 * same input both agree, which a property in test/core/sale/page-phase.test.ts verifies.
 */
import type { Available, Phase } from './phase.ts'
import type { Countdown, Pointer } from './pointer.ts'

type Windows = Pick<Pointer, 'startsAt' | 'endsAt' | 'nextStartsAt'>
type PhaseFacts = Windows & Pick<Pointer, 'phase'>
type CountdownFacts = Pick<Countdown, 'startToken' | 'started'>

/** Returns the phase at `now` (epoch ms, the shop's clock) with `available` units left as far as the page knows. */
export function pagePhase(
  { pointer, countdown }: { pointer: PhaseFacts; countdown: CountdownFacts | undefined },
  now: number,
  available: Available,
): Phase {
  if (isSaleOver(pointer, now)) return 'ended'
  if (pointer.phase === 'paused' || pointer.phase === 'draft') return pointer.phase
  const started = countdown ? countdown.startToken !== undefined : pointer.phase !== 'scheduled'
  // The publisher knew the shop's time, so a clock before the start is slow.
  const begun = pointer.phase !== 'scheduled'
  const isBetween = now >= pointer.endsAt
  if (!started || isBetween || (now < pointer.startsAt && !begun)) return 'scheduled'
  if (available !== 0) return 'open'
  return pointer.phase === 'held-back' ? 'held-back' : 'sold-out'
}

/** True once the last window has ended at `now` (epoch ms, the shop's clock), or the marketer has ended the sale. */
export const isSaleOver = ({ phase, endsAt, nextStartsAt }: PhaseFacts, now: number): boolean =>
  phase === 'ended' || (now >= endsAt && nextStartsAt === null)

/**
 * True when the page can open at `startsAt` (epoch ms) by the clock, without another request (C5): it has the token for the
 * first seconds, and by its pointer the sale is open at that time. A later window (R7) has a new token, which the page must
 * fetch.
 */
export function isArmed(
  seen: { pointer: PhaseFacts & Pick<Pointer, 'remaining'>; countdown: CountdownFacts | undefined } | undefined,
  startsAt: number,
): boolean {
  if (seen?.countdown?.startToken === undefined || seen.countdown.started) return false
  return pagePhase(seen, startsAt, seen.pointer.remaining) === 'open'
}

/** Returns the start of the current window, or of the next one after its end. Times are epoch ms, the shop's clock. */
export function pageStart({ startsAt, endsAt, nextStartsAt }: Windows, now: number): number {
  return now >= endsAt && nextStartsAt !== null ? nextStartsAt : startsAt
}
