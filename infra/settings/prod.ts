/** The stage that sells. Every number follows from the sale in `forecast`; change that, and look at them again. */
import {
  admissionsOf,
  concurrencyFor,
  type Forecast,
  reservationsPerSecond,
  runSeconds,
  tableWritesFor,
} from './arithmetic.ts'
import type { StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 1_000_000, stock: 1000, openingSeconds: 10 }

/** All that may buy are let through in the first second, or as many as Redis takes: 1,000 a second. */
const clicksPerSecond = Math.min(admissionsOf(forecast), reservationsPerSecond)

/** While Redis or the queue is slow: 1,000 × 0.3 s = 300 at once, and no more, for Redis would not follow. */
const selling = concurrencyFor(clicksPerSecond, runSeconds.slow)

/** Busy at once while all is well and the first clicks come in: 1,000 × 0.05 s = 50. They need not wait for a start. */
const awaiting = concurrencyFor(clicksPerSecond, runSeconds.warm)

/** Every winner's page asks for its order about once in two seconds until it is written: 500 × 0.1 s = 50; doubled. */
const lookingAfter = 2 * concurrencyFor(forecast.stock / 2, runSeconds.look)

export const prod: StageSettings = {
  name: 'prod',
  region: 'eu-west-1',
  forecast,
  // Reserved in all: 835 of the 1,000 of an account, which must keep 100 for whoever has none: the queues' consumers.
  functions: {
    reserve: { memoryMb: 1024, reserved: selling, provisioned: awaiting },
    claim: { memoryMb: 1024, reserved: selling, provisioned: awaiting },
    orders: { memoryMb: 1024, reserved: lookingAfter },
    wallet: { memoryMb: 512, reserved: lookingAfter },
    // A provider sends one message for each payment, in its own time.
    payments: { memoryMb: 1024, reserved: 20 },
    // Marketers are few, and their consoles ask once a second.
    control: { memoryMb: 1769, reserved: 12 },
    'write-orders': { memoryMb: 1769 },
    'credit-wallets': { memoryMb: 1769 },
    'cancel-unpaid': { memoryMb: 1024 },
    // One is always about, the next comes before it has ended, one more may be asked for.
    reconcile: { memoryMb: 1769, reserved: 3 },
  },
  keepReady: false,
  // Ten writers with 49 orders a transaction, of 100 ms each, make 4,900 orders a second: more than Redis sells.
  consumers: { orders: 10, claims: 10, deadlines: 5 },
  // A whole stock is written within two seconds, or as fast as Redis sells it; only winners' pages ask for orders.
  table: { warmWritesPerSecond: tableWritesFor(forecast, 2), warmReadsPerSecond: 12_000 },
  edge: { memoryMb: 256, challengeCost: 5000 },
  signIn: { issuer: 'sluice-prod', audience: 'sluice' },
  // A company of 200 behind one address, whose sale the marketer starts a minute late: until then each page looks 86 times, and
  // asks for 7 other things, its click among them. 200 × 93 = 18,600.
  firewall: { floodLimit: 20_000 },
  keep: { logDays: 90, accessLogDays: 90, backupDays: 35, formerVersionDays: 30 },
  secretsRevision: 1,
  quotas: {
    functionConcurrency: 1000,
    edgeConcurrency: 1000,
    edgeRequestsPerSecond: 10_000,
    distributionRequestsPerSecond: 250_000,
    redisCommandsPerSecond: 10_000,
  },
}
