/**
 * The phase of a sale as far as a page knows it. The pointer has the phase of its publication; the clock advances without
 * another publication, so a scheduled sale opens on a page by the shop's time alone (C5).
 *
 * This is the rule of phase.ts with less input: a page knows neither the flag nor whether the stock is loaded. Where
 * both have the input they must agree, as a property in test/core/sale/page-phase.test.ts checks.
 */
import type { Available, Phase } from './phase.ts'
import type { Countdown, Pointer } from './pointer.ts'

type Windows = Pick<Pointer, 'startsAt' | 'endsAt' | 'nextStartsAt'>
type PhaseFacts = Windows & Pick<Pointer, 'phase'>
type CountdownFacts = Pick<Countdown, 'startToken' | 'started'>

/** Returns the phase at `now` (epoch ms, the shop's clock) with `available` units believed to be left. */
export function pagePhase(
  { pointer, countdown }: { pointer: PhaseFacts; countdown: CountdownFacts | undefined },
  now: number,
  available: Available,
): Phase {
  if (isSaleOver(pointer, now)) return 'ended'
  if (pointer.phase === 'paused' || pointer.phase === 'draft') return pointer.phase
  const started = countdown ? countdown.startToken !== undefined : pointer.phase !== 'scheduled'
  // The publisher knew the shop's time: a clock that is still before the start is slow.
  const begun = pointer.phase !== 'scheduled'
  const isBetween = now >= pointer.endsAt
  if (!started || isBetween || (now < pointer.startsAt && !begun)) return 'scheduled'
  if (available !== 0) return 'open'
  return pointer.phase === 'held-back' ? 'held-back' : 'sold-out'
}

/** True once the last window has ended at `now` (epoch ms, the shop's clock), or the marketer ended the sale. */
export const isSaleOver = ({ phase, endsAt, nextStartsAt }: PhaseFacts, now: number): boolean =>
  phase === 'ended' || (now >= endsAt && nextStartsAt === null)

/**
 * Whether the page opens at `startsAt` (epoch ms) by the clock alone, without another request (C5):
 * it has what a click sends in the first seconds, and the pointer it has seen makes the sale open at that moment. A later
 * window (R7) opens with a new token, which the page must fetch.
 */
export function isArmed(
  seen: { pointer: PhaseFacts & Pick<Pointer, 'remaining'>; countdown: CountdownFacts | undefined } | undefined,
  startsAt: number,
): boolean {
  if (seen?.countdown?.startToken === undefined || seen.countdown.started) return false
  return pagePhase(seen, startsAt, seen.pointer.remaining) === 'open'
}

/** Returns the start of the window that is sold from at `now`, or waited for; all times epoch ms on the shop's clock. */
export function pageStart({ startsAt, endsAt, nextStartsAt }: Windows, now: number): number {
  return now >= endsAt && nextStartsAt !== null ? nextStartsAt : startsAt
}
