import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAdvice, checkCost } from '../../cli/preflight/checks.ts'
import { databaseReport, redisMonth } from '../../cli/preflight/databases.ts'
import { drawCost } from '../../cli/preflight/draw-cost.ts'
import { callsPerChange, changesOfSale } from '../../cli/preflight/edge-store.ts'
import { eventCost } from '../../cli/preflight/events.ts'
import { mailAdvice, mailCost, mailsOf } from '../../cli/preflight/mails.ts'
import { databasesInAll, type Plan, pollsOf, signInsWithin, usualHabits } from '../../cli/preflight/plan.ts'
import {
  countingPerMillionClicks,
  freeOf,
  type RedisPlan,
  saleCost,
  totalOf,
  withoutFirewall,
} from '../../cli/preflight/sale-cost.ts'
import {
  cognitoMonth,
  signInAdvice,
  signInCost,
  signInCurve,
  signInRates,
  signInWays,
  tenfoldSignIns,
  waitingAtStart,
} from '../../cli/preflight/sign-ins.ts'
import { proposeSpread } from '../../cli/preflight/spread.ts'
import { alarmedMetricsOf, fixtures, provisionedCostPerHour, standingCost } from '../../cli/preflight/standing-cost.ts'
import { gateClicksOf, gateShareOfLosing, type Volumes, volumesOf } from '../../cli/preflight/volumes.ts'
import type { ChallengeKind } from '../../core/gate/challenge.ts'
import { saleKinds } from '../../core/sale/settings.ts'
import { countedBy } from '../../infra/constructs/own-metrics.ts'
import { secretFields, secretsOfStage } from '../../infra/constructs/secrets.ts'
import { cognitoLite, priceBooks, priceRegionOf, redisPrices } from '../../infra/prices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import { small } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { grown, type StageKind, stages } from '../infra/stages.ts'
import { describeStage, type Resource } from '../infra/support.ts'

const { us, eu } = priceBooks
// Here, because no limit of a test holds for its synthesis.
const [firewall] = Object.values(describeStage().resources('edge', 'AWS::WAFv2::WebACL'))

const dollarsOf = (lines: ReturnType<typeof saleCost>, item: string) =>
  lines.find((line) => line.item.startsWith(item))?.dollars ?? Number.NaN

/** With one database, in Europe unless another book is given. */
const standing = (settings: StageSettings, redisPlan: RedisPlan, prices = eu) =>
  standingCost(settings, { redisPlan, redis: redisMonth(redisPlan, 1, 10_000), prices })
/** What AWS bills of it. */
const atAws = (settings: StageSettings) => standingCost(settings, { redisPlan: 'fixed', redis: [], prices: eu })

describe('the entries of a draw', () => {
  it('cost at most $15 a million, also in Europe, and nothing where none are drawn', () => {
    const [line] = drawCost(1_000_000, usualHabits, prod, eu)
    expect(line?.dollars).toBeGreaterThan(10)
    expect(line?.dollars).toBeLessThanOrEqual(15)
    expect(drawCost(0, usualHabits, prod, eu)).toEqual([])
  })
})

