/**
 * The planned sale, and how its crowd behaves second by second. What pages do comes from the code
 * that they run; what people do is assumed, and every assumption is an option.
 */

import { restMs } from '../../core/buy-request.ts'
import { nextLookMs } from '../../core/order-poll.ts'
import { nextPollMs } from '../../core/pointer-poll.ts'
import type { SaleKind } from '../../core/settings.ts'
import { followMs } from '../../core/wallet-poll.ts'
import type { Forecast } from '../../infra/settings/arithmetic.ts'

/** Assumptions about people and about what is sold beside the sale; each is an option. */
export type Habits = {
  /** How long before the start people come, on average. */
  waitMinutes: number
  /** Times that a shopper loads the page, and clicks. */
  pageLoads: number
  clicks: number
  /** Time that the stock may take to sell; faster is not needed. */
  sellSeconds: number
  /** Share of the clicks in the busiest region of the gate. */
  busiestShare: number
  /** Run of the gate for one click. */
  edgeRunSeconds: number
  /** First click at a new environment of the gate: start, import, first reads of Redis. */
  edgeColdSeconds: number
  /** Shoppers behind one address. */
  officePeople: number
  /**
   * Whether the marketer starts the sale at the last moment. Otherwise pages are armed before they
   * would poll often.
   */
  isFlippedLate: boolean
  /** Sales at the same time. They share shoppers and stock evenly. */
  sales: number
  /** Databases that the stock of each sale is split over. */
  shards: number
  /** Databases of the stocks. With several of them the gate's store is a database of its own. */
  databases: number
}

export type Plan = Forecast & Habits & { kind: SaleKind }

/**
 * Three loads, three clicks and a run of 30 ms are those of the cost model. A cold start of half a
 * second is assumed until it is measured. One region easily serves half of a country's shoppers, in
 * the worst case all of them.
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
  sales: 1,
  shards: 1,
  databases: 1,
}

/** With the gate's, which is one of those of the stocks as long as there is only one. */
export const databasesInAll = ({ databases }: Pick<Plan, 'databases'>): number =>
  databases === 1 ? 1 : databases + 1

/** The middle of the random spread of pages. */
const middling = 0.5

const startsAt = 1_000_000
const usualPoll = { startsAt, nextStartsAt: null, hidden: false }
const waitPollSeconds = (untilStartMs: number, armed: boolean): number =>
  nextPollMs({ ...usualPoll, phase: 'scheduled', armed, now: startsAt - untilStartMs }, middling) / 1000

/**
 * Seconds between two polls of the pointer: long before the start, right before it, while the sale
 * is open.
 */
export type PollPace = { early: number; near: number; open: number }

export const pollPaceOf = ({ isFlippedLate }: Pick<Plan, 'isFlippedLate'>): PollPace => ({
  early: waitPollSeconds(60_000, !isFlippedLate),
  near: waitPollSeconds(1, !isFlippedLate),
  open: nextPollMs({ ...usualPoll, phase: 'open', armed: true, now: startsAt }, middling) / 1000,
})

/**
 * Seconds before the start at which a page that is not armed begins to poll often, found by calling
 * the page's code.
 */
export const nearSeconds =
  [...Array(120).keys()].findLast(
    (seconds) => waitPollSeconds(seconds * 1000, false) === waitPollSeconds(1, false),
  ) ?? 0

/**
 * Seconds between two polls of a buyer's page: while the order or packet is being written, and
 * afterwards.
 */
export type ReadPace = { writing: number; later: number }

/**
 * A page polls an order until it is paid, less and less often: its sixth poll stands for all. It
 * does not poll a wallet later.
 */
export const readPaceOf = ({ kind }: Pick<Plan, 'kind'>): ReadPace =>
  kind === 'red-packet'
    ? { writing: meanOfFirst((looks) => followMs(looks, middling)), later: Number.POSITIVE_INFINITY }
    : {
        writing: meanOfFirst((looks) => nextLookMs(['reserved'], looks, middling)),
        later: secondsOf(nextLookMs(['to-pay'], 5, middling)),
      }

/** Mean of the first three waits, which last as long as the writing. */
const meanOfFirst = (waitMs: (looks: number) => number | undefined): number =>
  [0, 1, 2].reduce((sum, looks) => sum + secondsOf(waitMs(looks)), 0) / 3

const secondsOf = (ms: number | undefined): number => (ms ?? Number.POSITIVE_INFINITY) / 1000

/**
 * Polls of the pointer by one shopper's page: early, near the start, and in half a minute of the
 * sale.
 */
export function pollsOf(plan: Pick<Plan, 'waitMinutes' | 'isFlippedLate'>): number {
  const { early, near, open } = pollPaceOf(plan)
  const waited = plan.waitMinutes * 60
  const earlySeconds = Math.max(0, waited - nearSeconds)
  return Math.ceil(earlySeconds / early + Math.min(waited, nearSeconds) / near + 30 / open)
}

/** Clicks a second when every shopper clicks once within the opening. */
export const clicksPerSecond = ({ shoppers, openingSeconds }: Forecast): number =>
  Math.ceil(shoppers / openingSeconds)

/**
 * Requests for the shop's time by one page, when it opens and again 30 to 10 s before the start
 * (static/client/shop-clock.ts).
 */
export const timeAsks = 4
const timeAskedWithinSeconds = 20

/** Requests for the shop's time in a second, shortly before the start. */
export const timeAsksPerSecond = ({ shoppers }: Forecast): number =>
  Math.ceil((shoppers * timeAsks) / timeAskedWithinSeconds)

/**
 * Countdown modules loaded in a second after the start flag changed: each page loads one at its
 * next poll.
 */
export const countdownsPerSecond = (plan: Pick<Plan, 'shoppers' | 'isFlippedLate'>): number =>
  Math.ceil(plan.shoppers / pollPaceOf(plan).near)

/** The countdown module and the challenge. */
const otherAsks = 2

/**
 * Requests of one page in its busiest minute. Armed: half a minute before the start and half after
 * it. A marketer who starts the sale at the last moment may be late: that minute is one of waiting
 * and ends with a click.
 */
export function asksInBusiestMinute(plan: Pick<Plan, 'isFlippedLate'>): number {
  const { near, open } = pollPaceOf(plan)
  const waits = plan.isFlippedLate ? 60 : nearSeconds
  const clicks = Math.max(1, Math.ceil((60 - waits) / (restMs / 1000)))
  return timeAsks + otherAsks + Math.ceil(waits / near) + Math.ceil((60 - waits) / open) + clicks
}

/**
 * The functions and the queue of a kind of sale: `seller` takes admitted clicks, buyers' pages poll
 * `reader`.
 */
export function rolesOf({ kind }: Pick<Plan, 'kind'>) {
  return kind === 'red-packet'
    ? ({ seller: 'claim', reader: 'wallet', queue: 'claims' } as const)
    : ({ seller: 'reserve', reader: 'orders', queue: 'orders' } as const)
}
