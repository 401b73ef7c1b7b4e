/**
 * The planned sale, and how its crowd behaves second by second. The behaviour of pages follows from their code; that of
 * people is assumed here, and the most important assumptions are options.
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
  /** The page and the pointer; the browser has cached the rest. */
  laterLoad: 2,
  /** The first load of another sale: page, picture, pointer and countdown; style and script are cached. */
  otherSale: 4,
  /** The countdown with the start token, after the start flag changed. */
  flip: 1,
  /** One click; its answer says how many units are left. */
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

export type SalePlan = Forecast & {
  kind: SaleKind
  challenge: ChallengeKind
  /** How long before the start people arrive, on average. */
  waitMinutes: number
  /** All of them sign in evenly within so many minutes before the start; a session lasts eight hours. */
  signInMinutes: number
  /** Share of the shoppers who have no account yet. Each makes two requests to Cognito, and gets a code by email. */
  newShare: number
  /** Share of the clicks in the busiest region of the gate. */
  busiestShare: number
  /** Sales at the same time. They share shoppers and stock evenly. */
  sales: number
  /** Number of databases that share the stock of each sale. */
  shards: number
  /** Number of databases for stocks; load.ts says when the gate's store is a separate one. */
  databases: number
  /** People behind one address, such as those of a carrier or an office. */
  perAddress: number
  /** Seconds after the start over which the turns of the shoppers are spread (core/gate/spread.ts); 0: none. */
  spreadSeconds: number
}

/** One region serves all shoppers, as it does for a shop of one country; more regions are fewer clicks for each. */
export const defaultPlan = {
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
} as const satisfies Partial<SalePlan>

/** The stock must be sold within this time. */
export const sellSeconds = 60
/** Run time of the gate for one click, and for the first one in a new environment. Assumed until measured in the cloud. */
export const edgeRunSeconds = 0.03
export const edgeColdSeconds = 0.5
/** Share of the shoppers whose sign-in gives no pass (core/gate/pass.ts), so their page asks for one. */
const passShare = 0.05

/** The function that buyers' pages poll. */
export const readerOf = ({ kind }: Pick<SalePlan, 'kind'>) => (kind === 'red-packet' ? 'wallet' : 'orders')

/** The mean of the random number by which pages vary their waits. */
const midpoint = 0.5

const defaultPoll = { startsAt: 0, nextStartsAt: null, hidden: false, failures: 0 }

/** Returns the wait of a page that polls `now` ms after the start, for a sale that was started at least a minute before. */
const waitMs = (now: number): number =>
  nextPollMs({ ...defaultPoll, armed: now < 0, phase: now < 0 ? 'scheduled' : 'open', now }, midpoint)

/** Counts the polls of one page that loads `fromSeconds` after the start, until `untilSeconds` after it. */
export function pollsBetween(fromSeconds: number, untilSeconds: number): number {
  let polls = 0
  for (let now = fromSeconds * 1000; now < untilSeconds * 1000; now += waitMs(now)) polls += 1
  return polls
}

/** How long a shopper stays after the start, in seconds. */
const staysSeconds = 30

/** Counts the requests of one shopper at the distribution: a load, polls, the countdown of the start and a click; none for an order. */
export const requestsOfShopper = ({ waitMinutes }: Pick<SalePlan, 'waitMinutes'>): number =>
  pageRequests.firstLoad + pollsBetween(-waitMinutes * 60, staysSeconds) + pageRequests.click

/** Calls of `/api/*` by one page in its busiest minute: the challenge and the pass, and clicks after each rest. */
const callsInBusiestMinute = 2 + Math.ceil(30_000 / clickIntervalMs)
/** Requests of one page in its busiest minute, half of it before the start; the added one is the countdown. */
const requestsInBusiestMinute = pageRequests.firstLoad + pollsBetween(-30, 30) + 1 + callsInBusiestMinute

type AtAddress = Pick<SalePlan, 'shoppers' | 'perAddress' | 'signInMinutes'>
const peopleAt = ({ shoppers, perAddress }: AtAddress): number => Math.min(shoppers, perAddress)

