/**
 * When a page polls `current.json`. The CDN answers from a cache of one second, but a poll of each
 * page of a crowd is a paid request: the further the moment at which something may
 * change, the longer the wait. Every wait is spread, so that a crowd's polls do not fall together.
 */
import type { Phase } from './phase.ts'

/** The longest wait, ms, of a page whose state may change with what others do. */
const minuteMs = 57_000

/**
 * The longest wait, ms, of a page that opens by its clock: each of its polls is one for every shopper of the crowd, and
 * tells most of them nothing.
 */
const armedMs = 285_000

/** An armed page polls for the last time 20 to 40 s before its start, unless it has polled in the minute before. */
const lastMs = 20_000

/** The least wait around a start that the marketer may flip any second. */
const eagerMs = 1500

/** The longest wait for a start that is late, and the wait for the end of a pause. */
const lateMs = 15_000

/** The least wait on an open page, which has what a click needs. */
const openMs = 15_000

/** The wait after a first lost poll; it doubles with every further one. */
const lostMs = 5000

/** Each wait comes up to this share earlier or later. */
const spread = 0.05

/**
 * `now`, `startsAt` and the start of the next window (R7; null without one) are epoch ms on the
 * shop's clock; `armed` is what `isArmed` says of `startsAt`, `hidden` is a tab out of sight, and
 * `failures` are the lost polls since the last one that was answered whole.
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

/** Milliseconds until the next poll, at most five minutes. `random` is from 0 up to 1. */
export function nextPollMs(facts: PollFacts, random: number): number {
  const wait = waitMs(facts) * (1 + (random * 2 - 1) * spread)
  return Math.round(Math.min(wait, untilStartMs(facts, random)))
}

/**
 * An armed page looks once more shortly before its start, for what the marketer has changed meanwhile. It opens by its clock,
 * and polls 10 to 25 s later: it may be sold out by then.
 */
function untilStartMs({ armed, hidden, now, startsAt }: PollFacts, random: number): number {
  if (!armed || hidden || now >= startsAt) return Number.POSITIVE_INFINITY
  const left = startsAt - now
  return left > 3 * lastMs ? left - lastMs * (1 + random) : left + openMs * (2 / 3 + random)
}

function waitMs({ phase, armed, now, startsAt, nextStartsAt, hidden, failures }: PollFacts): number {
  const waits = phase === 'scheduled' || phase === 'draft' || phase === undefined
  // An armed page waits for its clock alone, and what the marketer still changes it learns up to five
  // minutes late, and in the last minute before the start. After a pause, a new token or a start moved
  // away since then it may click for nothing: the gate decides, and a refusal makes it poll at once.
  const waitsForClock = waits && armed && now < startsAt
  // A page looks at once when its tab is shown again.
  if (hidden) return waitsForClock ? armedMs : minuteMs
  if (failures > 0) return Math.min(minuteMs, lostMs * 2 ** (failures - 1))
  if (waitsForClock) return armedMs
  // One window may begin the moment another ends: its page is not armed for it.
  const opensAt = waits ? startsAt : nextStartsAt
  const untilFlip = opensAt === null || phase === 'ended' ? minuteMs : flipMs(opensAt, now)
  return Math.min(untilFlip, ownMs(phase, now - startsAt))
}

/** The nearer the start, the shorter the wait for its flip: half of the time to it, or since it. */
function flipMs(opensAt: number, now: number): number {
  return between(eagerMs, Math.abs(now - opensAt) / 2, now < opensAt ? minuteMs : lateMs)
}

/** What the phase itself asks for: a page that sells, or may sell again soon, shows how many are left. */
function ownMs(phase: Phase | undefined, sinceStartMs: number): number {
  if (phase === 'open') return between(openMs, sinceStartMs / 2, minuteMs)
  return phase === 'paused' || phase === 'held-back' ? lateMs : minuteMs
}

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
