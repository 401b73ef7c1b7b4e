/**
 * Every tier of a stage at the rates that published designs claim: 100,000 and 600,000 requests a second of a crowd
 * that mostly loses (L2, R8), 100,000 orders a second (G8), and the sign-ins of a million before it. `npm run preflight -- --scale` prints it, and
 * docs/guide/scale.md has the same tables.
 */

import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { maxDatabases } from '../../core/stock/database.ts'
import { type Prices, redisPrices } from '../../infra/prices.ts'
import { runSeconds, tableWritesPerOrder } from '../../infra/settings/arithmetic.ts'
import type { Quotas, StageSettings } from '../../infra/settings/stage.ts'
import { gateStarts, grouped, requestsPerSignIn, startsAtOnce } from './concurrency.ts'
import { databaseReport, targetPerSecond } from './databases.ts'
import { type LimitId, limitsOf, needOf } from './limits.ts'
import { pageRequests } from './page-requests.ts'
import { type Plan, usualHabits } from './plan.ts'
import { environmentsFor, gateCommandsPerSecond, writesOfOneSale } from './rates.ts'
import { cognitoMonth, signInCost, signInRates, signInWays } from './sign-ins.ts'

/** `limit` is absent where a tier has none of its own. `raisedBy` is absent for a limit that nothing raises. */
type ScaleTier = { tier: string; need: number; limit?: number; raisedBy?: string; cost: string }

/** A load by its name, and what each tier on the way of a request needs for it, the first tier first. */
export type ScaleLoad = { load: string; tiers: readonly ScaleTier[] }

/** Requests a second of the two loads that are refused before the stock. */
const interceptions = [100_000, 600_000] as const

const crowd: Plan = {
  ...{ ...usualHabits, kind: 'goods', shoppers: 1_000_000, openingSeconds: 10, stock: 1000 },
  spreadSeconds: maxSpreadSeconds,
}

const owners = { quota: 'AWS, on request', settings: 'the settings of the stage', fixed: undefined } as const
const upstash = 'Upstash, on request'

export function scaleLoads(settings: StageSettings, quotas: Quotas, prices: Prices): ScaleLoad[] {
  return [
    ...interceptions.map((perSecond) => interceptionOf(perSecond, settings, quotas, prices)),
    ordersOf(settings, quotas, prices),
    signInsOf(settings, quotas, prices),
  ]
}

const perMinute = (dollarsPerSecond: number): string =>
  dollarsPerSecond * 60 < 0.01 ? '' : `$${(dollarsPerSecond * 60).toFixed(2)} a minute`

/** Gives a limit of the preflight as a tier. */
const tiersFrom =
  (limits: ReturnType<typeof limitsOf>) =>
  (id: LimitId, tier: string, cost = ''): ScaleTier => {
    const found = limits.find((limit) => limit.id === id)
    if (found === undefined) throw new RangeError(`a crowd meets no limit ${id}`)
    const raisedBy = id === 'redis-commands' || id === 'stock-commands' ? upstash : owners[found.owner]
    return {
      ...{ tier, need: Math.ceil(found.need.amount), limit: found.amount, cost },
      ...(raisedBy !== undefined && { raisedBy }),
    }
  }

/** A crowd in proportion to a million shoppers within 10 s, for 1,000 units, with a spread of 300 s. */
function interceptionOf(perSecond: number, settings: StageSettings, quotas: Quotas, prices: Prices): ScaleLoad {
  const ofMillion = needOf('distribution-requests', crowd, settings).amount
  const plan: Plan = { ...crowd, shoppers: Math.floor((crowd.shoppers * perSecond) / ofMillion) }
  const tierOf = tiersFrom(limitsOf(plan, settings, quotas))
  const { cdn, edgeStore, gate, firewall } = prices
  const gateSecond = gate.run + plan.edgeRunSeconds * (settings.edge.memoryMb / 1024) * gate.gbSecond
  const gateRuns = needOf('edge-requests', plan, settings).amount
  return {
    load: `${grouped(perSecond)} requests/s, a crowd for ${grouped(plan.stock)} units`,
    tiers: [
      {
        ...tierOf('distribution-requests', 'CDN, requests/s', perMinute(perSecond * (cdn.request + firewall.request))),
        need: perSecond,
      },
      {
        ...{ tier: 'pre-gate, runs/s', need: perSecond },
        cost: perMinute(perSecond * (cdn.viewerFunctionRun + edgeStore.read)),
      },
      tierOf('edge-requests', 'Lambda@Edge, requests/s in a region', perMinute(gateRuns * gateSecond)),
      tierOf('edge-concurrency', 'Lambda@Edge, environments in a region'),
      tierOf('edge-starts', 'Lambda@Edge, starts in 10 s in a region'),
      tierOf('redis-commands', 'Redis of the gate, commands/s'),
      tierOf('seller-concurrency', '`reserve`, environments'),
      tierOf('stock-commands', 'stock databases, commands/s'),
      tierOf('queue-in-flight', 'SQS, messages in flight'),
      tierOf('queue-rate', 'writer, orders/s of one sale'),
      tierOf('table-writes', 'table, writes/s'),
    ],
  }
}

