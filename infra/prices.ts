/**
 * List prices of everything that the system is billed for: us-east-1, November 2026, US dollars.
 * The preflight and the rush share them. Other regions differ by some per cent.
 */

const perMillion = 1 / 1_000_000

export const prices = {
  /** https://aws.amazon.com/cloudfront/pricing, pay as you go; POSTs cost the same. */
  cdn: { request: 1.0 * perMillion, gigabyte: 0.085, viewerFunctionRun: 0.1 * perMillion },
  /**
   * The key-value store of the CloudFront Functions (https://aws.amazon.com/cloudfront/pricing): a
   * read of a function, and a call of the API.
   */
  edgeStore: { read: 0.03 * perMillion, call: 1.0 / 1000 },
  /**
   * https://aws.amazon.com/lambda/pricing, section Lambda@Edge: three times what a function costs.
   */
  gate: { run: 0.6 * perMillion, gbSecond: 0.00005001 },
  /**
   * https://aws.amazon.com/lambda/pricing, arm64. Provisioned environments are billed while idle,
   * too.
   */
  functions: {
    run: 0.2 * perMillion,
    gbSecond: 0.0000133334,
    provisionedGbSecond: 0.0000033334,
  },
  /**
   * https://upstash.com/docs/redis/overall/billing, for each database. Commands inside scripts
   * count, too. `fixedMonth` is the plan of 250 MB and 10,000 commands/s, `largeMonth` that of 100
   * GB and 16,000. `databaseMonth`: pay as you go beyond the databases that are free.
   */
  redis: {
    command: 2.0 * perMillion,
    fixedMonth: 10,
    largeMonth: 800,
    prodPackMonth: 200,
    databaseMonth: 0.5,
  },
  /** https://aws.amazon.com/sqs/pricing, standard queues. */
  queue: { call: 0.4 * perMillion },
  /** https://aws.amazon.com/dynamodb/pricing/on-demand. `backup` is point-in-time recovery. */
  table: { write: 0.625 * perMillion, storedGbMonth: 0.25, backupGbMonth: 0.2 },
  /**
   * https://aws.amazon.com/cognito/pricing, the plan Lite: each user who signs in within a month, by how many there
   * are.
   */
  cognitoLite: [
    { upTo: 10_000, each: 0 },
    { upTo: 100_000, each: 0.0055 },
    { upTo: 1_000_000, each: 0.0046 },
    { upTo: 10_000_000, each: 0.00325 },
    { upTo: Number.POSITIVE_INFINITY, each: 0.0025 },
  ],
  /** https://aws.amazon.com/ses/pricing: an e-mail, without attachments. */
  mail: { message: 0.1 / 1000 },
  /** https://aws.amazon.com/eventbridge/pricing: an event of our own, for each 64 kB of it. */
  eventBus: { event: 1.0 * perMillion },
  /** https://aws.amazon.com/waf/pricing. */
  firewall: { request: 0.6 * perMillion, aclMonth: 5, ruleMonth: 1 },
  /**
   * https://aws.amazon.com/cloudwatch/pricing; an alarm for each metric that it reads, a custom metric by the
   * hours in which it is reported.
   */
  watching: { logGigabyte: 0.5, alarmMonth: 0.1, dashboardMonth: 3, metricMonth: 0.3 },
  /** https://aws.amazon.com/secrets-manager/pricing and https://aws.amazon.com/kms/pricing. */
  keeping: { secretMonth: 0.4, keyMonth: 1 },
} as const

/** Databases of an Upstash account without a monthly price, pay as you go. */
export const freeDatabases = 10

/** Not billed in a month (https://aws.amazon.com/cloudfront/pricing, "always free"). */
export const freePerMonth = {
  cdnRequests: 10_000_000,
  cdnGigabytes: 1000,
  viewerFunctionRuns: 2_000_000,
  edgeStoreReads: 2_000_000,
} as const

/** Month of a bill, hours. */
export const hoursPerMonth = 730
