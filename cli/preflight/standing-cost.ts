/** What a stage costs in a month without a sale, and its provisioned environments for an hour. */

import { recordedWhenIdle } from '../../infra/constructs/own-metrics.ts'
import { hoursPerMonth, prices } from '../../infra/prices.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { allFunctions, type FunctionName, reconcileRate } from '../../system/functions.ts'
import { callsPerPassKeys } from './edge-store.ts'
import { type CostLine, counted } from './sale-cost.ts'

/**
 * What every stage has beside its settings. A test compares it with the templates; a small table is
 * assumed.
 */
export const fixtures = {
  secrets: 5,
  keys: 3,
  firewallRules: 8,
  alarmedMetrics: 118,
  firewallAlarms: 2,
  mailAlarms: 3,
  eventAlarms: 3,
  dashboards: 2,
  tableGb: 1,
} as const

const idleMetrics = Object.values(recordedWhenIdle).flat().length

/** Provisioned environments of these functions for an hour, idle or not. */
export function provisionedCostPerHour(
  { functions }: Pick<StageSettings, 'functions'>,
  names: readonly FunctionName[],
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
  firewall,
  mail,
  sendsEvents,
}: Pick<StageSettings, 'firewall' | 'mail' | 'sendsEvents'>): number =>
  fixtures.alarmedMetrics +
  (firewall === undefined ? 0 : fixtures.firewallAlarms) +
  (mail === undefined ? 0 : fixtures.mailAlarms) +
  (sendsEvents === true ? fixtures.eventAlarms : 0)

/** A month without a sale; `redis` is the bill of Upstash for it. */
export function standingCost(settings: StageSettings, redis: readonly CostLine[]): CostLine[] {
  const { firewall, keeping, watching, table } = prices
  const { keys, firewallRules, dashboards, tableGb } = fixtures
  const { redeem, checkout } = settings
  const hasShops = redeem !== undefined || checkout !== undefined
  const secrets = fixtures.secrets + Number(hasShops) + Number(checkout !== undefined)
  const alarmed = alarmedMetricsOf(settings)
  const provisioned = provisionedCostPerHour(settings, allFunctions)
  const lines: CostLine[] = [
    reconcileCost(settings),
    canaryCost(settings),
    passKeysCost(),
    {
      item: 'Secrets and keys',
      quantity: `${secrets} + ${keys}`,
      dollars: secrets * keeping.secretMonth + keys * keeping.keyMonth,
    },
    {
      item: 'Alarms and dashboards',
      quantity: `${alarmed} + ${dashboards}`,
      dollars: alarmed * watching.alarmMonth + dashboards * watching.dashboardMonth,
    },
    {
      item: 'Custom metrics',
      quantity: `${idleMetrics}, more in a sale`,
      dollars: idleMetrics * watching.metricMonth,
    },
    {
      item: 'Table and its backup',
      quantity: `${tableGb} GB`,
      dollars: tableGb * (table.storedGbMonth + table.backupGbMonth),
    },
  ]
  if (settings.firewall !== undefined) {
    lines.push({
      item: 'Firewall',
      quantity: `1 + ${firewallRules} rules`,
      dollars: firewall.aclMonth + firewallRules * firewall.ruleMonth,
    })
  }
  lines.push(...redis)
  if (settings.keepProvisioned && provisioned.dollars > 0) {
    lines.push({
      item: 'Lambda, environments provisioned all month',
      quantity: `${hoursPerMonth} h`,
      dollars: provisioned.dollars * hoursPerMonth,
    })
  }
  return lines
}

/** A run of `reconcile` without a running sale: some reads of the table, Redis and the queues. */
const idleRunSeconds = 1

/**
 * Without a running sale each run ends at once, so a month costs the runs and one second of each.
 */
function reconcileCost({ functions }: StageSettings): CostLine {
  const runs = (hoursPerMonth * 60) / reconcileRate.everyMinutes
  const gbSeconds = runs * idleRunSeconds * (functions.reconcile.memoryMb / 1024)
  return {
    item: 'Lambda, reconcile',
    quantity: `${counted(runs)} runs of ${idleRunSeconds} s`,
    dollars: runs * prices.functions.run + gbSeconds * prices.functions.gbSecond,
  }
}

/** The keys of passes are renewed once a day. */
function passKeysCost(): CostLine {
  const calls = (hoursPerMonth / 24) * callsPerPassKeys
  return {
    item: 'CloudFront KeyValueStore',
    quantity: `${counted(calls)} calls`,
    dollars: calls * prices.edgeStore.call,
  }
}

/** A run of about half a second every minute, with one request through the gate. */
function canaryCost({ functions }: StageSettings): CostLine {
  const runs = hoursPerMonth * 60
  const gbSeconds = runs * 0.5 * (functions.canary.memoryMb / 1024)
  return {
    item: 'Canary',
    quantity: `${counted(runs)} runs`,
    dollars: runs * (prices.functions.run + prices.gate.run) + gbSeconds * prices.functions.gbSecond,
  }
}