/** Each order is a click that wins; its page is loaded and read twice in the same seconds. */
function ordersOf(settings: StageSettings, quotas: Quotas, prices: Prices): ScaleLoad {
  const perSecond = targetPerSecond
  const { functions, cdn, edgeStore, gate, firewall, queue, table } = prices
  const plan: Plan = { ...crowd, spreadSeconds: 0, shoppers: perSecond, openingSeconds: 1 }
  const requests = perSecond * (pageRequests.click + pageRequests.orderPage + pageRequests.orderReads)
  const gateRuns = perSecond * (pageRequests.click + pageRequests.orderReads)
  // Those that work at the same time; Lambda counts more of them.
  const instances = Math.ceil(gateRuns * plan.edgeRunSeconds)
  const runs = (memoryMb: number, seconds: number, of: { run: number; gbSecond: number }) =>
    of.run + seconds * (memoryMb / 1024) * of.gbSecond
  const { commandsPerSecond, needs } = databaseReport(plan, quotas.redisCommandsPerSecond, 'fixed')
  const databases = needs.at(-1)?.databases ?? Number.NaN
  const lot = { kind: plan.kind, stock: 10 * perSecond, sales: 1 } as const
  return {
    load: `${grouped(perSecond)} orders/s, all in one region`,
    tiers: [
      {
        ...{ tier: 'CDN, requests/s', need: requests, limit: quotas.distributionRequestsPerSecond },
        ...{ raisedBy: owners.quota, cost: perMinute(requests * (cdn.request + firewall.request)) },
      },
      {
        ...{ tier: 'pre-gate, runs/s', need: requests },
        cost: perMinute(requests * (cdn.viewerFunctionRun + edgeStore.read)),
      },
      {
        ...{
          tier: 'Lambda@Edge, requests/s in a region',
          need: gateRuns,
          limit: quotas.edgeRequestsPerSecond,
        },
        ...{ raisedBy: owners.quota },
        cost: perMinute(gateRuns * runs(settings.edge.memoryMb, plan.edgeRunSeconds, gate)),
      },
      {
        ...{
          tier: 'Lambda@Edge, environments in a region',
          need: environmentsFor(gateRuns, plan.edgeRunSeconds),
        },
        ...{ limit: quotas.edgeConcurrency, raisedBy: owners.quota, cost: '' },
      },
      {
        ...{ tier: 'Lambda@Edge, starts in 10 s in a region', need: gateStarts(plan).amount },
        ...{ limit: startsAtOnce, cost: '' },
      },
      {
        ...{ tier: 'Redis of the gate, commands/s', need: Math.ceil(instances * gateCommandsPerSecond) },
        ...{ limit: quotas.redisCommandsPerSecond, raisedBy: upstash, cost: '' },
      },
      {
        ...{ tier: '`reserve`, environments', need: environmentsFor(perSecond, runSeconds.warm) },
        ...{ limit: quotas.functionConcurrency, raisedBy: owners.quota },
        cost: perMinute(perSecond * runs(settings.functions.reserve.memoryMb, runSeconds.warm, functions)),
      },
      {
        ...{
          tier: `stock databases of ${grouped(commandsPerSecond)} commands/s`,
          need: databases,
          limit: maxDatabases,
        },
        cost: `$${grouped(databases * redisPrices.fixedMonth)} a month`,
      },
      { tier: 'SQS, messages/s', need: perSecond, cost: perMinute(3 * perSecond * queue.call) },
      {
        ...{
          tier: 'writer, orders/s of one sale',
          need: perSecond,
          limit: writesOfOneSale(lot, settings),
          cost: '',
        },
      },
      {
        ...{ tier: 'table, writes/s', need: perSecond * tableWritesPerOrder },
        ...{ limit: settings.table.warmWritesPerSecond, raisedBy: owners.settings },
        cost: perMinute(perSecond * tableWritesPerOrder * table.write),
      },
    ],
  }
}

