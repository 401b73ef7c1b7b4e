/**
 * List prices of everything that the system is billed for, US dollars, November 2026, before any free tier. The preflight and
 * the rush share them. `us`: shoppers in the United States, home region us-east-1 or us-west-2, which cost the same. `eu`:
 * shoppers in Europe, home region eu-west-1 (AWS Price List of September and October 2026,
 * https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/<service>/current/eu-west-1/index.json). Other regions differ by some
 * per cent.
 */

const perMillion = 1 / 1_000_000

/** Prices that are equal in both books. */
const everywhere = {
  /**
   * The key-value store of the CloudFront Functions (https://aws.amazon.com/cloudfront/pricing): a
   * read of a function, and a call of the API.
   */
  edgeStore: { read: 0.03 * perMillion, call: 1.0 / 1000 },
  /** https://aws.amazon.com/lambda/pricing, section Lambda@Edge: three times what a function costs. */
  gate: { run: 0.6 * perMillion, gbSecond: 0.00005001 },
  /**
   * https://aws.amazon.com/lambda/pricing, arm64. Provisioned environments are billed while idle,
   * too; their price is that of us-east-1.
   */
  functions: { run: 0.2 * perMillion, gbSecond: 0.0000133334, provisionedGbSecond: 0.0000033334 },
  /** https://aws.amazon.com/sqs/pricing, standard queues. */
  queue: { call: 0.4 * perMillion },
  /** https://aws.amazon.com/ses/pricing: an email, without attachments. */
  mail: { message: 0.1 / 1000 },
  /** https://aws.amazon.com/eventbridge/pricing: a run of EventBridge Scheduler. */
  schedule: { run: 1.0 * perMillion },
  /** https://aws.amazon.com/waf/pricing; its log, in us-east-1: https://aws.amazon.com/cloudwatch/pricing, vended logs. */
  firewall: { request: 0.6 * perMillion, aclMonth: 5, ruleMonth: 1, logGigabyte: 0.5 },
  /** https://aws.amazon.com/secrets-manager/pricing and https://aws.amazon.com/kms/pricing; a key's first two rotations add its price each. */
  keeping: { secretMonth: 0.4, keyMonth: 1 },
} as const

/** https://aws.amazon.com/cloudwatch/pricing: an alarm for each metric that it reads. */
const watching = { alarmMonth: 0.1, dashboardMonth: 3, metricMonth: 0.3 } as const

/** A run of a CloudFront Function (https://aws.amazon.com/cloudfront/pricing). */
const viewerFunctionRun = 0.1 * perMillion

export type PriceRegion = 'us' | 'eu'

/** One price for each billed unit. */
export type Prices = typeof everywhere & {
  cdn: { request: number; gigabyte: number; viewerFunctionRun: number }
  table: { write: number; read: number; storedGbMonth: number; backupGbMonth: number }
  watching: typeof watching & { logGigabyte: number }
}

/**
 * `cdn`: https://aws.amazon.com/cloudfront/pricing, pay as you go, HTTPS; POSTs cost the same. `table`:
 * https://aws.amazon.com/dynamodb/pricing/on-demand; `backup` is point-in-time recovery.
 */
export const priceBooks: Readonly<Record<PriceRegion, Prices>> = {
  us: {
    ...everywhere,
    cdn: { request: 1.0 * perMillion, gigabyte: 0.085, viewerFunctionRun },
    table: { write: 0.625 * perMillion, read: 0.125 * perMillion, storedGbMonth: 0.25, backupGbMonth: 0.2 },
    watching: { ...watching, logGigabyte: 0.5 },
  },
  eu: {
    ...everywhere,
    cdn: { request: 1.2 * perMillion, gigabyte: 0.085, viewerFunctionRun },
    table: { write: 0.705 * perMillion, read: 0.1415 * perMillion, storedGbMonth: 0.283, backupGbMonth: 0.22 },
    watching: { ...watching, logGigabyte: 0.57 },
  },
}

/** Returns the book with the nearest prices to those of a home region. */
export const priceRegionOf = (region: string): PriceRegion => (region.startsWith('eu-') ? 'eu' : 'us')

/**
 * https://upstash.com/docs/redis/overall/billing, for each database, in every region. Commands inside scripts
 * count, too. `fixedMonth` is the plan of 250 MB and 10,000 commands/s, `largeMonth` that of 100
 * GB and 16,000. `databaseMonth`: pay as you go beyond the databases that are free.
 */
export const redisPrices = {
  command: 2.0 * perMillion,
  fixedMonth: 10,
  largeMonth: 800,
  prodPackMonth: 200,
  databaseMonth: 0.5,
} as const

/**
 * https://aws.amazon.com/cognito/pricing, the plan Lite, in every region: each user who signs in within a month, by how
 * many there are.
 */
export const cognitoLite = [
  { upTo: 10_000, each: 0 },
  { upTo: 100_000, each: 0.0055 },
  { upTo: 1_000_000, each: 0.0046 },
  { upTo: 10_000_000, each: 0.00325 },
  { upTo: Number.POSITIVE_INFINITY, each: 0.0025 },
] as const

/** Databases of an Upstash account without a monthly price, pay as you go. */
export const freeDatabases = 10

/**
 * The monthly free tier of an account, which other systems in the account may use up (https://aws.amazon.com/free, "always
 * free"; of CloudFront https://aws.amazon.com/cloudfront/pricing).
 */
export const freePerMonth = {
  cdnRequests: 10_000_000,
  cdnGigabytes: 1000,
  viewerFunctionRuns: 2_000_000,
  edgeStoreReads: 2_000_000,
  functionRuns: 1_000_000,
  functionGbSeconds: 400_000,
  queueCalls: 1_000_000,
  scheduledRuns: 14_000_000,
  logGigabytes: 5,
  alarms: 10,
  metrics: 10,
  tableGb: 25,
} as const

export const hoursPerMonth = 730
