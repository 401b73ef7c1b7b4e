/** What a stage costs in a month without a sale, and its provisioned environments for an hour. */

import { recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { secretsOfStage } from '../../infra/constructs/secrets.ts'
import { freePerMonth, hoursPerMonth, type Prices, redisPrices } from '../../infra/prices.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { allFunctions, type FunctionName, reconcileRate } from '../../system/functions.ts'
import { queueNames } from '../../system/queues.ts'
import { callsPerPassKeys } from './edge-store.ts'
import { usualHabits } from './plan.ts'
import { addPrices, type CostLine, counted, firewallItem, type RedisPlan, unitsAt } from './sale-cost.ts'

/**
 * What every stage has beside its settings. A test compares it with the templates; a small table is
 * assumed.
 */
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

const idleMetrics = Object.values(recordedWhenIdle).flat().length

/** Provisioned environments of these functions for an hour, idle or not. */
export function provisionedCostPerHour(
  { functions }: Pick<StageSettings, 'functions'>,
  names: readonly FunctionName[],
  prices: Prices,
): CostLine {
  const provisioned = names.map((name) => {
    const { memoryMb, provisioned: environments = 0 } = functions[name]
    return { environments, gb: (environments * memoryMb) / 1024 }
  })
  const total = (of: 'environments' | 'gb') => provisioned.reduce((sum, one) => sum + one[of], 0)
  return {
    item: 'Lambda, provisioned environments',
    quantity: `${counted(total('environments'))} for an hour`,
    dollars: total('gb') * 3600 * prices.functions.provisionedGbSecond,
  }
}

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

/** A month without a sale; `redis` is the bill of Upstash for its databases. */
export function standingCost(
  settings: StageSettings,
  { redisPlan, redis, prices }: { redisPlan: RedisPlan; redis: readonly CostLine[]; prices: Prices },
): CostLine[] {
  const { firewall, keeping, watching, table, queue } = prices
  const { keys, firewallRules, tableGb } = fixtures
  const { size } = settings
  const secrets = secretsOfStage(settings).length
  const alarmed = alarmedMetricsOf(settings)
  const dashboards = fixtures.dashboards[size]
  const metrics = idleMetrics + fixtures.distributionMetrics[size]
  const polls = queueNames.length * pollsPerQueue
  const provisioned = provisionedCostPerHour(settings, allFunctions, prices)
  const lines: CostLine[] = [
    reconcileCost(settings, prices),
    canaryCost(settings, prices),
    logCost(prices),
    passKeysCost(prices),
    {
      item: 'SQS, empty reads',
      quantity: counted(polls),
      ...unitsAt(queue.call, polls, freePerMonth.queueCalls),
    },
    {
      item: 'Secrets and keys',
      quantity: `${secrets} + ${keys}`,
      dollars: secrets * keeping.secretMonth + keys * keeping.keyMonth,
    },
    {
      item: 'Alarms and dashboards',
      quantity: `${alarmed} + ${dashboards}`,
      ...addPrices(
        unitsAt(watching.alarmMonth, alarmed, freePerMonth.alarms),
        unitsAt(watching.dashboardMonth, dashboards),
      ),
    },
    {
      item: 'Custom metrics',
      quantity: `${metrics}, more in a sale`,
      ...unitsAt(watching.metricMonth, metrics, freePerMonth.metrics),
    },
    {
      item: 'Table and its backup',
      quantity: `${tableGb} GB`,
      ...addPrices(unitsAt(table.storedGbMonth, tableGb, freePerMonth.tableGb), unitsAt(table.backupGbMonth, tableGb)),
    },
  ]
  if (settings.firewall !== undefined) {
    const requests = requestsPerCanary * runsPerMonth
    lines.push({
      item: firewallItem,
      quantity: `1 + ${firewallRules} rules`,
      dollars: firewall.aclMonth + firewallRules * firewall.ruleMonth + requests * firewall.request,
    })
  }
  lines.push(...redis)
  if (redisPlan === 'payg') {
    const commands = runsPerMonth * idleRun.redisCommands
    lines.push({
      item: 'Upstash, commands of reconcile',
      quantity: counted(commands),
      dollars: commands * redisPrices.command,
    })
  }
  if (settings.keepProvisioned && provisioned.dollars > 0) {
    lines.push({
      item: 'Lambda, environments provisioned all month',
      quantity: `${hoursPerMonth} h`,
      dollars: provisioned.dollars * hoursPerMonth,
    })
  }
  return lines
}

/** `reconcile` and the canary run equally often. */
const runsPerMonth = (hoursPerMonth * 60) / reconcileRate.everyMinutes

/**
 * A run of `reconcile` without a running sale ends at once; a second is more than it takes. A test counts its commands
 * and its reads of the table.
 */
export const idleRun = { seconds: 1, redisCommands: 6, tableReads: 13 } as const

/** The log of a run of `reconcile` or the canary: the lines of Lambda, and one of metrics. */
const logBytesPerRun = 1500

/**
 * Lambda reads an idle queue with five connections, each of which asks every 20 s
 * (as observed in https://github.com/getlift/lift/issues/132; AWS does not document the interval).
 */
const pollsPerQueue = ((5 * 3600) / 20) * hoursPerMonth

function reconcileCost({ functions }: StageSettings, { functions: price, table }: Prices): CostLine {
  const gbSeconds = runsPerMonth * idleRun.seconds * (functions.reconcile.memoryMb / 1024)
  return {
    item: 'Lambda, reconcile',
    quantity: `${counted(runsPerMonth)} runs of ${idleRun.seconds} s`,
    ...addPrices(
      unitsAt(price.run, runsPerMonth, freePerMonth.functionRuns),
      unitsAt(price.gbSecond, gbSeconds, freePerMonth.functionGbSeconds),
      unitsAt(table.read, runsPerMonth * idleRun.tableReads),
    ),
  }
}

/** The keys of passes are renewed once a day. */
function passKeysCost({ edgeStore }: Prices): CostLine {
  const calls = (hoursPerMonth / 24) * callsPerPassKeys
  return {
    item: 'CloudFront KeyValueStore',
    quantity: `${counted(calls)} calls`,
    ...unitsAt(edgeStore.call, calls),
  }
}

const requestsPerCanary = 3

/** A run of about half a second every minute, with three requests, of which one starts the gate. */
function canaryCost({ functions, edge }: StageSettings, { functions: price, gate, cdn }: Prices): CostLine {
  const gbSeconds = runsPerMonth * 0.5 * (functions.canary.memoryMb / 1024)
  const gateGbSeconds = runsPerMonth * usualHabits.edgeRunSeconds * (edge.memoryMb / 1024)
  const requests = runsPerMonth * requestsPerCanary
  return {
    item: 'Canary',
    quantity: `${counted(runsPerMonth)} runs`,
    ...addPrices(
      unitsAt(price.run, runsPerMonth, freePerMonth.functionRuns),
      unitsAt(price.gbSecond, gbSeconds, freePerMonth.functionGbSeconds),
      unitsAt(gate.run, runsPerMonth),
      unitsAt(gate.gbSecond, gateGbSeconds),
      unitsAt(cdn.request, requests, freePerMonth.cdnRequests),
      unitsAt(cdn.viewerFunctionRun, requests, freePerMonth.viewerFunctionRuns),
    ),
  }
}

function logCost({ watching }: Prices): CostLine {
  const gigabytes = (2 * runsPerMonth * logBytesPerRun) / 1e9
  return {
    item: 'Logs of both',
    quantity: `${gigabytes.toFixed(1)} GB`,
    ...unitsAt(watching.logGigabyte, gigabytes, freePerMonth.logGigabytes),
  }
}
