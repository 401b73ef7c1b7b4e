/** The stage that sells. Every number follows from the sale in `forecast`; change that, and look at them again. */
import {
  admissionsOf,
  concurrencyFor,
  type Forecast,
  reservationsPerSecond,
  tableWritesFor,
} from './arithmetic.ts'
import type { StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 1_000_000, stock: 1000, openingSeconds: 10 }

/** All that may buy are let through in the first second, or as many as Redis takes: 1,000 a second. */
const clicksPerSecond = Math.min(admissionsOf(forecast), reservationsPerSecond)

/** A warm run takes about 30 ms; with a slow Redis or queue 300 ms. So 300 at once, and no more: Redis would not follow. */
const selling = concurrencyFor(clicksPerSecond, 0.3)

/** Ready before the start, for what comes within the time that an environment takes to start: 1,000 × 0.05 s = 50. */
const awaiting = concurrencyFor(clicksPerSecond, 0.05)

/** Every winner's page asks for its order about once in two seconds until it is written: 500 × 0.1 s = 50; doubled. */
const lookingAfter = 2 * concurrencyFor(forecast.stock / 2, 0.1)

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
  // Ten writers with 49 orders a transaction, of 100 ms each, make 4,900 orders a second: more than Redis sells.
  consumers: { orders: 10, claims: 10, deadlines: 5 },
  // A whole stock is written within two seconds; every shopper's page that asks for orders is a winner's.
  table: { warmWritesPerSecond: tableWritesFor(forecast, 2), warmReadsPerSecond: 12_000 },
  edge: { memoryMb: 256, challengeCost: 5000 },
  signIn: { issuer: 'sluice-prod', audience: 'sluice' },
  // A company of 200 behind one address, each page asking 30 times a minute, is 6,000; twice that is a flood.
  firewall: { floodLimit: 12_000 },
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
