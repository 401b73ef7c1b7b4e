/**
 * When a page polls `current.json`. The CDN answers from a cache of one second, so polling is cheap
 * but not free: seldom while nothing can change, often while the start is near, and spread over all
 * pages.
 */
import type { Phase } from './phase.ts'

const calm = { everyMs: 5000, jitterMs: 1000 }
const eager = { everyMs: 700, jitterMs: 100 }
const afterwards = { everyMs: 10_000, jitterMs: 2000 }
const unseen = { everyMs: 20_000, jitterMs: 5000 }
const tooLate = { everyMs: 2000, jitterMs: 400 }

/** From this long before the start a page that is not armed looks often. */
const eagerBeforeMs = 30_000

/** A marketer this late is not about to flip this second; the page eases off a little. */
const eagerAfterMs = 120_000

/**
 * `now`, `startsAt` and the start of the next window (R7; null without one) are epoch ms on the
 * shop's clock; `armed` is what `isArmed` says of `startsAt`, `hidden` is a tab nobody sees.
 */
type PollFacts = {
  phase: Phase | undefined
  armed: boolean
  now: number
  startsAt: number
  nextStartsAt: number | null
  hidden: boolean
}

/** Milliseconds until the next look. `random` is from 0 up to 1. */
export function nextPollMs(facts: PollFacts, random: number): number {
  const { everyMs, jitterMs } = paceOf(facts)
  return Math.round(everyMs + (random * 2 - 1) * jitterMs)
}

function paceOf({ phase, armed, now, startsAt, nextStartsAt, hidden }: PollFacts) {
  if (hidden) return unseen
  if (phase === 'ended') return afterwards
  const waits = phase === 'scheduled' || phase === 'draft' || phase === undefined
  // An armed page waits for its clock alone, and what the marketer still changes it learns up to
  // six seconds late. A start moved nearer lights its button that much later, as one moved nearer a
  // minute before always did. After a pause, a new token or a start moved away it may click for
  // nothing: the gate decides, and a refusal makes it look at once.
  if (waits && armed && now < startsAt) return calm
  // One window may begin the moment another ends, and whoever looks calmly until then would learn
  // it late.
  const opensAt = waits ? startsAt : nextStartsAt
  if (opensAt === null || now < opensAt - eagerBeforeMs) {
    return phase === 'sold-out' ? afterwards : calm
  }
  return now < opensAt + eagerAfterMs ? eager : tooLate
}
