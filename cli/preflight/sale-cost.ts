/**
 * What one sale costs, item by item, after the monthly free tier, as if it were the only sale of
 * the month.
 */
import { freePerMonth, prices } from '../../infra/prices.ts'
import type { Plan } from './plan.ts'
import { countingCommands } from './rates.ts'
import type { Volumes } from './volumes.ts'

/** One item of a bill. */
export type CostLine = { item: string; quantity: string; dollars: number }

/**
 * Pay as you go, or a fixed plan of 250 MB, with the Prod Pack (copies in several zones, an SLA) or
 * without.
 */
export const redisPlans = ['payg', 'fixed', 'fixed-prod-pack'] as const
export type RedisPlan = (typeof redisPlans)[number]

export const totalOf = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { dollars }) => sum + dollars, 0)

/** Such as 35.0 m and 6,000. */
export function counted(amount: number): string {
  return amount >= 1e6 ? `${(amount / 1e6).toFixed(1)} m` : Math.round(amount).toLocaleString('en')
}

/** What the firewall takes for inspecting every request. */
const firewallItem = 'Firewall'

export const withoutFirewall = (lines: readonly CostLine[]): CostLine[] =>
  lines.filter(({ item }) => item !== firewallItem)

/** A bill in dollars, divided by those who came and by what was sold. */
export type Bill = { total: number; perThousandShoppers: number; perUnit: number }

export function billOf(
  lines: readonly CostLine[],
  { shoppers, stock }: Pick<Plan, 'shoppers' | 'stock'>,
): Bill {
  const total = totalOf(lines)
  return { total, perThousandShoppers: (total / shoppers) * 1000, perUnit: total / stock }
}

/** What counting the demand costs at most, for each million clicks: pay as you go. */
export const countingPerMillionClicks = (plan: Plan): number =>
  (countingCommands(plan) * prices.redis.command * 1e6) / (plan.shoppers * plan.clicks)

/** `redisPlan`: with a fixed plan commands cost nothing. */
export function saleCost(v: Volumes, redisPlan: RedisPlan): CostLine[] {
  const { cdn, edgeStore, gate, functions, redis, queue, table, firewall, watching } = prices
  const beyond = (amount: number, free: number) => Math.max(0, amount - free)
  const lines: CostLine[] = [
    {
      item: 'CloudFront requests',
      quantity: counted(v.requests),
      dollars: beyond(v.requests, freePerMonth.cdnRequests) * cdn.request,
    },
    {
      item: 'CloudFront data',
      quantity: `${v.gigabytes.toFixed(0)} GB`,
      dollars: beyond(v.gigabytes, freePerMonth.cdnGigabytes) * cdn.gigabyte,
    },
    {
      item: 'CloudFront Functions',
      quantity: counted(v.viewerFunctionRuns),
      dollars: beyond(v.viewerFunctionRuns, freePerMonth.viewerFunctionRuns) * cdn.viewerFunctionRun,
    },
    {
      item: 'CloudFront KeyValueStore',
      quantity: `${counted(v.edgeStoreReads)} + ${counted(v.edgeStoreCalls)}`,
      dollars:
        beyond(v.edgeStoreReads, freePerMonth.edgeStoreReads) * edgeStore.read +
        v.edgeStoreCalls * edgeStore.call,
    },
    {
      item: 'Lambda@Edge',
      quantity: counted(v.gateRuns),
      dollars: v.gateRuns * gate.run + v.gateGbSeconds * gate.gbSecond,
    },
    {
      item: 'Lambda',
      quantity: counted(v.functionRuns),
      dollars: v.functionRuns * functions.run + v.functionGbSeconds * functions.gbSecond,
    },
    {
      item: 'Redis commands',
      quantity: counted(v.redisCommands),
      dollars: redisPlan === 'payg' ? v.redisCommands * redis.command : 0,
    },
    { item: 'SQS', quantity: counted(v.queueCalls), dollars: v.queueCalls * queue.call },
    { item: 'DynamoDB', quantity: counted(v.tableWrites), dollars: v.tableWrites * table.write },
  ]
  const inspection = {
    item: firewallItem,
    quantity: counted(v.requests),
    dollars: v.requests * firewall.request,
  }
  const logs = {
    item: 'Logs of the gate',
    quantity: `${v.logGigabytes.toFixed(1)} GB`,
    dollars: v.logGigabytes * watching.logGigabyte,
  }
  return v.isInspected ? [...lines, inspection, logs] : [...lines, logs]
}
