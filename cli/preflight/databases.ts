/**
 * How many databases a rate of orders needs, and what they cost: the arithmetic by which a stage
 * grows. It counts capacity alone: a single sale uses as many databases as it has shards (limits.ts,
 * `stock-commands`), and a stage lists at most `maxDatabases`.
 */
import { freeDatabases, hoursPerMonth, redisPrices } from '../../infra/prices.ts'
import type { Plan } from './plan.ts'
import { sellingCommands } from './rates.ts'
import { type CostLine, type RedisPlan, totalOf } from './sale-cost.ts'

/** Orders a second that the published designs ask of a stock (G8). */
export const targetPerSecond = 100_000

/** Databases for `perSecond` orders or claims, with `commands` for each of them. */
type DatabaseNeed = {
  perSecond: number
  commands: number
  databases: number
  dollarsPerMonth: number
  dollarsPerHour: number
}

/** `mostOfOne` is what one database, and therefore one shard of a sale, takes in a second. */
export type DatabaseReport = { commandsPerSecond: number; mostOfOne: number; needs: DatabaseNeed[] }

/** For the planned sales, and for 100,000 orders a second. */
export function databaseReport(plan: Plan, commandsPerSecond: number, redisPlan: RedisPlan): DatabaseReport {
  const commands = sellingCommands(plan) / plan.stock
  const needs = [Math.ceil(plan.stock / plan.sellSeconds), targetPerSecond].map((perSecond) => {
    const databases = Math.ceil((perSecond * commands) / commandsPerSecond)
    const month = totalOf(redisMonth(redisPlan, databases, commandsPerSecond))
    const used = redisPlan === 'payg' ? perSecond * commands * 3600 * redisPrices.command : 0
    return {
      ...{ perSecond, commands, databases },
      ...{ dollarsPerMonth: month, dollarsPerHour: month / hoursPerMonth + used },
    }
  })
  return { commandsPerSecond, mostOfOne: Math.floor(commandsPerSecond / commands), needs }
}

/** Commands a second of the plans of 250 MB and of 100 GB. */
const [smallPlan, largePlan] = [10_000, 16_000]

/** What `databases` cost in a month, commands not included; a larger plan is a contract. */
export function redisMonth(redisPlan: RedisPlan, databases: number, commandsPerSecond: number): CostLine[] {
  const paid = Math.max(0, databases - freeDatabases)
  if (redisPlan === 'payg') {
    return paid === 0
      ? []
      : [{ item: 'Upstash, databases', quantity: String(paid), dollars: paid * redisPrices.databaseMonth }]
  }
  const isLarge = commandsPerSecond > smallPlan
  const size = commandsPerSecond > largePlan ? 'contract above 100 GB' : isLarge ? '100 GB' : '250 MB'
  const lines: CostLine[] = [
    {
      item: 'Upstash, fixed plan',
      quantity: databases === 1 ? size : `${databases} × ${size}`,
      dollars: databases * (isLarge ? redisPrices.largeMonth : redisPrices.fixedMonth),
    },
  ]
  if (redisPlan === 'fixed') return lines
  return [
    ...lines,
    {
      item: 'Upstash, Prod Pack',
      quantity: String(databases),
      dollars: databases * redisPrices.prodPackMonth,
    },
  ]
}
