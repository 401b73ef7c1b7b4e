/**
 * When a page polls `current.json`. The CDN caches it for a second, but each poll is a paid request. So the wait grows with
 * the time until the next possible change, and has jitter, so that the polls of a crowd do not coincide.
 */
import type { Phase } from './phase.ts'

/** The longest wait, ms. */
const maxWaitMs = 57_000

/** The wait while a sale runs, ms: pages show a marketer's change within ten seconds. */
const runningMs = 8000

/**
 * The wait in the first fifteen seconds, while answers to clicks tell the page as much as a poll, ms. There is no third poll
 * in 30 s, even if the answer to the first one, which is sent within nine seconds, is late.
 */
const rushMs = 24_000
const rushForMs = 15_000

/** The longest wait of a page that opens by its clock, ms: the whole crowd polls, and changes are rare. */
const maxArmedWaitMs = 285_000

/** An armed page polls for the last time 20 to 40 s before its start, unless it has polled in the minute before. */
const lastPollMs = 20_000

/** The shortest wait, around a start that the marketer may trigger any second. */
const minWaitMs = 1500

/** The longest wait for a start that is late. */
const maxLateWaitMs = 15_000

/** A page that opened by its clock polls 2 to 9 s later: the token that its clicks send is valid for ten seconds (C6). */
export const openedMs = 2000
export const openedSpreadMs = 7000

/** The wait after a failed poll; it doubles with every further failure. */
const retryMs = 5000

/** Jitter: each wait is multiplied by a random factor from 0.95 to 1.05. */
const minShare = 0.95
const spread = 0.1

/**
 * `now`, `startsAt` and `nextStartsAt` (R7; null without another window) are epoch ms on the shop's clock. `armed` is the
 * result of `isArmed` for `startsAt`; it stays true after the start until the page has loaded the countdown of the start.
 * `hidden`: the tab is in the background. `failures` counts failed polls since the last success.
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
 * Returns the ms until the next poll, at most five minutes. `random` is from 0 to 1.
 *
 * An armed page polls once shortly before its start, in case the marketer has changed something. It opens by its clock, and
 * polls 2 to 9 s later for the countdown of the start.
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
  // An armed page waits for its clock, so it sees a marketer's change up to five minutes late, and in the last minute
  // before the start. After a later change its clicks may be rejected by the gate, and a rejection makes it poll at once.
  if (waits && armed && now < startsAt) return maxArmedWaitMs
  // A page polls at once when its tab becomes visible.
  if (hidden) return maxWaitMs
  // A window may begin when another ends, and pages are not armed for it. A page that is still armed after the start has
  // not loaded the countdown of the start.
  const opensAt = waits || armed ? startsAt : nextStartsAt
  // A page that sells, or may sell again soon, shows how many are left.
  const isRunning = phase === 'open' || phase === 'paused' || phase === 'held-back' || phase === 'sold-out'
  const running = now < startsAt + rushForMs ? rushMs : runningMs
  const own = isRunning ? running : maxWaitMs
  if (opensAt === null || phase === 'ended') return own
  // The nearer the start, the shorter the wait: half of the time until it, or since it.
  const maxMs = now < opensAt ? maxWaitMs : maxLateWaitMs
  return Math.min(own, maxMs, Math.max(minWaitMs, Math.abs(now - opensAt) / 2))
}
