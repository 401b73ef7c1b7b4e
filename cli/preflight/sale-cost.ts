/**
 * What one sale costs, item by item, at list prices. What the monthly free tier would take off is a figure of its own,
 * because the rest of the account may use it up.
 */
import { freePerMonth, hoursPerMonth, type Prices, redisPrices } from '../../infra/prices.ts'
import type { Plan } from './plan.ts'
import { countingCommands } from './rates.ts'
import type { Volumes } from './volumes.ts'

/**
 * One item of a bill. `freeDollars` is the part that the free tier of a month covers, if nothing else uses it;
 * `isInCdnPlan` is what a flat-rate plan of CloudFront covers.
 */
export type CostLine = {
  item: string
  quantity: string
  dollars: number
  freeDollars?: number
  isInCdnPlan?: true
}

/**
 * Pay as you go, or a fixed plan of 250 MB, with the Prod Pack (copies in several zones, an SLA) or
 * without.
 */
export const redisPlans = ['payg', 'fixed', 'fixed-prod-pack'] as const
export type RedisPlan = (typeof redisPlans)[number]

export const totalOf = (lines: readonly CostLine[]): number => lines.reduce((sum, { dollars }) => sum + dollars, 0)

export const freeOf = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { freeDollars = 0 }) => sum + freeDollars, 0)

/** The price of `amount` units, of which a month has some free. */
export const unitsAt = (
  price: number,
  amount: number,
  free = 0,
): Pick<CostLine, 'dollars'> & { freeDollars: number } => ({
  dollars: amount * price,
  freeDollars: Math.min(amount, free) * price,
})

/** Several prices of one item. */
export const addPrices = (...parts: readonly ReturnType<typeof unitsAt>[]) => ({
  dollars: parts.reduce((sum, { dollars }) => sum + dollars, 0),
  freeDollars: parts.reduce((sum, { freeDollars }) => sum + freeDollars, 0),
})

/** Such as 35.0 m and 6,000. */
export function counted(amount: number): string {
  return amount >= 1e6 ? `${(amount / 1e6).toFixed(1)} m` : Math.round(amount).toLocaleString('en')
}

/** The line of the firewall, which is paid for inspecting every request, and by the month. */
export const firewallItem = 'Firewall'

export const withoutFirewall = (lines: readonly CostLine[]): CostLine[] =>
  lines.filter(({ item }) => item !== firewallItem)

/** A bill in dollars, divided by those who came and by what was sold. */
export type Bill = { total: number; perThousandShoppers: number; perUnit: number }

export function billOf(lines: readonly CostLine[], { shoppers, stock }: Pick<Plan, 'shoppers' | 'stock'>): Bill {
  const total = totalOf(lines)
  return { total, perThousandShoppers: (total / shoppers) * 1000, perUnit: total / stock }
}

/** What counting the demand costs at most, for each million clicks: pay as you go. */
export const countingPerMillionClicks = (plan: Plan): number =>
  (countingCommands(plan) * redisPrices.command * 1e6) / (plan.shoppers * plan.clicks)

/** `redisPlan`: with a fixed plan commands cost nothing. */
export function saleCost(v: Volumes, redisPlan: RedisPlan, prices: Prices): CostLine[] {
  const { cdn, edgeStore, gate, functions, queue, table, firewall, watching } = prices
  const free = freePerMonth
  const lines: CostLine[] = [
    {
      item: 'CloudFront requests',
      quantity: counted(v.requests),
      ...unitsAt(cdn.request, v.requests, free.cdnRequests),
      isInCdnPlan: true,
    },
    {
      item: 'CloudFront data',
      quantity: `${v.gigabytes.toFixed(0)} GB`,
      ...unitsAt(cdn.gigabyte, v.gigabytes, free.cdnGigabytes),
      isInCdnPlan: true,
    },
    {
      item: 'CloudFront Functions',
      quantity: counted(v.viewerFunctionRuns),
      ...unitsAt(cdn.viewerFunctionRun, v.viewerFunctionRuns, free.viewerFunctionRuns),
      isInCdnPlan: true,
    },
    {
      item: 'CloudFront KeyValueStore',
      quantity: `${counted(v.edgeStoreReads)} + ${counted(v.edgeStoreCalls)}`,
      ...addPrices(
        unitsAt(edgeStore.read, v.edgeStoreReads, free.edgeStoreReads),
        unitsAt(edgeStore.call, v.edgeStoreCalls),
      ),
    },
    {
      item: 'Lambda@Edge',
      quantity: counted(v.gateRuns),
      dollars: v.gateRuns * gate.run + v.gateGbSeconds * gate.gbSecond,
    },
    {
      item: 'Lambda',
      quantity: counted(v.functionRuns),
      ...addPrices(
        unitsAt(functions.run, v.functionRuns, free.functionRuns),
        unitsAt(functions.gbSecond, v.functionGbSeconds, free.functionGbSeconds),
      ),
    },
    {
      item: 'Lambda, reconcile',
      quantity: 'an hour',
      ...unitsAt(functions.gbSecond, v.openGbSeconds, free.functionGbSeconds),
    },
    {
      item: 'Redis commands',
      quantity: counted(v.redisCommands),
      dollars: redisPlan === 'payg' ? v.redisCommands * redisPrices.command : 0,
    },
    { item: 'SQS', quantity: counted(v.queueCalls), ...unitsAt(queue.call, v.queueCalls, free.queueCalls) },
    {
      item: 'DynamoDB',
      quantity: `${counted(v.tableWrites)} + ${counted(v.tableReads)}`,
      dollars: v.tableWrites * table.write + v.tableReads * table.read,
    },
    {
      item: 'Custom metrics',
      quantity: `${v.metrics} for an hour`,
      dollars: (v.metrics * watching.metricMonth) / hoursPerMonth,
    },
  ]
  const inspection: CostLine = {
    item: firewallItem,
    quantity: counted(v.requests),
    dollars: v.requests * firewall.request,
    isInCdnPlan: true,
  }
  const logs = {
    item: 'Logs of the gate',
    quantity: `${v.logGigabytes.toFixed(1)} GB`,
    ...unitsAt(watching.logGigabyte, v.logGigabytes, free.logGigabytes),
  }
  return v.isInspected ? [...lines, inspection, logs] : [...lines, logs]
}
