/**
 * When a page polls `current.json`. The CDN answers from a cache of one second, but a poll of each
 * page of a crowd is a paid request: the further the moment at which something may
 * change, the longer the wait. Every wait is spread, so that a crowd's polls do not fall together.
 */
import type { Phase } from './phase.ts'

/** The longest wait, ms. */
const maxWaitMs = 57_000

/** The wait on the page of a running sale, ms: a marketer's change is seen within ten seconds. */
const runningMs = 8000

/**
 * The same in the first fifteen seconds, while the crowd clicks and every click says what a poll would, ms: no third poll in
 * 30 s, also where the first one, which leaves within nine, is answered late.
 */
const rushMs = 24_000
const rushForMs = 15_000

/** The longest wait, ms, of a page that opens by its clock: the whole crowd polls, and seldom finds a change. */
const maxArmedWaitMs = 285_000

/** An armed page polls for the last time 20 to 40 s before its start, unless it has polled in the minute before. */
const lastPollMs = 20_000

/** The least wait around a start that the marketer may flip any second. */
const minWaitMs = 1500

/** The longest wait for a start that is late. */
const maxLateWaitMs = 15_000

/** A page that opened by its clock polls 2 to 9 s after it: what its clicks send until then is good for ten (C6). */
export const openedMs = 2000
export const openedSpreadMs = 7000

/** The wait after a first lost poll; it doubles with every further one. */
const retryMs = 5000

/** Each wait is at least this share of what it is in the middle, and spread over a tenth. */
const minShare = 0.95
const spread = 0.1

/**
 * `now`, `startsAt` and the start of the next window (R7; null without one) are epoch ms on the
 * shop's clock; `armed` is what `isArmed` says of `startsAt`, also after it until the countdown of the start is loaded,
 * `hidden` is a tab out of sight, and `failures` are the lost polls since the last one that was answered whole.
 */
type PollFacts = {
  phase: Phase | undefined
  armed: boolean
  now: number
  startsAt: number
  nextStartsAt: number | null
  hidden: boolean
  failures: number
}

/**
 * Milliseconds until the next poll, at most five minutes. `random` is from 0 up to 1.
 *
 * An armed page looks once more shortly before its start, for what the marketer has changed meanwhile. It opens by its
 * clock, and polls 2 to 9 s later for the countdown of the start.
 */
export function nextPollMs(facts: PollFacts, random: number): number {
  const wait = waitMs(facts) * (minShare + spread * random)
  const left = facts.startsAt - facts.now
  const pollMs = left > maxWaitMs ? -lastPollMs * (1 + random) : openedMs + openedSpreadMs * random
  return Math.round(facts.armed && !facts.hidden && left > 0 ? Math.min(wait, left + pollMs) : wait)
}

function waitMs({ phase, armed, now, startsAt, nextStartsAt, hidden, failures }: PollFacts): number {
  if (failures > 0 && !hidden) return Math.min(maxWaitMs, retryMs * 2 ** (failures - 1))
  const waits = phase === 'scheduled' || phase === 'draft' || phase === undefined
  // An armed page waits for its clock alone, and what the marketer still changes it learns up to five
  // minutes late, and in the last minute before the start. After a pause, a new token or a start moved
  // away since then it may click for nothing: the gate decides, and a refusal makes it poll at once.
  if (waits && armed && now < startsAt) return maxArmedWaitMs
  // A page looks at once when its tab is shown again.
  if (hidden) return maxWaitMs
  // One window may begin the moment another ends, and its page is not armed for it. A page that still is armed after the
  // start lacks the countdown of the start.
  const opensAt = waits || armed ? startsAt : nextStartsAt
  // A page that sells, or may sell again soon, shows how many are left.
  const isRunning = phase === 'open' || phase === 'paused' || phase === 'held-back' || phase === 'sold-out'
  const running = now < startsAt + rushForMs ? rushMs : runningMs
  const own = isRunning ? running : maxWaitMs
  if (opensAt === null || phase === 'ended') return own
  // The nearer the start, the shorter the wait for its flip: half of the time to it, or since it.
  const maxMs = now < opensAt ? maxWaitMs : maxLateWaitMs
  return Math.min(own, clamp(minWaitMs, Math.abs(now - opensAt) / 2, maxMs))
}

function clamp(min: number, value: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
