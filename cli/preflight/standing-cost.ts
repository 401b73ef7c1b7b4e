/** What a stage costs in a month without a sale, at list prices. */
import { recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { secretsOfStage } from '../../infra/constructs/secrets.ts'
import { freeDatabases, freePerMonth, hoursPerMonth, type Prices, redisPrices } from '../../infra/prices.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { allFunctions, reconcileRate } from '../../system/functions.ts'
import { queueNames } from '../../system/queues.ts'
import { callsPerPassKeys } from './edge-store.ts'
import { edgeRunSeconds, type Plan } from './plan.ts'
import { type Charge, charge, provisionedCharge, redisPlanOf } from './sale-cost.ts'

/** What every stage has beside its settings. A test compares it with the templates; a small table is assumed. */
export const fixtures = {
  keys: 3,
  firewallRules: 8,
  alarmedMetrics: { small: 52, full: 123 },
  firewallAlarms: { small: 1, full: 2 },
  mailAlarms: 3,
  eventAlarms: 3,
  dashboards: { small: 0, full: 2 },
  /**
   * Metrics that CloudFront records for each distribution at a price
   * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/viewing-cloudfront-metrics.html).
   */
  distributionMetrics: { small: 0, full: 8 },
  tableGb: 1,
} as const

/** An alarm is billed by the metrics that it reads. */
export const alarmedMetricsOf = ({
  size,
  firewall,
  mail,
  sendsEvents,
}: Pick<StageSettings, 'size' | 'firewall' | 'mail' | 'sendsEvents'>): number =>
  fixtures.alarmedMetrics[size] +
  (firewall === undefined ? 0 : fixtures.firewallAlarms[size]) +
  (mail === undefined ? 0 : fixtures.mailAlarms) +
  (sendsEvents === true ? fixtures.eventAlarms : 0)

/** With the gate's, which is one of those of the stocks as long as there is only one. */
export const databasesInAll = ({ databases }: Pick<Plan, 'databases'>): number => (databases === 1 ? 1 : databases + 1)

/** Commands a second of a database in the plan of 250 MB; more takes the plan of 100 GB. */
const commandsOfSmallPlan = 10_000

/** The databases at Upstash, commands not included. */
export function redisMonth(settings: StageSettings, databases: number, commandsPerSecond: number): Charge {
  const { databaseMonth, fixedMonth, largeMonth, prodPackMonth } = redisPrices
  if (redisPlanOf(settings) === 'payg') {
    return charge('Redis at Upstash', databaseMonth, Math.max(0, databases - freeDatabases))
  }
  const each = (commandsPerSecond > commandsOfSmallPlan ? largeMonth : fixedMonth) + prodPackMonth
  return charge('Redis at Upstash', each, databases)
}

/** `reconcile` and the canary run equally often. */
const runsPerMonth = (hoursPerMonth * 60) / reconcileRate.everyMinutes

/**
 * A run of `reconcile` without a running sale ends at once; a second is more than it takes. A test counts its commands
 * and its reads of the table.
 */
export const idleRun = { seconds: 1, redisCommands: 6, tableReads: 13 } as const

/** A run of the canary takes about half a second and sends three requests, of which one starts the gate. */
const canarySeconds = 0.5
const canaryRequests = runsPerMonth * 3

/** The log of a run of `reconcile` or the canary: the lines of Lambda, and one of metrics. */
const logBytesPerRun = 1500

/**
 * Lambda reads an idle queue with five connections, each of which asks every 20 s
 * (as observed in https://github.com/getlift/lift/issues/132; AWS does not document the interval).
 */
const pollsPerQueue = ((5 * 3600) / 20) * hoursPerMonth

/** A month without a sale; `redis` is the bill of its databases. */
export function standingCost(settings: StageSettings, redis: Charge, prices: Prices): Charge[] {
  const { cdn, edgeStore, firewall, functions, gate, keeping, queue, table, watching } = prices
  const free = freePerMonth
  const { keys, firewallRules, tableGb } = fixtures
  const { size } = settings
  const gbSeconds = (name: 'reconcile' | 'canary', seconds: number) =>
    runsPerMonth * seconds * (settings.functions[name].memoryMb / 1024)
  const idleGbSeconds = gbSeconds('reconcile', idleRun.seconds) + gbSeconds('canary', canarySeconds)
  const metrics = Object.values(recordedWhenIdle).flat().length + fixtures.distributionMetrics[size]
  const isByCommand = redisPlanOf(settings) === 'payg'
  return [
    charge('CloudFront requests', cdn.request, canaryRequests, free.cdnRequests),
    charge('CloudFront Functions', cdn.viewerFunctionRun, canaryRequests, free.viewerFunctionRuns),
    // The keys of passes are renewed once a day.
    charge('CloudFront key-value store', edgeStore.call, (hoursPerMonth / 24) * callsPerPassKeys),
    ...(settings.firewall === undefined
      ? []
      : [
          charge('Firewall', 1, firewall.aclMonth + firewallRules * firewall.ruleMonth),
          charge('Firewall', firewall.request, canaryRequests),
        ]),
    charge('Lambda@Edge', gate.run, runsPerMonth),
    charge('Lambda@Edge', gate.gbSecond, runsPerMonth * edgeRunSeconds * (settings.edge.memoryMb / 1024)),
    charge('Lambda', functions.run, 2 * runsPerMonth, free.functionRuns),
    charge('Lambda', functions.gbSecond, idleGbSeconds, free.functionGbSeconds),
    ...(settings.keepProvisioned ? [provisionedCharge(settings, allFunctions, hoursPerMonth, prices)] : []),
    charge('DynamoDB', table.read, runsPerMonth * idleRun.tableReads),
    charge('DynamoDB', table.storedGbMonth, tableGb, free.tableGb),
    charge('DynamoDB', table.backupGbMonth, tableGb),
    charge('SQS', queue.call, queueNames.length * pollsPerQueue, free.queueCalls),
    redis,
    charge('Redis at Upstash', isByCommand ? redisPrices.command : 0, runsPerMonth * idleRun.redisCommands),
    charge('CloudWatch', watching.alarmMonth, alarmedMetricsOf(settings), free.alarms),
    charge('CloudWatch', watching.dashboardMonth, fixtures.dashboards[size]),
    charge('CloudWatch', watching.metricMonth, metrics, free.metrics),
    charge('CloudWatch', watching.logGigabyte, (2 * runsPerMonth * logBytesPerRun) / 1e9, free.logGigabytes),
    charge('Secrets and keys', keeping.secretMonth, secretsOfStage(settings).length),
    charge('Secrets and keys', keeping.keyMonth, keys),
  ]
}