/**
 * A million shoppers sign in before a sale, most of them right before it. A shop that signs the tokens of its customers
 * has the last tier alone.
 */
function signInsOf(settings: StageSettings, quotas: Quotas, prices: Prices): ScaleLoad {
  const { shoppers, signInMinutes } = crowd
  const plan: Plan = { ...crowd, signInArrival: 'reaction' }
  const tierOf = tiersFrom(limitsOf(plan, settings, quotas))
  const [, perSecond] = signInRates(plan)
  const requests = perSecond * requestsPerSignIn
  const [token] = signInWays(plan, settings, quotas, prices)
  const hours = signInMinutes / 60
  return {
    load: `${grouped(perSecond)} sign-ins/s: ${grouped(shoppers)} shoppers within ${grouped(hours)} hours, most of them right before the start`,
    tiers: [
      {
        ...{ tier: 'CDN, requests/s', need: requests, limit: quotas.distributionRequestsPerSecond },
        ...{ raisedBy: owners.quota },
        cost: `$${signInCost(plan, settings, prices).toFixed(2)} for all`,
      },
      {
        ...{ tier: 'Lambda@Edge, requests/s in a region', need: requests },
        ...{ limit: quotas.edgeRequestsPerSecond, raisedBy: owners.quota, cost: '' },
      },
      tierOf('sign-in-concurrency', '`sign-in`, environments'),
      ...(settings.signIn.kind === 'cognito'
        ? [tierOf('sign-in-issuer', 'Cognito, sign-ins/s', `$${grouped(cognitoMonth(shoppers))} a month`)]
        : []),
      {
        ...{ tier: "instead of these: the shop's own tokens at the gate/s", need: perSecond },
        ...{ limit: token?.carries ?? Number.NaN, raisedBy: owners.quota },
        cost: `$${(token?.dollars ?? Number.NaN).toFixed(2)} for all`,
      },
    ],
  }
}

const isShort = ({ need, limit }: ScaleTier): boolean => limit !== undefined && need > limit

function verdictOf(tier: ScaleTier): string {
  if (!isShort(tier)) return 'carried'
  return tier.raisedBy === undefined ? 'not carried' : `raise it to ${grouped(tier.need)}`
}

/** The tier that is most short of what it needs, those that nothing raises before the others. */
function firstToBreak(tiers: readonly ScaleTier[]): ScaleTier | undefined {
  const share = ({ need, limit = Number.POSITIVE_INFINITY }: ScaleTier) => need / limit
  const [first] = tiers
    .filter(isShort)
    .toSorted((a, b) => Number(b.raisedBy === undefined) - Number(a.raisedBy === undefined) || share(b) - share(a))
  return first
}

/** The loads as tables in Markdown, each with what breaks first. */
export function scaleText(loads: readonly ScaleLoad[]): string {
  return loads
    .map(({ load, tiers }) => {
      const rows = tiers.map((tier) => {
        const { need, limit, raisedBy, cost } = tier
        const limited = limit === undefined ? 'none of its own' : grouped(limit)
        const owner = limit === undefined ? '' : (raisedBy ?? 'nothing')
        return `| ${[tier.tier, grouped(need), limited, owner, cost, verdictOf(tier)].join(' | ')} |`
      })
      const broken = firstToBreak(tiers)
      const last =
        broken === undefined
          ? 'Every tier carries it.'
          : `Breaks first: ${broken.tier}, ${grouped(broken.need)} of ${grouped(broken.limit ?? 0)}.`
      const head = '| tier | need | limit | raised by | cost | verdict |\n|---|---|---|---|---|---|'
      return [`**${load}**`, '', head, ...rows, '', last].join('\n')
    })
    .join('\n\n')
}