describe('the cost of a sale', () => {
  /**
   * The worked example: a million shoppers, a thousand units, 12 objects, 20 polls and 3 requests
   * each, 256 MB, 30 ms.
   */
  const example: Volumes = {
    requests: 35_000_000,
    gigabytes: 107,
    viewerFunctionRuns: 3_000_000,
    edgeStoreReads: 3_000_000,
    edgeStoreCalls: 150,
    gateRuns: 3_000_000,
    gateGbSeconds: 3_000_000 * 0.03 * 0.25,
    functionRuns: 1_000_000,
    functionGbSeconds: 1_000_000 * 0.03 * 0.25,
    openGbSeconds: 3600,
    redisCommands: 64_000,
    queueCalls: 6000,
    tableWrites: 7000,
    tableReads: 5000,
    metrics: 146,
    logGigabytes: 1.5,
    isInspected: true,
  }

  it.each([
    ['CloudFront requests', 35, 42, 10],
    ['CloudFront data', 9.095, 9.095, 9.095],
    ['CloudFront Functions', 0.3, 0.3, 0.2],
    ['CloudFront KeyValueStore', 0.09 + 0.15, 0.09 + 0.15, 0.06],
    ['Lambda@Edge', 2.93, 2.93, 0],
    ['Lambda', 0.3, 0.3, 0.3],
    ['Lambda, reconcile', 0.05, 0.05, 0.05],
    ['Redis commands', 0.13, 0.13, 0],
    ['SQS', 0.0024, 0.0024, 0.0024],
    ['Custom metrics', 0.06, 0.06, 0],
    ['Logs', 0.75, 0.855, 0.75],
  ])(
    'is for %s of the worked example $%f in the US and $%f in Europe, of which $%f may be free',
    (item, ...dollars) => {
      const lineIn = (prices: typeof us) =>
        saleCost(example, 'payg', prices).find(
          (line) => line.item.startsWith(item) && (item !== 'Lambda' || line.item === item),
        )
      const [inUs, inEurope] = [lineIn(us), lineIn(eu)]
      const found = [inUs?.dollars, inEurope?.dollars, inUs?.freeDollars ?? 0]
      expect(found.map((one) => one?.toFixed(2))).toEqual(dollars.map((one) => one.toFixed(2)))
    },
  )

  it('is about $64 in total with the rules of the firewall, in the US and with an unused free tier', () => {
    const lines = saleCost(example, 'payg', us)
    const rules = us.firewall.aclMonth + fixtures.firewallRules * us.firewall.ruleMonth
    expect(dollarsOf(lines, 'Firewall') + rules).toBeCloseTo(34)
    expect(dollarsOf(lines, 'SQS') + dollarsOf(lines, 'DynamoDB')).toBeLessThan(0.01)
    // The example counts log and functions in full.
    const free = freeOf(lines.filter(({ item }) => item.startsWith('CloudFront')))
    expect(Math.abs(totalOf(lines) - free + rules - 64)).toBeLessThan(1)
  })

  it('has no commands to pay in a fixed plan, and no firewall where there is none', () => {
    expect(dollarsOf(saleCost(example, 'fixed', us), 'Redis')).toBe(0)
    expect(dollarsOf(saleCost({ ...example, isInspected: false }, 'payg', us), 'Firewall')).toBeNaN()
  })

  it('counts the requests of pages and people', () => {
    const often = { pageLoads: 3, clicks: 3, passShare: 1 }
    const sold = { kind: 'goods', shoppers: 1000, stock: 100, openingSeconds: 10 } as const
    const plan: Plan = { ...usualHabits, ...often, ...sold }
    const volumes = volumesOf(plan, dev)
    // Two reads until the order is written, the payment, and two reads after it.
    const looks = 100 * 5
    // Without spread the first click of each shopper starts the gate, and its pass.
    expect(volumes.gateRuns).toBe(1000 + 1000 + looks)
    expect(volumes.requests).toBe(1000 * (6 + 2 * 2 + pollsOf(plan) + 3) + 1000 + looks + 100 * 4)
    // The page and the countdown, the page of each later load, the clicks, and the keys of passes.
    expect(volumes.edgeStoreReads).toBe(1000 * (2 + 2 + 3 + 1))
    expect(volumesOf({ ...plan, isFlippedLate: true }, dev).edgeStoreReads).toBe(1000 * 9)
    expect(volumes.edgeStoreCalls).toBe(changesOfSale * callsPerChange)
    expect(volumesOf({ ...plan, sales: 3 }, dev).edgeStoreCalls).toBe(3 * changesOfSale * callsPerChange)
    expect(volumes.viewerFunctionRuns).toBe(volumes.requests)
    expect(volumes.functionRuns).toBe(120 + looks)
    expect(volumes.tableWrites).toBe(1000)
  })
})

