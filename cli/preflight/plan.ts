/**
 * The planned sale, and how its crowd behaves second by second. What pages do comes from the code that they run; what
 * people do is assumed here, and the assumptions that decide most are options.
 */
import { clickIntervalMs } from '../../core/buy/limits.ts'
import type { ChallengeKind } from '../../core/gate/challenge.ts'
import { nextOrderPollMs } from '../../core/orders/order-poll.ts'
import { nextWalletPollMs } from '../../core/packets/wallet-poll.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { nextPollMs } from '../../core/sale/pointer-poll.ts'
import type { Forecast } from '../../infra/settings/arithmetic.ts'

/**
 * The requests of one shopper's browser at the distribution, by phase, without polls of the pointer. A real browser is counted
 * against them in `test/browser/requests.test.ts`.
 */
export const pageRequests = {
  /** Page, style, script and picture; the pointer and the countdown. */
  firstLoad: 6,
  /** The page and the pointer; the browser has kept the rest. */
  laterLoad: 2,
  /** The first load of another sale: page, picture, pointer and countdown; style and script are the same. */
  otherSale: 4,
  /** The countdown with the start token, after the start flag changed. */
  flip: 1,
  /** A click and nothing else: its answer says what is left. */
  click: 1,
  /** Page, style and script of the order. */
  orderPage: 3,
  /** Reads of the order: at once, and when it is written. */
  orderReads: 2,
  /** The start of the payment; afterwards the page again. */
  payment: 2,
  /** Reads of the order after the payment: at once, and when the provider has reported it. */
  paymentReads: 2,
} as const

export type Plan = Forecast & {
  kind: SaleKind
  challenge: ChallengeKind
  /** How long before the start people come, on average. */
  waitMinutes: number
  /** In how many minutes before the start all of them sign in, evenly; a session lasts eight hours. */
  signInMinutes: number
  /** Share of the shoppers who have no account yet. Each asks Cognito twice, and gets a code by e-mail. */
  newShare: number
  /** Share of the clicks in the busiest region of the gate. */
  busiestShare: number
  /** Sales at the same time. They share shoppers and stock evenly. */
  sales: number
  /** Databases that the stock of each sale is split over. */
  shards: number
  /** Databases of the stocks; load.ts says when the gate's store is one of its own. */
  databases: number
  /** People behind one address, such as those of a carrier or an office. */
  perAddress: number
  /** Seconds after the start over which the turns of the shoppers are spread (core/gate/spread.ts); 0: none. */
  spreadSeconds: number
}

/** One region serves all shoppers, as it does for a shop of one country; more regions are fewer clicks for each. */
export const usualPlan = {
  kind: 'goods',
  challenge: 'off',
  waitMinutes: 5,
  signInMinutes: 240,
  newShare: 0.1,
  busiestShare: 1,
  sales: 1,
  shards: 1,
  databases: 1,
  perAddress: 5000,
  spreadSeconds: 0,
} as const satisfies Partial<Plan>

/** Time in which the stock has to be sold. */
export const sellSeconds = 60
/** Run of the gate for one click, and for the first one at a new environment. Assumed until measured in the cloud. */
export const edgeRunSeconds = 0.03
export const edgeColdSeconds = 0.5
/** Share of the shoppers whose sign-in gives no pass (core/gate/pass.ts), so their page asks for one. */
const passShare = 0.05

/** The function that buyers' pages poll. */
export const readerOf = ({ kind }: Pick<Plan, 'kind'>) => (kind === 'red-packet' ? 'wallet' : 'orders')

/** The middle of the random spread of pages. */
const middling = 0.5

const usualPoll = { startsAt: 0, nextStartsAt: null, hidden: false, failures: 0 }

/** The wait of a page that polls `now` ms after the start, of a sale that was started a minute before it or earlier. */
const waitMs = (now: number): number =>
  nextPollMs({ ...usualPoll, armed: now < 0, phase: now < 0 ? 'scheduled' : 'open', now }, middling)

/** Polls of one page that loads `fromSeconds` after the start, until `untilSeconds` after it. */
export function pollsBetween(fromSeconds: number, untilSeconds: number): number {
  let polls = 0
  for (let now = fromSeconds * 1000; now < untilSeconds * 1000; now += waitMs(now)) polls += 1
  return polls
}

/** How long a shopper stays after the start, in seconds. */
const staysSeconds = 30

/** Requests of one shopper at the distribution: a load, polls, the countdown of the start and a click; none for an order. */
export const requestsOfShopper = ({ waitMinutes }: Pick<Plan, 'waitMinutes'>): number =>
  pageRequests.firstLoad + pollsBetween(-waitMinutes * 60, staysSeconds) + pageRequests.click

