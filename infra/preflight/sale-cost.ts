/** What one sale costs, item by item. What is free in a month is taken off, as if it were the only sale. */
import { freePerMonth, prices } from '../prices.ts'
import { type CostLine, counted, type RedisPlan } from './cost-line.ts'
import type { Volumes } from './volumes.ts'

/** `redisPlan`: with a fixed plan commands cost nothing. */
export function saleCost(v: Volumes, redisPlan: RedisPlan): CostLine[] {
  const { cdn, gate, functions, redis, queue, table, firewall, watching } = prices
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
      item: 'CloudFront Function',
      quantity: counted(v.preGateRuns),
      dollars: beyond(v.preGateRuns, freePerMonth.preGateRuns) * cdn.preGateRun,
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
    {
      item: 'SQS and DynamoDB',
      quantity: `${counted(v.queueCalls)} + ${counted(v.tableWrites)}`,
      dollars: v.queueCalls * queue.call + v.tableWrites * table.write,
    },
  ]
  const inspection = {
    item: 'Firewall',
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
