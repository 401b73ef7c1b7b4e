/** The production stage. Every number is calculated from `forecast`; check them after changing it. */
import { mergedOf } from '../../core/lib/fold.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { functions } from '../../options/registry/functions.ts'
import {
  admissionsOf,
  concurrencyFor,
  type Forecast,
  reservationsPerSecond,
  runSeconds,
  tableWritesFor,
} from './arithmetic.ts'
import { documentedQuotas } from './quotas.ts'
import { type Sells, type StageSettings, usualFirewall } from './stage.ts'

const forecast: Forecast = { shoppers: 1_000_000, stock: 1000, openingSeconds: 10 }

/** The gate admits all clicks in the first second, or as many as a stage is planned for: 1,000. */
const clicksPerSecond = Math.min(admissionsOf(forecast), reservationsPerSecond)

/** While Redis or the queue is slow: 1,000 × 0.3 s = 300. */
const selling = concurrencyFor(clicksPerSecond, runSeconds.slow)

/** In normal operation: 1,000 × 0.05 s = 50, provisioned so that the first clicks do not wait for a cold start. */
const provisioned = concurrencyFor(clicksPerSecond, runSeconds.warm)

/**
 * Every buyer's page reads its order when it opens: 500 × 0.1 s = 50. A fifth more is for pages that poll because no
 * environment was free to hold their read.
 */
const reading = Math.ceil(1.2 * concurrencyFor(forecast.stock / 2, runSeconds.read))

/** The page of a red packet polls for its credit about every two seconds: 500 × 0.1 s = 50; doubled. */
const readingWallets = 2 * concurrencyFor(forecast.stock / 2, runSeconds.read)

/**
 * Two more reads are held, one until the order is written and one until it is paid, for 0.9 s on average. A stock that is
 * ordered and paid within 45 s takes 44 × 0.9 s = 40. Further reads poll.
 */
const holding = concurrencyFor((2 * forecast.stock) / 45, runSeconds.held)

/** The fastest buyers pay in the first ten seconds: 100 a second × 0.3 s, while Redis or the provider is slow. */
const paying = concurrencyFor(forecast.stock / 10, runSeconds.slow)

/** For functions of sale kinds outside the forecast: enough for a small sale or a rehearsal. */
const minimum = 10

/**
 * Concurrent invocations of each consumer. Ten writers of one sale write 2,450 orders a second: one
 * writes 49 in a transaction of 100 ms, and several meet at times (cli/preflight/load.ts).
 */
const consumers = { orders: 10, deadlines: 5 } as const

/**
 * Returns the stage for the kinds of sale in `sells`, which determine the concurrency of the functions that buyers' pages read.
 * eu-west-1 is a region of Lambda@Edge, and the gate uses unreserved concurrency there. So every function has a reservation,
 * and neither can starve the other. With an account of 1,000 and goods or coupons:
 *
 *     reserve 300 + orders 60 + order-changes 30 + delivery 10 + wallet 10 + held-reads 40 + payments 20
 *       + control 10 + pictures 2 + sign-in 50 + options 4 + write-orders 10 + cancel-unpaid 5 + reconcile 3 + canary 2
 *       = 556 for the functions
 *     1,000 - 556 = 444 for the gate; at least 100 must stay unreserved
 *
 * 444 environments of the gate answer 4,440 clicks a second in that region; its other regions have 1,000 each. A stage that
 * also sells red packets reserves 90 more for `wallet`, which leave the gate 354.
 */
export const prodSelling = (sells: Sells): StageSettings => ({
  name: 'prod',
  size: 'full',
  region: 'eu-west-1',
  isProduction: true,
  forecast,
  sells,
  functions: {
    reserve: { memoryMb: 1024, reserved: selling, provisioned },
    orders: { memoryMb: 1024, reserved: isSold(sells, ['goods', 'coupon']) ? reading : minimum },
    'order-changes': { memoryMb: 1024, reserved: isSold(sells, ['goods', 'coupon']) ? paying : minimum },
    // A thousand buyers give an address within a minute, in three requests: 50 × 0.1 s = 5; doubled.
    delivery: { memoryMb: 1024, reserved: minimum },
    wallet: { memoryMb: 512, reserved: isSold(sells, ['red-packet']) ? readingWallets : minimum },
    // The maximum of held reads. They must not take environments from the functions that answer at once.
    'held-reads': { memoryMb: 512, reserved: isSold(sells, ['goods', 'coupon']) ? holding : minimum },
    // A provider sends one message for each payment, spread over time.
    payments: { memoryMb: 1024, reserved: 20 },
    // There are few marketers, and their consoles poll once a second.
    control: { memoryMb: 1769, reserved: 10 },
    // A picture takes about a second; a marketer's console sends them one after the other.
    pictures: { memoryMb: 1769, reserved: 2 },
    // A sign-in mostly waits for the issuer: 50 / 0.3 s = 166 requests a second, which are 83 sign-ins.
    'sign-in': { memoryMb: 512, reserved: 50 },
    // Equal to the consumers of its queue: with less, unread messages become dead letters.
    'write-orders': { memoryMb: 1769, reserved: consumers.orders },
    'cancel-unpaid': { memoryMb: 1024, reserved: consumers.deadlines },
    // One scheduled run and two woken ones. The next scheduled run, or one started by hand, waits for those.
    reconcile: { memoryMb: 1769, reserved: 3 },
    // One run a minute; a slow one may overlap the next.
    canary: { memoryMb: 256, reserved: 2 },
    // One for each shard of the table's stream: a shard takes 1,000 writes a second. It is reserved in a
    // stage with `mail` only.
    mail: { memoryMb: 512, reserved: 10 },
    ...mergedOf(functions, 'capacities'),
  },
  keepProvisioned: false,
  consumers,
  // A whole stock is written within two seconds, or as fast as Redis sells it; only buyers' pages read orders.
  table: { warmWritesPerSecond: tableWritesFor(forecast, 2), warmReadsPerSecond: 12_000 },
  edge: { memoryMb: 1024, challengeCost: 5000 },
  session: { issuer: 'sluice-prod', audience: 'sluice' },
  // Replace it with an address of your domain that SES has verified; the deploy check rejects this one.
  signIn: { kind: 'cognito', email: { from: 'Sluice <sign-in@example.com>' } },
  firewall: usualFirewall,
  // A month without a sale and four sales like the forecast, 43 + 4 × 26 dollars of AWS at list prices
  // (`npm run preflight`); the rest is reserve.
  monthlyBudgetDollars: 200,
  keep: { logDays: 90, accessLogDays: 90, backupDays: 35, formerVersionDays: 30, personalDays: 180 },
  // Replace it with an address that is read at night; the deploy check rejects this one.
  alarmEmail: 'alarms@example.com',
  secretsRevision: 1,
  quotas: documentedQuotas,
})

const isSold = (sells: Sells, kinds: readonly SaleKind[]): boolean => kinds.some((kind) => sells.includes(kind))

/** For a large sale of red packets add 'red-packet' and deploy: `wallet` then gets 100 environments. */
export const prod = prodSelling(['goods', 'coupon'])
