/**
 * The sale that is planned, and how its crowd behaves second by second. What pages do is asked of the code that the pages
 * themselves run; what people do is assumed, and every assumption is an option.
 */
import type { SaleKind } from '../../core/sale.ts'
import { nextLookMs } from '../../static/client/orders/pace.ts'
import { nextPollMs } from '../../static/client/poll.ts'
import { followMs } from '../../static/client/rain/follow.ts'
import { restMs } from '../../static/client/rest.ts'
import type { Forecast } from '../settings/arithmetic.ts'

/** What is assumed of people; each may be given. */
export type Habits = {
  /** Minutes before the start at which people come, on average. */
  waitMinutes: number
  /** Times that a shopper loads the page, and clicks. */
  pageLoads: number
  clicks: number
  /** Seconds within which the stock may sell; faster is not needed. */
  sellSeconds: number
  /** Of all clicks, those in the busiest of the regions of the gate. */
  busiestShare: number
  /** How long the gate works on a click. */
  edgeRunSeconds: number
  /** How long the first click at a new environment of the gate takes: start, import, first reads of Redis. */
  edgeColdSeconds: number
  /** People behind one address who all want it. */
  officePeople: number
  /** Whether the marketer flips the flag at the last moment. Otherwise pages are armed before they would look for it often. */
  isFlippedLate: boolean
}

export type Plan = Forecast & Habits & { kind: SaleKind }

/**
 * Three loads and three clicks are those of the cost model; 30 ms are its run of the gate. A cold
 * start of half a second is assumed until it is measured. Half of a country's shoppers are
 * served by one region easily, all of them by one in the worst case.
 */
export const usualHabits: Habits = {
  waitMinutes: 5,
  pageLoads: 3,
  clicks: 3,
  sellSeconds: 60,
  busiestShare: 0.5,
  edgeRunSeconds: 0.03,
  edgeColdSeconds: 0.5,
  officePeople: 200,
  isFlippedLate: false,
}

/** The middle of what pages draw by lot. */
const middling = 0.5

const startsAt = 1_000_000
const usualPoll = { startsAt, nextStartsAt: null, hidden: false }
const waitPollSeconds = (untilStartMs: number, armed: boolean): number =>
  nextPollMs({ ...usualPoll, phase: 'scheduled', armed, now: startsAt - untilStartMs }, middling) / 1000

/** Seconds between two looks of a page at the pointer: long before the start, right before it, while the sale is open. */
export type PollPace = { early: number; near: number; open: number }

export const pollPaceOf = ({ isFlippedLate }: Pick<Plan, 'isFlippedLate'>): PollPace => ({
  early: waitPollSeconds(60_000, !isFlippedLate),
  near: waitPollSeconds(1, !isFlippedLate),
  open: nextPollMs({ ...usualPoll, phase: 'open', armed: true, now: startsAt }, middling) / 1000,
})

/** How long before the start a page that is not armed begins to look often. Found in the code of the page, to the second. */
export const nearSeconds =
  [...Array(120).keys()].findLast(
    (seconds) => waitPollSeconds(seconds * 1000, false) === waitPollSeconds(1, false),
  ) ?? 0

/** Seconds between two looks of a winner's page: while what was won is being written, and afterwards. */
export type LookPace = { writing: number; later: number }

/** An order is looked at until it is paid, ever less often; of those looks the sixth is a middling one. A wallet is left alone. */
export const lookPaceOf = ({ kind }: Pick<Plan, 'kind'>): LookPace =>
  kind === 'red-packet'
    ? { writing: meanOfFirst((looks) => followMs(looks, middling)), later: Number.POSITIVE_INFINITY }
    : {
        writing: meanOfFirst((looks) => nextLookMs(['reserved'], looks, middling)),
        later: secondsOf(nextLookMs(['to-pay'], 5, middling)),
      }

/** Of the first three waits, which take as long as the writing. */
const meanOfFirst = (waitMs: (looks: number) => number | undefined): number =>
  [0, 1, 2].reduce((sum, looks) => sum + secondsOf(waitMs(looks)), 0) / 3

const secondsOf = (ms: number | undefined): number => (ms ?? Number.POSITIVE_INFINITY) / 1000

/** Looks at the pointer that one shopper's page makes: early, near the start, and half a minute of the sale. */
export function pollsOf(plan: Pick<Plan, 'waitMinutes' | 'isFlippedLate'>): number {
  const { early, near, open } = pollPaceOf(plan)
  const waited = plan.waitMinutes * 60
  const earlySeconds = Math.max(0, waited - nearSeconds)
  return Math.ceil(earlySeconds / early + Math.min(waited, nearSeconds) / near + 30 / open)
}

/** Clicks a second when everybody clicks once within the opening. */
export const clicksPerSecond = ({ shoppers, openingSeconds }: Forecast): number =>
  Math.ceil(shoppers / openingSeconds)

/** A page asks for the shop's time so often when it opens, and again 30 to 10 s before the start (static/client/shop-clock.ts). */
export const timeAsks = 4
const timeAskedWithinSeconds = 20

/** Requests for the shop's time in a second, shortly before the start. */
export const timeAsksPerSecond = ({ shoppers }: Forecast): number =>
  Math.ceil((shoppers * timeAsks) / timeAskedWithinSeconds)

/** Modules of the countdown that pages load in a second, once the flag is flipped: each page one, when it next looks. */
export const countdownsPerSecond = (plan: Pick<Plan, 'shoppers' | 'isFlippedLate'>): number =>
  Math.ceil(plan.shoppers / pollPaceOf(plan).near)

/** The module of the countdown, and the challenge. */
const otherAsks = 2

/**
 * What one page asks for in its busiest minute. Armed: half a minute before the start and half after it. Who flips at the last
 * moment may be late, and then that minute is one of waiting and ends with a click.
 */
export function asksInBusiestMinute(plan: Pick<Plan, 'isFlippedLate'>): number {
  const { near, open } = pollPaceOf(plan)
  const waits = plan.isFlippedLate ? 60 : nearSeconds
  const clicks = Math.max(1, Math.ceil((60 - waits) / (restMs / 1000)))
  return timeAsks + otherAsks + Math.ceil(waits / near) + Math.ceil((60 - waits) / open) + clicks
}