describe('the bill of any sale', () => {
  const atMost = (max: number) => fc.integer({ min: 1, max })
  const anyForecast = fc.record({
    kind: fc.constantFrom(...saleKinds),
    shoppers: atMost(5_000_000),
    stock: atMost(100_000),
    openingSeconds: atMost(60),
    isFlippedLate: fc.boolean(),
    spreadSeconds: fc.integer({ min: 0, max: 300 }),
    passShare: fc.double({ min: 0, max: 1, noNaN: true }),
    elementShare: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const costOf = (plan: Plan, settings: StageSettings) => totalOf(saleCost(volumesOf(plan, settings), 'payg', eu))

  it.each([
    ['shoppers', 1_000_000],
    ['stock', 1_000_000],
    ['waitMinutes', 60],
  ] as const)('never falls when %s rises', (what, most) => {
    fc.assert(
      fc.property(anyForecast, fc.constantFrom(dev, prod), atMost(most), (change, settings, by) => {
        const plan: Plan = { ...usualHabits, ...change }
        const more = { ...plan, [what]: plan[what] + by }
        expect(costOf(more, settings)).toBeGreaterThanOrEqual(costOf(plan, settings))
      }),
      { numRuns: 200 },
    )
  })
})

describe('the bill of the forecast of prod', () => {
  const billed = (change: Partial<Plan> = {}, prices = eu) => {
    const plan: Plan = { ...usualHabits, kind: 'goods', ...prod.forecast, ...change }
    const { seconds } = proposeSpread(plan, prod, prod.quotas)
    const spread = { ...plan, spreadSeconds: change.spreadSeconds ?? seconds }
    const lines = saleCost(volumesOf(spread, prod), 'fixed-prod-pack', prices)
    return { plan: spread, lines: [...lines, provisionedCostPerHour(prod, ['reserve'], prices)] }
  }
  const cloudFront = ['CloudFront requests', 'CloudFront data', 'CloudFront Functions']
  const dollars = (amount: number) => `$${amount.toFixed(2)}`
  const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

  it('is at most $10 for a million shoppers after the free tier of a month, in both books and with the firewall', () => {
    for (const prices of [eu, us]) {
      const { lines } = billed({}, prices)
      expect(totalOf(lines) - freeOf(lines)).toBeLessThanOrEqual(10)
      expect(lines.length - withoutFirewall(lines).length).toBe(1)
    }
  })

  it('has Lambda@Edge for the share of the clicks that starts it, the passes and the orders alone', () => {
    const [spread, atOnce] = [billed().plan, billed({ spreadSeconds: 0 }).plan]
    expect(gateClicksOf(spread)).toBe(1200 + Math.ceil((1_000_000 - 1200) * gateShareOfLosing))
    expect(gateClicksOf(atOnce)).toBe(1_000_000)
    expect(volumesOf(spread, prod).gateRuns).toBe(gateClicksOf(spread) + 50_000 + 5000)
    expect(volumesOf({ ...spread, passShare: 0 }, prod).gateRuns).toBe(gateClicksOf(spread) + 5000)
  })

  it('is larger by two preflights of each shopper and one of each winner on pages of other sites, as its guide states', () => {
    const [here, elsewhere] = [billed(), billed({ elementShare: 1 })]
    const [plan, more] = [here.plan, elsewhere.plan].map((one) => volumesOf(one, prod))
    expect((more?.requests ?? 0) - (plan?.requests ?? 0)).toBe(2_000_000 + 1000)
    expect(more?.gateRuns).toBe(plan?.gateRuns)
    const each = eu.cdn.request + eu.cdn.viewerFunctionRun + eu.firewall.request
    const inAll = totalOf(elsewhere.lines) - totalOf(here.lines)
    const guide = textOf('docs/how-to/embed.md')
    expect(guide).toContain(`A million preflights cost ${dollars(each * 1e6)}`)
    expect(guide).toContain(`cost ${dollars(inAll)} more`)
  })

  it('is the one that README and the guides state', () => {
    const { lines, plan } = billed()
    const [all, rest] = [totalOf(lines), totalOf(withoutFirewall(lines))]
    const late = totalOf(billed({ isFlippedLate: true }).lines)
    const month = dollars(totalOf(standing(prod, 'fixed-prod-pack')))
    const lessFree = dollars(all - freeOf(lines))
    const allPasses = dollars(totalOf(billed({ passShare: 1 }).lines))
    const [twice = [], thrice = []] = [2, 3].map((times) => billed({ pageLoads: times, clicks: times }).lines)
    const visits = [twice, thrice].flatMap((some) => [totalOf(some), totalOf(some) - freeOf(some)]).map(dollars)
    const [quarter, hour] = [15, 60].map((waitMinutes) => dollars(totalOf(billed({ waitMinutes }).lines)))
    const waits = [quarter ?? '', hour ?? '']
    const itemOf = (item: string) => dollars(dollarsOf(lines, item))
    const stated: Record<string, readonly string[]> = {
      'README.md': [lessFree],
      'docs/reference/benchmarks.md': [dollars(all), lessFree, `${plan.spreadSeconds} s`],
      'README.zh-CN.md': [lessFree],
      'docs/guide/architecture.md': [dollars(all), lessFree, ...waits, itemOf('Firewall')],
      'docs/how-to/deploy.md': [
        dollars(all),
        dollars(rest),
        allPasses,
        ...visits,
        dollars(late),
        ...waits,
        month,
        dollars(totalOf(standing(prod, 'fixed'))),
        lessFree,
        dollars(freeOf(lines)),
        itemOf('Firewall'),
      ],
      'docs/how-to/operations.md': [dollars(all), dollars(late), ...waits],
    }
    for (const [file, figures] of Object.entries(stated)) {
      for (const figure of figures) expect(textOf(file), `${figure} in ${file}`).toContain(figure)
    }
  })

  it('stands row by row in the guide, for every stage', () => {
    const guide = textOf('docs/how-to/deploy.md')
    const months = [standing(dev, 'payg'), standing(small, 'payg'), standing(prod, 'fixed-prod-pack')]
    const row = (name: string, of: (lines: ReturnType<typeof saleCost>) => number) =>
      `| ${name} | ${months.map((lines) => dollars(of(lines))).join(' | ')} |`
    const itemRow = (name: string, item: string) => row(name, (lines) => dollarsOf(lines, item))
    const rows = [
      row('a month without a sale', totalOf),
      row('less the free tier, where nothing else uses it', (lines) => totalOf(lines) - freeOf(lines)),
      itemRow('of that: `reconcile`, whose runs end at once without a running sale', 'Lambda, reconcile'),
      itemRow('alarms and dashboards', 'Alarms and dashboards'),
      itemRow('keys of passes in the key-value store', 'CloudFront KeyValueStore'),
      itemRow('custom metrics without a sale, and those of CloudFront', 'Custom metrics'),
      itemRow('canary', 'Canary'),
      itemRow('logs of both', 'Logs of both'),
      itemRow('empty reads of the queues', 'SQS, empty reads'),
    ]
    for (const text of rows) expect(guide).toContain(text)
    const { lines } = billed()
    const sum = (...items: string[]) => dollars(totalOf(lines.filter(({ item }) => items.includes(item))))
    const billedRows = [
      ['CloudFront: requests, data, functions', sum(...cloudFront)],
      ['its key-value store', sum('CloudFront KeyValueStore')],
      ['Lambda@Edge, functions and logs', sum('Lambda@Edge', 'Lambda', 'Lambda, reconcile', 'Logs of the gate')],
    ]
    for (const [name, amount] of billedRows) {
      expect(guide).toMatch(new RegExp(`\\| ${name} \\| \\$[0-9.]+ \\| \\$[0-9.]+ \\| \\${amount} \\|`))
    }
    expect(guide).toContain(`up to ${Object.values(countedBy).flat().length} of them`)
  })

  it('fits twice into the monthly budget with the stage, when each starts at the last moment', () => {
    const late = totalOf(billed({ isFlippedLate: true }).lines)
    const twice = totalOf(atAws(prod)) + 2 * late
    expect(prod.monthlyBudgetDollars).toBeGreaterThan(twice)
    expect(prod.monthlyBudgetDollars).toBeLessThan(2 * twice)
  })
})

describe('the cost of a stage', () => {
  it('is $0.60 an hour for 50 provisioned environments of a gigabyte', () => {
    const { dollars, quantity } = provisionedCostPerHour(prod, ['reserve'], us)
    expect(dollars).toBeCloseTo(50 * 3600 * 0.0000033334)
    expect(quantity).toBe('50 for an hour')
  })

  it('has them for the whole month only where they are always on: $876 for those of both kinds', () => {
    const both = prodSelling(['goods', 'red-packet'])
    const month = (keepProvisioned: boolean) => atAws({ ...both, keepProvisioned })
    expect(dollarsOf(month(true), 'Lambda, environments provisioned')).toBeCloseTo(1.2 * 730, 0)
    expect(dollarsOf(month(false), 'Lambda, environments provisioned')).toBeNaN()
    expect([dev, small, prod].map(({ keepProvisioned }) => keepProvisioned)).toEqual([false, false, false])
  })

  it('is $1.10 a month for a reconcile that finds no running sale, not $58', () => {
    const reconcileOf = (settings: typeof prod) => dollarsOf(atAws(settings), 'Lambda, reconcile')
    expect(reconcileOf(dev)).toBeCloseTo(730 * 60 * (0.0000133334 + 0.0000002 + 13 * 0.0000001415))
    expect(reconcileOf(prod)).toBeCloseTo(1.1, 2)
  })

  it('is at most $35 a month for a small shop with its firewall, in both books, before any free tier', () => {
    for (const prices of [eu, us]) expect(totalOf(standing(small, 'payg', prices))).toBeLessThanOrEqual(35)
    const { firewall: _, ...open } = small
    expect(totalOf(standing(small, 'payg')) - totalOf(standing(open, 'payg'))).toBeCloseTo(13.18, 2)
    expect(small.functions).not.toHaveProperty('reserve.provisioned')
    // Commands are billed without a plan alone.
    expect(dollarsOf(standing(small, 'payg'), 'Upstash')).toBeCloseTo(43_800 * 6 * redisPrices.command)
    expect(dollarsOf(standing(small, 'fixed'), 'Upstash')).toBe(redisPrices.fixedMonth)
  })

  it('includes the firewall and the plan of Upstash where there are any', () => {
    const itemsOf = (settings: StageSettings, redisPlan: RedisPlan) =>
      standing(settings, redisPlan).map(({ item }) => item)
    expect(itemsOf(prod, 'fixed-prod-pack')).toEqual(
      expect.arrayContaining(['Firewall', 'Upstash, fixed plan', 'Upstash, Prod Pack']),
    )
    expect(itemsOf(dev, 'payg').join()).not.toMatch(/Firewall|Upstash, (?!commands)/)
  })

  it('counts the secrets that the stacks name, and the rules of the firewall', () => {
    // The keys of shops are a secret of stages that redeem coupons or have a checkout, which has keys of its own.
    const all = secretsOfStage({ ...prod, redeem: {}, checkout: true })
    expect(all.map(({ id }) => id.replace('sluice/prod/', '')).toSorted()).toEqual(Object.keys(secretFields).toSorted())
    expect(secretsOfStage(prod)).toHaveLength(5)
    const secretsOf = (settings: StageSettings) => dollarsOf(atAws(settings), 'Secrets and keys')
    expect(secretsOf({ ...prod, redeem: {} }) - secretsOf(prod)).toBeCloseTo(0.4)
    expect(secretsOf({ ...prod, redeem: {}, checkout: true }) - secretsOf(prod)).toBeCloseTo(0.8)
    expect(firewall?.Properties.Rules).toHaveLength(fixtures.firewallRules)
  })
})

describe('the cost of several databases', () => {
  const monthOf = (redisPlan: RedisPlan, databases: number, commandsPerSecond = 10_000) =>
    redisMonth(redisPlan, databases, commandsPerSecond).map(({ quantity, dollars }) => [quantity, dollars])

  it('is a plan and a Prod Pack for each of them', () => {
    expect(monthOf('fixed-prod-pack', 1)).toEqual([
      ['250 MB', 10],
      ['1', 200],
    ])
    expect(monthOf('fixed-prod-pack', 3)).toEqual([
      ['3 × 250 MB', 30],
      ['3', 600],
    ])
    expect(monthOf('fixed', 3)).toEqual([['3 × 250 MB', 30]])
  })

  it('is nothing for ten of them without a plan, and $0.50 for each further one', () => {
    expect([monthOf('payg', 10), monthOf('payg', 13)]).toEqual([[], [['3', 1.5]]])
  })

  it('is that of the plan of 100 GB for more than 10,000 commands a second', () => {
    expect(monthOf('fixed', 2, 16_000)).toEqual([['2 × 100 GB', 1600]])
    expect(monthOf('fixed', 1, 16_001)).toEqual([['contract above 100 GB', 800]])
  })

  it('includes the database of the gate, which is apart from several of the stocks', () => {
    expect([1, 2, 12].map((databases) => databasesInAll({ databases }))).toEqual([1, 3, 13])
  })
})

describe('the databases for a rate of orders', () => {
  const plan: Plan = { ...usualHabits, kind: 'goods', shoppers: 1000, stock: 120_000, openingSeconds: 10 }
  const needs = (change: Partial<Plan> = {}, commandsPerSecond = 10_000, redisPlan: RedisPlan = 'fixed') =>
    databaseReport({ ...plan, ...change }, commandsPerSecond, redisPlan).needs

  it('are 48 for 100,000 orders a second (G8), each with its own call and a fifth refused', () => {
    expect(needs().map(({ perSecond, commands, databases }) => [perSecond, commands, databases])).toEqual([
      [2000, 4.8, 1],
      [100_000, 4.8, 48],
    ])
    expect(needs({}, 16_000).map(({ databases }) => databases)).toEqual([1, 30])
  })

  it('are counted by the six commands of a claim', () => {
    expect(needs({ kind: 'red-packet' }).map(({ commands, databases }) => [commands, databases])).toEqual([
      [6.8, 2],
      [6.8, 68],
    ])
  })

  it('cost 1/730 of a month in an hour, and without a plan their commands', () => {
    const of = (redisPlan: RedisPlan) => needs({}, 10_000, redisPlan).find(({ databases }) => databases === 48)
    expect(of('fixed-prod-pack')).toMatchObject({
      dollarsPerMonth: 48 * 210,
      dollarsPerHour: (48 * 210) / 730,
    })
    expect(of('payg')?.dollarsPerMonth).toBe(38 * 0.5)
    expect(of('payg')?.dollarsPerHour).toBeCloseTo(100_000 * 4.8 * 3600 * 0.000002 + 19 / 730)
  })

  it('do not help one sale, which is in one of them: 2,083 orders a second', () => {
    expect(databaseReport(plan, 10_000, 'fixed').mostOfOne).toBe(2083)
  })
})

describe('the parts of every stage', () => {
  const stacks = ['data', 'app', 'edge'] as const
  const describedOf = (kind: StageKind) => {
    const { resources } = describeStage(kind)
    return (type: string) => stacks.flatMap((stack) => Object.values(resources(stack, type)))
  }
  const isOfQueue = ({ Properties }: Resource) => JSON.stringify(Properties.EventSourceArn).includes('Queue')
  /** An alarm on a formula reads each of its metrics. */
  const metricsOf = ({ Properties: { Metrics } }: Resource): number =>
    Array.isArray(Metrics) ? Metrics.filter((one) => one.MetricStat !== undefined).length : 1

  it.each(['dev', 'small', 'grown', 'prod', 'full'] as const)(
    'are counted in the cost of %s as in its templates',
    (kind) => {
      const all = describedOf(kind)
      const settings: StageSettings = kind === 'grown' ? grown : stages[kind]
      const alarmed = all('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0)
      expect({
        alarmed,
        composite: all('AWS::CloudWatch::CompositeAlarm').length,
        dashboards: all('AWS::CloudWatch::Dashboard').length,
        // Eight metrics of the distribution.
        monitored: 8 * all('AWS::CloudFront::MonitoringSubscription').length,
        queues: all('AWS::Lambda::EventSourceMapping').filter(isOfQueue).length,
        keys: all('AWS::KMS::Key').length,
        // Secrets are created by hand, before there are stacks.
        secrets: all('AWS::SecretsManager::Secret').length,
      }).toEqual({
        alarmed: alarmedMetricsOf(settings),
        composite: 0,
        dashboards: fixtures.dashboards[settings.size],
        monitored: fixtures.distributionMetrics[settings.size],
        queues: 3 + Number(settings.sendsEvents === true),
        keys: fixtures.keys,
        secrets: 0,
      })
    },
  )
})

describe('the security checks of a sale (R5, N4)', () => {
  const million: Plan = {
    ...usualHabits,
    kind: 'goods',
    shoppers: 1_000_000,
    stock: 1000,
    openingSeconds: 10,
  }
  const dollarsFor = (plan: Plan, challenge: ChallengeKind, settings: StageSettings) =>
    totalOf(checkCost(plan, challenge, settings, eu))

  it('cost nothing for a sale without, a request for a proof of work, and two with a wait for Turnstile', () => {
    expect(checkCost(million, 'off', prod, eu)).toEqual([])
    const { firewall: _, ...open } = prod
    const run = eu.gate.gbSecond * (prod.edge.memoryMb / 1024)
    const request = eu.cdn.request + eu.cdn.viewerFunctionRun + eu.gate.run + 0.03 * run
    expect(dollarsFor(million, 'pow', open)).toBeCloseTo(1e6 * request)
    expect(dollarsFor(million, 'turnstile', open)).toBeCloseTo(1e6 * (2 * request + 0.2 * run))
  })

  it('are those that the guide states for a million shoppers', () => {
    const guide = readFileSync(new URL('../../docs/how-to/deploy.md', import.meta.url), 'utf8')
    for (const kind of ['pow', 'turnstile'] as const) {
      expect(guide).toContain(`$${dollarsFor(million, kind, prod).toFixed(2)}`)
    }
  })

  it('are announced with the environments that they need, and the keys, for Turnstile alone', () => {
    expect(checkAdvice(million, 'pow', prod.quotas)).toBeUndefined()
    expect(checkAdvice(million, 'turnstile', prod.quotas)).toMatch(
      /keys of Turnstile.* in 100 s .* 10,000 times a second.* 2,600 of /,
    )
  })
})

describe('the e-mails of a sale', () => {
  const mail = { from: 'orders@shop.example' }
  const sold = (kind: Plan['kind']) => ({ kind, stock: 1000 })

  it('are three for each unit of goods, one for other things, and none without the setting', () => {
    const on = { ...prod, mail }
    expect((['goods', 'coupon', 'red-packet'] as const).map((kind) => mailsOf(sold(kind), on))).toEqual([
      3000, 1000, 1000,
    ])
    expect(mailCost(sold('goods'), prod, eu)).toEqual([])
    expect(mailAdvice(sold('goods'), prod)).toBeUndefined()
  })

  it('cost ten cents for a thousand, and little beside that', () => {
    const [line] = mailCost(sold('goods'), { ...prod, mail }, eu)
    expect(line?.dollars).toBeGreaterThan(0.3)
    expect(line?.dollars).toBeLessThan(0.31)
  })

  it('come with the advice to leave the sandbox of SES', () => {
    expect(mailAdvice(sold('goods'), { ...prod, mail })).toMatch(/about 3,000 e-mails\. .*sandbox.*200 a day/)
  })
})

describe('the events of a sale', () => {
  const cost = (kind: Plan['kind'], change: Partial<StageSettings>) =>
    eventCost({ kind, stock: 1_000_000 }, { ...prod, ...change }, us)

  it('cost their writes for each endpoint, a dollar more for a million on the bus, and nothing without the setting', () => {
    expect(cost('goods', {})).toEqual([])
    const [endpoint, none] = cost('coupon', { sendsEvents: true })
    expect(none).toBeUndefined()
    expect(endpoint?.quantity).toBe('1.0 m')
    expect(endpoint?.dollars).toBeGreaterThan(7 * 0.625)
    const [, bus] = cost('coupon', { sendsEvents: true, eventBus: true })
    expect((bus?.dollars ?? 0) - (endpoint?.dollars ?? 0)).toBeCloseTo(1)
    expect(cost('goods', { sendsEvents: true })[0]?.quantity).toBe('3.0 m')
  })
})

describe('the price books', () => {
  it.each(['us', 'eu'] as const)('of %s have list prices, none of them free or absurd', (region) => {
    const all = [...Object.values(priceBooks[region]), redisPrices].flatMap((group) => Object.values(group))
    expect(all.length).toBeGreaterThan(20)
    expect(all.every((price) => price > 0 && price <= 800)).toBe(true)
  })

  it('are never cheaper in Europe, and chosen by the region of the stage', () => {
    const flat = (prices: typeof us) => Object.values(prices).flatMap((group) => Object.values(group))
    const inUs = flat(us)
    expect(flat(eu).map((price, at) => price >= (inUs[at] ?? Number.NaN))).toEqual(inUs.map(() => true))
    expect(['eu-west-1', 'eu-central-1', 'us-west-2', 'ap-southeast-1'].map(priceRegionOf)).toEqual([
      ...['eu', 'eu', 'us', 'us'],
    ])
  })

  it('bill the shoppers of Cognito by tiers, 10,000 of them free, and each sign-in at the shop', () => {
    const falling = cognitoLite.map(({ each }) => each).slice(1)
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect([9_999, 10_000, 110_000, 1_000_000].map((users) => Math.round(cognitoMonth(users)))).toEqual([
      0, 0, 541, 4635,
    ])
    const million = { shoppers: 1_000_000, edgeRunSeconds: 0.03 }
    const advice = signInAdvice(million, prod, eu)
    expect(advice).toContain('$4,635')
    expect(advice).toContain(`their requests cost $${Math.round(signInCost(million, prod, eu) * 100) / 100}`)
    // Two requests: CloudFront, its function, the firewall, the gate for 30 ms, and the function for 300 ms.
    const request = 1.2 + 0.1 + 0.6 + (0.6 + 0.03 * 50.01) + (0.2 + 0.15 * 13.3334)
    expect(signInCost(million, prod, eu)).toBeCloseTo(2 * request, 2)
    const client = { issuer: 'https://id.example', clientId: 'shop', scope: 'openid' }
    const issuer = { kind: 'issuer', ...client, claims: { shopperId: 'sub' } } as const
    expect(signInAdvice(million, { ...prod, signIn: issuer }, eu)).toContain('your issuer has its own price')
  })

  it('say of each way to sign in what it takes, what to raise for the crowd, and what it costs', () => {
    const plan: Plan = { ...usualHabits, kind: 'goods', ...prod.forecast }
    expect(signInRates(plan)).toEqual([70, 346])
    const [token, issuer, cognito] = signInWays(plan, prod, prod.quotas, eu)
    expect(token).toMatchObject({ carries: 10_000, asks: ['', ''] })
    expect(token?.dollars).toBeCloseTo(1.2 + 0.1 + 0.6 + 0.6 + 0.03 * 50.01, 2)
    expect(issuer).toMatchObject({ carries: 83, asks: ['', 'sign-in 208'] })
    expect(cognito).toMatchObject({ carries: 83, asks: ['', 'sign-in 208, Cognito 346/s'] })
    expect((cognito?.dollars ?? 0) - (issuer?.dollars ?? 0)).toBeCloseTo(4635)
    const tenfold = { ...prod, functions: { ...prod.functions, 'sign-in': { memoryMb: 512, reserved: 498 } } }
    expect(signInWays(plan, tenfold, prod.quotas, eu)[1]).toMatchObject({ carries: 830, asks: ['', ''] })
    expect(tenfoldSignIns(83)).toEqual({ perSecond: 830, environments: 498 })
  })

  it('say how many are not signed in at the start, when more come than a way takes', () => {
    const plan: Plan = { ...usualHabits, kind: 'goods', ...prod.forecast }
    const [token, issuer] = signInWays(plan, prod, prod.quotas, eu)
    expect(token?.waiting).toEqual([0, 0])
    // The time between a sign-in and the start has a mean of 48 minutes. More than 83 a second come in the last 69.
    const [total, least] = [1 - Math.exp(-5), (83 * 60 * 48 * (1 - Math.exp(-5))) / 1_000_000]
    const minutes = -48 * Math.log(least)
    const expected = (1_000_000 * (1 - least)) / total - 83 * 60 * minutes
    expect(issuer?.waiting[0]).toBe(0)
    expect(Math.abs((issuer?.waiting[1] ?? 0) - expected)).toBeLessThan(100)
    const late = { ...plan, signInArrival: 'reaction' } as const
    expect(waitingAtStart(late, 346)).toBe(0)
    expect(waitingAtStart({ ...plan, signInMinutes: 1 }, 83)).toBe(1_000_000 - 60 * 83)
  })

  it('come along a curve whose minutes add up to the crowd, and of which the last is the busiest', () => {
    const plan: Plan = { ...usualHabits, kind: 'goods', ...prod.forecast }
    expect(signInCurve(plan).map(({ minutesBefore }) => minutesBefore)).toEqual([240, 120, 60, 30, 10, 1])
    expect(signInCurve(plan).at(-1)).toEqual({ minutesBefore: 1, even: 70, late: 346 })
    expect(signInCurve({ ...plan, signInMinutes: 30 }).map(({ minutesBefore }) => minutesBefore)).toEqual([30, 10, 1])
    for (const signInArrival of ['even', 'reaction'] as const) {
      const minutes = Array.from({ length: 240 }, (_, at) => at + 1)
      const within = (minute: number) => signInsWithin(minute, { ...plan, signInArrival })
      const all = minutes.reduce((sum, minute) => sum + within(minute) - within(minute - 1), 0)
      expect(all).toBeCloseTo(1_000_000)
    }
  })
})

describe('counting the demand of a sale for the console', () => {
  it.each(saleKinds)('costs at most ten cents for a million clicks with the proposed spread: %s', (kind) => {
    const plan: Plan = { ...usualHabits, kind, ...prod.forecast }
    const spreadSeconds = proposeSpread(plan, prod, prod.quotas).seconds
    const cost = countingPerMillionClicks({ ...plan, spreadSeconds })
    expect(cost).toBeGreaterThan(0)
    expect(cost).toBeLessThanOrEqual(0.1)
  })
})