/** These count what all shoppers behind one address send in a minute: requests and calls in the busiest one, and sign-ins before it. */
export const requestsOfAddress = (plan: AtAddress): number => peopleAt(plan) * requestsInBusiestMinute
export const callsOfAddress = (plan: AtAddress): number => peopleAt(plan) * callsInBusiestMinute
export const anonymousCallsOfAddress = (plan: AtAddress): number =>
  Math.ceil((peopleAt(plan) * requestsPerSignIn) / plan.signInMinutes)

const secondsOf = (ms: number | undefined): number => (ms ?? Number.POSITIVE_INFINITY) / 1000

/**
 * Returns the seconds between two polls of a buyer's page: the mean of the first three while the order or packet is
 * written, and the pause afterwards. Polls of an unpaid order slow down; the sixth stands for all. A wallet is not polled
 * later.
 */
export function pollPauses({ kind }: Pick<SalePlan, 'kind'>): { writing: number; later: number } {
  const mean = (waitOf: (polls: number) => number | undefined) =>
    [0, 1, 2].reduce((sum, polls) => sum + secondsOf(waitOf(polls)), 0) / 3
  return kind === 'red-packet'
    ? { writing: mean((polls) => nextWalletPollMs(polls, midpoint)), later: Number.POSITIVE_INFINITY }
    : {
        writing: mean((polls) => nextOrderPollMs(['reserved'], polls, midpoint)),
        later: secondsOf(nextOrderPollMs(['to-pay'], 5, midpoint)),
      }
}

/** The opening lasts this many times the mean reaction time. */
const reactionsInOpening = 5

/**
 * Returns the clicks at the distribution in the second from `fromSeconds` on; the first second is the busiest. Every
 * shopper clicks once within the opening. Reaction times are exponential with a mean of a fifth of the opening, as in
 * the crowd of `npm run bench -- million`: in an opening of 10 s, 40 % click in the first second.
 */
export function clicksPerSecond(
  { shoppers, openingSeconds }: Pick<SalePlan, 'shoppers' | 'openingSeconds'>,
  fromSeconds = 0,
): number {
  // A shorter opening leaves fewer clicks for a later second. It counts as the one that leaves the maximum, so that no need
  // falls with it.
  const span = Math.max(openingSeconds, reactionsInOpening / Math.log(1 + 1 / fromSeconds))
  const within = (seconds: number) => 1 - Math.exp((-seconds * reactionsInOpening) / span)
  const share = (within(fromSeconds + 1) - within(fromSeconds)) / within(span)
  return Math.ceil(shoppers * Math.min(1, share))
}

/**
 * Returns the clicks a second that start the gate before the function in front of it knows that the sale is sold out.
 * That function answers those whose turn has not come, and turns are spread evenly.
 */
export const gateClicksPerSecond = (plan: SalePlan): number =>
  Math.min(clicksPerSecond(plan), Math.ceil(plan.shoppers / Math.max(1, plan.spreadSeconds)))

export const passesOf = ({ shoppers }: Pick<SalePlan, 'shoppers'>): number => Math.ceil(shoppers * passShare)

/** Returns for how long shoppers keep arriving, evenly. Each page gets its pass while it waits. */
export const arrivalSeconds = ({ waitMinutes, openingSeconds }: SalePlan): number =>
  Math.max(openingSeconds, 2 * 60 * waitMinutes)

/** Returns the runs of the gate in its busiest second: passes are issued before the start, clicks come after it. */
export const gateRunsPerSecond = (plan: SalePlan): number =>
  Math.max(gateClicksPerSecond(plan), Math.ceil(passesOf(plan) / arrivalSeconds(plan)))

/** Requests of a browser to the function: one on the way to the issuer, one on the way back. */
export const requestsPerSignIn = 2

/** Returns the sign-ins in a second, which may be a fraction. */
export const signInsPerSecond = ({ shoppers, signInMinutes }: SalePlan): number => shoppers / signInMinutes / 60

/** Returns the number of shoppers who make an account. */
export const newShoppersOf = ({ shoppers, newShare }: Pick<SalePlan, 'shoppers' | 'newShare'>): number =>
  Math.ceil(shoppers * newShare)

/** Returns the new accounts of a second, which may be a fraction. */
export const signUpsPerSecond = (plan: SalePlan): number => signInsPerSecond(plan) * plan.newShare