/** Calls of `/api/*` by one page in its busiest minute: the challenge and the pass, and clicks after each rest. */
const callsInBusiestMinute = 2 + Math.ceil(30_000 / clickIntervalMs)
/** Requests of one page in its busiest minute, half of it before the start; the countdown is the one that is added. */
const asksInBusiestMinute = pageRequests.firstLoad + pollsBetween(-30, 30) + 1 + callsInBusiestMinute

type AtAddress = Pick<Plan, 'shoppers' | 'perAddress' | 'signInMinutes'>
const peopleAt = ({ shoppers, perAddress }: AtAddress): number => Math.min(shoppers, perAddress)

/** What all shoppers behind one address send in a minute: requests and calls in the busiest one, and sign-ins before it. */
export const requestsOfAddress = (plan: AtAddress): number => peopleAt(plan) * asksInBusiestMinute
export const callsOfAddress = (plan: AtAddress): number => peopleAt(plan) * callsInBusiestMinute
export const anonymousCallsOfAddress = (plan: AtAddress): number =>
  Math.ceil((peopleAt(plan) * requestsPerSignIn) / plan.signInMinutes)

const secondsOf = (ms: number | undefined): number => (ms ?? Number.POSITIVE_INFINITY) / 1000

/**
 * Seconds between two polls of a buyer's page: the mean of the first three while the order or packet is written, and
 * afterwards. A page polls an order until it is paid, less and less often: its sixth poll stands for all. It does not
 * poll a wallet later.
 */
export function readPaceOf({ kind }: Pick<Plan, 'kind'>): { writing: number; later: number } {
  const mean = (waitOf: (looks: number) => number | undefined) =>
    [0, 1, 2].reduce((sum, looks) => sum + secondsOf(waitOf(looks)), 0) / 3
  return kind === 'red-packet'
    ? { writing: mean((looks) => nextWalletPollMs(looks, middling)), later: Number.POSITIVE_INFINITY }
    : {
        writing: mean((looks) => nextOrderPollMs(['reserved'], looks, middling)),
        later: secondsOf(nextOrderPollMs(['to-pay'], 5, middling)),
      }
}

/** Means of the reaction time within the opening. */
const reactionsInOpening = 5

/**
 * Clicks at the distribution in the second from `fromSeconds` on; the first second is the busiest. Every shopper clicks once
 * within the opening, as people react to a start: reaction times are exponential with a mean of a fifth of the opening, as
 * the crowd of `npm run bench -- million` has them. Of an opening of 10 s, 40 % click in the first second.
 */
export function clicksPerSecond(
  { shoppers, openingSeconds }: Pick<Plan, 'shoppers' | 'openingSeconds'>,
  fromSeconds = 0,
): number {
  // A shorter opening leaves fewer clicks for a later second. It counts as the one that leaves the most, so that no need shrinks with it.
  const span = Math.max(openingSeconds, reactionsInOpening / Math.log(1 + 1 / fromSeconds))
  const within = (seconds: number) => 1 - Math.exp((-seconds * reactionsInOpening) / span)
  const share = (within(fromSeconds + 1) - within(fromSeconds)) / within(span)
  return Math.ceil(shoppers * Math.min(1, share))
}

/**
 * Clicks a second that start the gate, while the function in front of it does not know yet that the sale is sold out.
 * It answers those whose turn has not come, and turns are spread evenly.
 */
export const gateClicksPerSecond = (plan: Plan): number =>
  Math.min(clicksPerSecond(plan), Math.ceil(plan.shoppers / Math.max(1, plan.spreadSeconds)))

export const passesOf = ({ shoppers }: Pick<Plan, 'shoppers'>): number => Math.ceil(shoppers * passShare)

/** How long shoppers keep coming, evenly; each page asks for its pass while it waits. */
export const arrivalSeconds = ({ waitMinutes, openingSeconds }: Plan): number =>
  Math.max(openingSeconds, 2 * 60 * waitMinutes)

/** Runs of the gate in its busiest second: the passes are given before the start, the clicks come after it. */
export const gateRunsPerSecond = (plan: Plan): number =>
  Math.max(gateClicksPerSecond(plan), Math.ceil(passesOf(plan) / arrivalSeconds(plan)))

/** Requests of a browser to the function: one on the way to the issuer, one on the way back. */
export const requestsPerSignIn = 2

/** Sign-ins in a second; may be a fraction. */
export const signInsPerSecond = ({ shoppers, signInMinutes }: Plan): number => shoppers / signInMinutes / 60

/** Returns the number of shoppers who make an account. */
export const newShoppersOf = ({ shoppers, newShare }: Pick<Plan, 'shoppers' | 'newShare'>): number =>
  Math.ceil(shoppers * newShare)

/** Returns the new accounts of a second, which may be a fraction. */
export const signUpsPerSecond = (plan: Plan): number => signInsPerSecond(plan) * plan.newShare
