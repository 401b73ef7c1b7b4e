/**
 * The planned sale, and how its crowd behaves second by second. What pages do comes from the code
 * that they run; what people do is assumed, and every assumption is an option.
 */

import { restMs } from '../../core/buy/buy-request.ts'
import { nextLookMs } from '../../core/orders/order-poll.ts'
import { followMs } from '../../core/packets/wallet-poll.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import type { SaleKind } from '../../core/sale/settings.ts'
import type { Forecast } from '../../infra/settings/arithmetic.ts'
import { pageRequests } from './page-requests.ts'

/**
 * `reaction`: as people react to a start, most of them at once. Reaction times are exponential with a
 * mean of a fifth of the opening, as the crowd of `npm run bench -- million` has them: of an opening
 * of 10 s, 40 % click in the first second. `even`: the same number in every second.
 */
export const arrivals = ['reaction', 'even'] as const
export type Arrival = (typeof arrivals)[number]

/** Assumptions about people and about what is sold beside the sale; each is an option. */
export type Habits = {
  /** How long before the start people come, on average. */
  waitMinutes: number
  /** In how many minutes before the start all of them sign in; a session lasts eight hours. */
  signInMinutes: number
  /** How the sign-ins are divided over these minutes; as a `reaction`, most of them come right before the start. */
  signInArrival: Arrival
  /** Times that a shopper loads the page, and clicks. */
  pageLoads: number
  clicks: number
  /** Time that the stock may take to sell; faster is not needed. */
  sellSeconds: number
  /** Share of the clicks in the busiest region of the gate. */
  busiestShare: number
  /** How the first clicks are divided over the opening. */
  arrival: Arrival
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
  /** Seconds after the start over which the turns of the shoppers are spread (core/gate/spread.ts); 0: none. */
  spreadSeconds: number
  /** Share of the shoppers whose sign-in gives no pass (core/gate/pass.ts), so their page asks for one. */
  passShare: number
  /** Share of the shoppers who buy on pages of other sites, whose browsers ask before a request with a token. */
  elementShare: number
}

export type Plan = Forecast & Habits & { kind: SaleKind }

/**
 * A load and a click are what the page needs of a shopper: it counts down by itself, and the answer of the click says
 * that all is sold. The sign-in gives a pass that outlives the wait; it fails to for a few. A run of 30 ms is that of the
 * cost model. A cold start of half a second is assumed until it is measured. One region serves all shoppers, as it
 * does for a shop of one country; more regions are fewer clicks for each.
 */
export const usualHabits: Habits = {
  waitMinutes: 5,
  signInMinutes: 240,
  signInArrival: 'even',
  pageLoads: 1,
  clicks: 1,
  sellSeconds: 60,
  busiestShare: 1,
  arrival: 'reaction',
  edgeRunSeconds: 0.03,
  edgeColdSeconds: 0.5,
  officePeople: 200,
  isFlippedLate: false,
  sales: 1,
  shards: 1,
  databases: 1,
  spreadSeconds: 0,
  passShare: 0.05,
  elementShare: 0,
}

/** With the gate's, which is one of those of the stocks as long as there is only one. */
export const databasesInAll = ({ databases }: Pick<Plan, 'databases'>): number => (databases === 1 ? 1 : databases + 1)

/** The middle of the random spread of pages. */
const middling = 0.5

const startsAt = 0
const usualPoll = { startsAt, nextStartsAt: null, hidden: false, failures: 0 }

/** The wait of a page that polls `now` ms after the start; the flip is seen at the start. */
const waitMs = ({ isFlippedLate }: Pick<Plan, 'isFlippedLate'>, now: number): number =>
  nextPollMs(
    {
      ...usualPoll,
      phase: now < startsAt ? 'scheduled' : 'open',
      armed: now >= startsAt || !isFlippedLate,
      now,
    },
    middling,
  )

/** Seconds between two polls of the pointer: right before the start, and while the sale is open. */
export type PollPace = { near: number; open: number }

export const pollPaceOf = (plan: Pick<Plan, 'isFlippedLate'>): PollPace => ({
  near: Math.round(waitMs(plan, startsAt - 1) / 100) / 10,
  open: waitMs(plan, startsAt) / 1000,
})

/** Polls of one page that loads `fromSeconds` after the start, until `untilSeconds` after it. */
export function pollsBetween(plan: Pick<Plan, 'isFlippedLate'>, fromSeconds: number, untilSeconds: number): number {
  let polls = 0
  for (let now = fromSeconds * 1000; now < untilSeconds * 1000; now += waitMs(plan, now)) polls += 1
  return polls
}

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

/** How long a shopper stays after the start, in seconds. */
const staysSeconds = 30

/**
 * Polls of the pointer by one shopper's page while it waits and in half a minute of the sale; the
 * poll of its load is not among them.
 */
export const pollsOf = (plan: Pick<Plan, 'waitMinutes' | 'isFlippedLate'>): number =>
  pollsBetween(plan, -plan.waitMinutes * 60, staysSeconds) - 1

