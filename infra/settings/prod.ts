/** The stage that sells. Every number follows from the sale in `forecast`; change that, and look at them again. */
import type { SaleKind } from '../../core/sale.ts'
import {
  admissionsOf,
  concurrencyFor,
  type Forecast,
  reservationsPerSecond,
  runSeconds,
  tableWritesFor,
} from './arithmetic.ts'
import { documentedQuotas } from './quotas.ts'
import type { Capacity, Sells, StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 1_000_000, stock: 1000, openingSeconds: 10 }

/** All that may buy are let through in the first second, or as many as Redis takes: 1,000 a second. */
const clicksPerSecond = Math.min(admissionsOf(forecast), reservationsPerSecond)

/** While Redis or the queue is slow: 1,000 × 0.3 s = 300 at once, and no more, for Redis would not follow. */
const selling = concurrencyFor(clicksPerSecond, runSeconds.slow)

/** Busy at once while all is well and the first clicks come in: 1,000 × 0.05 s = 50. They need not wait for a start. */
const awaiting = concurrencyFor(clicksPerSecond, runSeconds.warm)

/** Every winner's page asks for its order about once in two seconds until it is written: 500 × 0.1 s = 50; doubled. */
const lookingAfter = 2 * concurrencyFor(forecast.stock / 2, runSeconds.read)

/** The fastest winners pay in the first ten seconds: 100 a second × 0.3 s, while Redis or the provider is slow. */
const paying = concurrencyFor(forecast.stock / 10, runSeconds.slow)

/** For functions of kinds that the forecast is not for: enough for a small sale, or for a rehearsal. */
const aside = 10

/**
 * Most messages of each queue that are handled at once. Ten writers are for several sales: those of one sale share its cap item,
 * which takes about 490 orders a second (49 orders in a transaction of 100 ms) whatever their number.
 */
const consumers = { orders: 10, claims: 10, deadlines: 5 } as const

/**
 * The stage that sells `sells` as in the forecast. eu-west-1 is one of the regions that Lambda@Edge runs in, and the gate has no
 * reservation: it takes what is unreserved there. So every function here has one, and neither can starve the other. With an
 * account of 1,000 and goods or coupons:
 *
 *     reserve 300 + claim 10 + orders 100 + order-changes 30 + wallet 10 + payments 20 + control 12
 *       + write-orders 10 + credit-wallets 10 + cancel-unpaid 5 + reconcile 3 + canary 2 = 512 for the functions
 *     1,000 - 512 = 488 for the gate, of which AWS wants 100 to stay unreserved
 *
 * 488 environments of the gate answer 4,880 clicks a second in that region; its other regions have 1,000 each. A stage that sells
 * both kinds at once reserves 300 more for `claim` and 90 for `wallet`: raise the quota first, or the gate has 108.
 */
export const prodSelling = (sells: Sells): StageSettings => ({
  name: 'prod',
  region: 'eu-west-1',
  isProduction: true,
  forecast,
  sells,
  functions: {
    reserve: { memoryMb: 1024, ...sellerOf(sells, ['goods', 'coupon']) },
    claim: { memoryMb: 1024, ...sellerOf(sells, ['red-packet']) },
    orders: { memoryMb: 1024, reserved: isSold(sells, ['goods', 'coupon']) ? lookingAfter : aside },
    'order-changes': { memoryMb: 1024, reserved: isSold(sells, ['goods', 'coupon']) ? paying : aside },
    wallet: { memoryMb: 512, reserved: isSold(sells, ['red-packet']) ? lookingAfter : aside },
    // A provider sends one message for each payment, in its own time.
    payments: { memoryMb: 1024, reserved: 20 },
    // Marketers are few, and their consoles ask once a second.
    control: { memoryMb: 1769, reserved: 12 },
    // As many as its queue starts: with fewer, messages come back unread and end as dead letters.
    'write-orders': { memoryMb: 1769, reserved: consumers.orders },
    'credit-wallets': { memoryMb: 1769, reserved: consumers.claims },
    'cancel-unpaid': { memoryMb: 1024, reserved: consumers.deadlines },
    // One runs, the next starts before it has ended, one more may be started by hand.
    reconcile: { memoryMb: 1769, reserved: 3 },
    // One a minute, of seconds at most; the next may come before one that waits has ended.
    canary: { memoryMb: 256, reserved: 2 },
  },
  keepProvisioned: false,
  consumers,
  // A whole stock is written within two seconds, or as fast as Redis sells it; only winners' pages ask for orders.
  table: { warmWritesPerSecond: tableWritesFor(forecast, 2), warmReadsPerSecond: 12_000 },
  edge: { memoryMb: 1024, challengeCost: 5000 },
  signIn: { issuer: 'sluice-prod', audience: 'sluice' },
  // A company of 200 behind one address, whose sale the marketer starts a minute late: until then each page looks 86 times, and
  // asks for 7 other things, its click among them. 200 × 93 = 18,600.
  firewall: { floodLimit: 20_000 },
  // A month without a sale and two sales like the forecast: 90 + 2 × 160 dollars, and some room.
  monthlyBudgetDollars: 500,
  keep: { logDays: 90, accessLogDays: 90, backupDays: 35, formerVersionDays: 30 },
  // To be replaced by an address that somebody reads at night: the check before a deployment refuses this one.
  alarmEmail: 'alarms@example.com',
  secretsRevision: 1,
  quotas: documentedQuotas,
})

const isSold = (sells: Sells, kinds: readonly SaleKind[]): boolean =>
  kinds.some((kind) => sells.includes(kind))

/** The share of a function that sells `kinds`. */
function sellerOf(sells: Sells, kinds: readonly SaleKind[]): Pick<Capacity, 'reserved' | 'provisioned'> {
  return isSold(sells, kinds) ? { reserved: selling, provisioned: awaiting } : { reserved: aside }
}

/** To sell red packets to a crowd, name 'red-packet' here and deploy: `claim` and `wallet` then get what `reserve` and `orders` have. */
export const prod = prodSelling(['goods', 'coupon'])