/** Requests of one shopper at the distribution, without those for an order. */
export function requestsOfShopper(plan: Pick<Plan, keyof Habits>): number {
  const { pageLoads, clicks, isFlippedLate } = plan
  const { firstLoad, laterLoad, flip, click } = pageRequests
  const loads = pageLoads === 0 ? 0 : firstLoad + (pageLoads - 1) * laterLoad
  return loads + pollsOf(plan) + (isFlippedLate ? flip : 0) + clicks * click
}

/** Means of the reaction time within the opening (`Arrival`). */
const reactionsInOpening = 5

/** Share of the first clicks that come within `seconds` of the start. */
export const arrivedWithin = (
  seconds: number,
  { openingSeconds, arrival }: Pick<Plan, 'openingSeconds' | 'arrival'>,
): number => shareWithin(seconds / openingSeconds, arrival)

/** Share of a crowd that comes in the first `part` of its time. */
function shareWithin(part: number, arrival: Arrival): number {
  if (arrival === 'even' || part >= 1) return Math.min(1, part)
  return (1 - Math.exp(-reactionsInOpening * part)) / (1 - Math.exp(-reactionsInOpening))
}

type SigningIn = Pick<Plan, 'shoppers' | 'signInMinutes' | 'signInArrival'>

/** Sign-ins that come in the last `minutes` before the start; may be a fraction. */
export const signInsWithin = (minutes: number, { shoppers, signInMinutes, signInArrival }: SigningIn): number =>
  shoppers * shareWithin(minutes / signInMinutes, signInArrival)

/** Sign-ins in a second of their busiest minute, the last one; may be a fraction. */
export const exactSignInsPerSecond = (plan: SigningIn): number => signInsWithin(1, plan) / 60

/** What first clicks depend on. */
type Clicking = Pick<Plan, 'shoppers' | 'openingSeconds' | 'arrival'>

/** Clicks at the distribution in the busiest second, the first, when every shopper clicks once within the opening. */
export const clicksPerSecond = (plan: Clicking): number => Math.ceil(plan.shoppers * arrivedWithin(1, plan))

/**
 * Clicks a second that start the gate, while the function in front of it does not know yet that the
 * sale is sold out. It answers those whose turn has not come, and turns are spread evenly.
 */
export const gateClicksPerSecond = (plan: Clicking & Pick<Plan, 'spreadSeconds'>): number =>
  Math.min(clicksPerSecond(plan), Math.ceil(plan.shoppers / Math.max(1, plan.spreadSeconds)))

/** Passes that pages ask for in all. */
export const passesOf = ({ shoppers, passShare }: Pick<Plan, 'shoppers' | 'passShare'>): number =>
  Math.ceil(shoppers * passShare)

/** How long shoppers keep coming, evenly; each page asks for its pass while it waits. */
export const arrivalSeconds = ({ waitMinutes, openingSeconds }: Pick<Plan, 'waitMinutes' | 'openingSeconds'>): number =>
  Math.max(openingSeconds, 2 * 60 * waitMinutes)

export const passesPerSecond = (plan: Plan): number => Math.ceil(passesOf(plan) / arrivalSeconds(plan))

/** Runs of the gate in its busiest second: the passes are given before the start, the clicks come after it. */
export const gateRunsPerSecond = (plan: Plan): number => Math.max(gateClicksPerSecond(plan), passesPerSecond(plan))

/**
 * Countdown modules loaded in a second after the start flag changed: each page loads one at its
 * next poll.
 */
export const countdownsPerSecond = (plan: Pick<Plan, 'shoppers' | 'isFlippedLate'>): number =>
  Math.ceil(plan.shoppers / pollPaceOf(plan).near)

/** The challenge and the pass. */
const otherCalls = 2
/** The countdown module. */
const otherObjects = 1

/**
 * Requests of one page in its busiest minute: half a minute before the start and half after it. A
 * marketer who starts the sale at the last moment may be half a minute late, and the click comes at
 * the end.
 */
export function asksInBusiestMinute(plan: Pick<Plan, 'isFlippedLate'>): number {
  const polls = plan.isFlippedLate ? latePolls() : pollsBetween(plan, -30, 30)
  return pageRequests.firstLoad + polls + otherObjects + callsInBusiestMinute(plan)
}

/** Those of them that are calls of `/api/*`. */
export function callsInBusiestMinute({ isFlippedLate }: Pick<Plan, 'isFlippedLate'>): number {
  return otherCalls + (isFlippedLate ? 1 : Math.ceil(30_000 / restMs))
}

/** Polls of a page that waits for its flip from half a minute before the start until after it. */
function latePolls(): number {
  let polls = 0
  const late = { ...usualPoll, phase: 'scheduled', armed: false } as const
  for (let now = -30_000; now < 30_000; now += nextPollMs({ ...late, now }, middling)) polls += 1
  return polls
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
