import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAdvice, checkCost } from '../../cli/preflight/checks.ts'
import { databaseReport, redisMonth } from '../../cli/preflight/databases.ts'
import { callsPerChange, changesOfSale } from '../../cli/preflight/edge-store.ts'
import { eventCost } from '../../cli/preflight/events.ts'
import { mailAdvice, mailCost, mailsOf } from '../../cli/preflight/mails.ts'
import { databasesInAll, type Plan, pollsOf, usualHabits } from '../../cli/preflight/plan.ts'
import { type RedisPlan, saleCost, totalOf, withoutFirewall } from '../../cli/preflight/sale-cost.ts'
import { cognitoMonth, signInAdvice } from '../../cli/preflight/sign-ins.ts'
import { proposeSpread } from '../../cli/preflight/spread.ts'
import {
  alarmedMetricsOf,
  fixtures,
  provisionedCostPerHour,
  standingCost,
} from '../../cli/preflight/standing-cost.ts'
import { gateClicksOf, gateShareOfLosing, type Volumes, volumesOf } from '../../cli/preflight/volumes.ts'
import { saleKinds } from '../../core/sale/settings.ts'
import { countedBy } from '../../infra/constructs/own-metrics.ts'
import { secretFields } from '../../infra/constructs/secrets.ts'
import { prices } from '../../infra/prices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { type StageKind, stages } from '../infra/stages.ts'
import { describeStage, type Resource } from '../infra/support.ts'

const dollarsOf = (lines: ReturnType<typeof saleCost>, item: string) =>
  lines.find((line) => line.item.startsWith(item))?.dollars ?? Number.NaN

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
    redisCommands: 64_000,
    queueCalls: 6000,
    tableWrites: 7000,
    logGigabytes: 1.5,
    isInspected: true,
  }

  it.each([
    ['CloudFront requests', 25],
    ['CloudFront data', 0],
    ['CloudFront Functions', 0.1],
    ['CloudFront KeyValueStore', 0.03 + 0.15],
    ['Lambda@Edge', 2.93],
    ['Lambda', 0.3],
    ['Redis commands', 0.13],
    ['Logs', 0.75],
  ])('is for %s of the worked example $%f', (item, dollars) => {
    const line = item === 'Lambda' ? saleCost(example, 'payg').filter((one) => one.item === item) : undefined
    expect(dollarsOf(line ?? saleCost(example, 'payg'), item)).toBeCloseTo(dollars, 2)
  })

  it('is about $64 in total with the rules of the firewall', () => {
    const lines = saleCost(example, 'payg')
    const rules = prices.firewall.aclMonth + fixtures.firewallRules * prices.firewall.ruleMonth
    expect(dollarsOf(lines, 'Firewall') + rules).toBeCloseTo(34)
    expect(dollarsOf(lines, 'SQS') + dollarsOf(lines, 'DynamoDB')).toBeLessThan(0.01)
    expect(Math.abs(totalOf(lines) + rules - 64)).toBeLessThan(1)
  })

  it('has no commands to pay in a fixed plan, and no firewall where there is none', () => {
    expect(dollarsOf(saleCost(example, 'fixed'), 'Redis')).toBe(0)
    expect(dollarsOf(saleCost({ ...example, isInspected: false }, 'payg'), 'Firewall')).toBeNaN()
  })

  it('counts the requests of pages and people', () => {
    const plan: Plan = { ...usualHabits, kind: 'goods', shoppers: 1000, stock: 100, openingSeconds: 10 }
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
    expect(volumes.tableWrites).toBe(700)
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
  })
  const costOf = (plan: Plan, settings: StageSettings) => totalOf(saleCost(volumesOf(plan, settings), 'payg'))

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
  const billed = (change: Partial<Plan> = {}) => {
    const plan: Plan = { ...usualHabits, kind: 'goods', ...prod.forecast, ...change }
    const { seconds } = proposeSpread(plan, prod, prod.quotas)
    const spread = { ...plan, spreadSeconds: change.spreadSeconds ?? seconds }
    const lines = saleCost(volumesOf(spread, prod), 'fixed-prod-pack')
    return { plan: spread, lines: [...lines, provisionedCostPerHour(prod, ['reserve'])] }
  }
  const cloudFront = ['CloudFront requests', 'CloudFront data', 'CloudFront Functions']
  const dollars = (amount: number) => `$${amount.toFixed(2)}`
  const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

  it('is at most $30 beside the firewall for a million shoppers, each of them with a request for a pass', () => {
    const { lines } = billed()
    expect(totalOf(withoutFirewall(lines))).toBeLessThan(30)
    expect(lines.length - withoutFirewall(lines).length).toBe(1)
  })

  it('has Lambda@Edge for the share of the clicks that starts it, the passes and the orders alone', () => {
    const [spread, atOnce] = [billed().plan, billed({ spreadSeconds: 0 }).plan]
    expect(gateClicksOf(spread)).toBe(1200 + Math.ceil((3_000_000 - 1200) * gateShareOfLosing))
    expect(gateClicksOf(atOnce)).toBe(1_000_000)
    expect(volumesOf(spread, prod).gateRuns).toBe(gateClicksOf(spread) + 1_000_000 + 5000)
    expect(volumesOf({ ...spread, passShare: 0 }, prod).gateRuns).toBe(gateClicksOf(spread) + 5000)
  })

  it('is the one that README and the guides state', () => {
    const { lines, plan } = billed()
    const [all, rest] = [totalOf(lines), totalOf(withoutFirewall(lines))]
    const late = totalOf(billed({ isFlippedLate: true }).lines)
    const standing = totalOf(standingCost(prod, redisMonth('fixed-prod-pack', 1, 10_000)))
    const withoutPasses = dollars(totalOf(billed({ passShare: 0 }).lines))
    const [quarter, hour] = [15, 60].map((waitMinutes) => dollars(totalOf(billed({ waitMinutes }).lines)))
    const waits = [quarter ?? '', hour ?? '']
    const itemOf = (item: string) => dollars(dollarsOf(lines, item))
    const stated: Record<string, readonly string[]> = {
      'README.md': [dollars(all), ...waits, itemOf('Firewall')],
      'docs/reference/benchmarks.md': [
        ...[dollars(all), dollars(rest), dollars(late), ...waits],
        `${plan.spreadSeconds} s`,
      ],
      'README.zh-CN.md': [dollars(all), ...waits, itemOf('Firewall')],
      'docs/guide/architecture.md': [dollars(all), ...waits, itemOf('Firewall')],
      'docs/how-to/deploy.md': [
        dollars(all),
        dollars(rest),
        withoutPasses,
        dollars(late),
        ...waits,
        dollars(standing),
        itemOf('Firewall'),
      ],
      'docs/how-to/operations.md': [dollars(all), dollars(late), ...waits],
    }
    for (const [file, figures] of Object.entries(stated)) {
      for (const figure of figures) expect(textOf(file), `${figure} in ${file}`).toContain(figure)
    }
  })

  it('stands row by row in the guide, for both stages', () => {
    const guide = textOf('docs/how-to/deploy.md')
    const [small, large] = [dev, prod].map((settings) => {
      const redisPlan = settings === dev ? 'payg' : 'fixed-prod-pack'
      return standingCost(settings, redisMonth(redisPlan, 1, 10_000))
    })
    const row = (name: string, item?: string) => {
      const [a, b] = [small, large].map((lines = []) =>
        dollars(item === undefined ? totalOf(lines) : dollarsOf(lines, item)),
      )
      return `| ${name} | ${a} | ${b} |`
    }
    const rows = [
      row('a month without a sale'),
      row('of that: `reconcile`, whose runs end at once without a running sale', 'Lambda, reconcile'),
      row('alarms and dashboards', 'Alarms and dashboards'),
      row('keys of passes in the key-value store', 'CloudFront KeyValueStore'),
      row('custom metrics without a sale', 'Custom metrics'),
      row('canary', 'Canary'),
    ]
    for (const text of rows) expect(guide).toContain(text)
    const { lines } = billed()
    const sum = (...items: string[]) => dollars(totalOf(lines.filter(({ item }) => items.includes(item))))
    const billedRows = [
      ['CloudFront: requests, data, functions', sum(...cloudFront)],
      ['its key-value store', sum('CloudFront KeyValueStore')],
      ['Lambda@Edge, functions and logs', sum('Lambda@Edge', 'Lambda', 'Logs of the gate')],
    ]
    for (const [name, amount] of billedRows) {
      expect(guide).toMatch(new RegExp(`\\| ${name} \\| \\$[0-9.]+ \\| \\${amount} \\|`))
    }
    expect(guide).toContain(`up to ${Object.values(countedBy).flat().length} of them`)
  })

  it('fits twice into the monthly budget with the stage, when each starts at the last moment', () => {
    const late = totalOf(billed({ isFlippedLate: true }).lines)
    const twice = totalOf(standingCost(prod, [])) + 2 * late
    expect(prod.monthlyBudgetDollars).toBeGreaterThan(twice)
    expect(prod.monthlyBudgetDollars).toBeLessThan(2 * twice)
  })
})

describe('the cost of a stage', () => {
  it('is $0.60 an hour for 50 provisioned environments of a gigabyte', () => {
    const { dollars, quantity } = provisionedCostPerHour(prod, ['reserve'])
    expect(dollars).toBeCloseTo(50 * 3600 * 0.0000033334)
    expect(quantity).toBe('50 for an hour')
  })

  it('has them for the whole month only where they are always on: $876 for those of both kinds', () => {
    const both = prodSelling(['goods', 'red-packet'])
    const standing = (keepProvisioned: boolean) => standingCost({ ...both, keepProvisioned }, [])
    expect(dollarsOf(standing(true), 'Lambda, environments provisioned')).toBeCloseTo(1.2 * 730, 0)
    expect(dollarsOf(standing(false), 'Lambda, environments provisioned')).toBeNaN()
    expect([dev.keepProvisioned, prod.keepProvisioned]).toEqual([false, false])
  })

  it('is $1.02 a month for a reconcile that finds no running sale, not $58', () => {
    const reconcileOf = (settings: typeof prod) => dollarsOf(standingCost(settings, []), 'Lambda, reconcile')
    expect(reconcileOf(dev)).toBeCloseTo(730 * 60 * 0.0000133334 + 730 * 60 * 0.0000002)
    expect(reconcileOf(prod)).toBeCloseTo(1.02, 2)
  })

  it('includes the firewall and the plan of Upstash where there are any', () => {
    const itemsOf = (settings: StageSettings, redisPlan: RedisPlan) =>
      standingCost(settings, redisMonth(redisPlan, 1, 10_000)).map(({ item }) => item)
    expect(itemsOf(prod, 'fixed-prod-pack')).toEqual(
      expect.arrayContaining(['Firewall', 'Upstash, fixed plan', 'Upstash, Prod Pack']),
    )
    expect(itemsOf(dev, 'payg').join()).not.toMatch(/Firewall|Upstash/)
  })

  it('counts the secrets that the stacks name, and the rules of the firewall', () => {
    // The keys of shops are a secret of stages that redeem coupons or have a checkout, which has keys of its own.
    expect(Object.keys(secretFields)).toHaveLength(fixtures.secrets + 2)
    const secretsOf = (settings: StageSettings) => dollarsOf(standingCost(settings, []), 'Secrets and keys')
    expect(secretsOf({ ...prod, redeem: {} }) - secretsOf(prod)).toBeCloseTo(0.4)
    expect(secretsOf({ ...prod, redeem: {}, checkout: true }) - secretsOf(prod)).toBeCloseTo(0.8)
    const [acl] = Object.values(describeStage().resources('edge', 'AWS::WAFv2::WebACL'))
    expect(acl?.Properties.Rules).toHaveLength(fixtures.firewallRules)
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
    const of = (redisPlan: RedisPlan) =>
      needs({}, 10_000, redisPlan).find(({ databases }) => databases === 48)
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
  /** An alarm on a formula reads each of its metrics. */
  const metricsOf = ({ Properties: { Metrics } }: Resource): number =>
    Array.isArray(Metrics) ? Metrics.filter((one) => one.MetricStat !== undefined).length : 1

  it.each(['dev', 'prod', 'full'] as const)('are counted in the cost of %s as in its templates', (kind) => {
    const all = describedOf(kind)
    const alarmed = all('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0)
    expect({
      alarmed,
      composite: all('AWS::CloudWatch::CompositeAlarm').length,
      dashboards: all('AWS::CloudWatch::Dashboard').length,
      keys: all('AWS::KMS::Key').length,
      // Secrets are created by hand, before there are stacks.
      secrets: all('AWS::SecretsManager::Secret').length,
    }).toEqual({
      alarmed: alarmedMetricsOf(stages[kind]),
      composite: 0,
      dashboards: fixtures.dashboards,
      keys: fixtures.keys,
      secrets: 0,
    })
  })
})

describe('the security checks of a sale (R5, N4)', () => {
  const million: Plan = {
    ...usualHabits,
    kind: 'goods',
    shoppers: 1_000_000,
    stock: 1000,
    openingSeconds: 10,
  }
  const dollarsFor = (...asked: Parameters<typeof checkCost>) => totalOf(checkCost(...asked))

  it('cost nothing for a sale without, a request for a proof of work, and two with a wait for Turnstile', () => {
    expect(checkCost(million, 'off', prod)).toEqual([])
    const { firewall: _, ...open } = prod
    const run = prices.gate.gbSecond * (prod.edge.memoryMb / 1024)
    const request = prices.cdn.request + prices.cdn.viewerFunctionRun + prices.gate.run + 0.03 * run
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
    expect(mailCost(sold('goods'), prod)).toEqual([])
    expect(mailAdvice(sold('goods'), prod)).toBeUndefined()
  })

  it('cost ten cents for a thousand, and little beside that', () => {
    const [line] = mailCost(sold('goods'), { ...prod, mail })
    expect(line?.dollars).toBeGreaterThan(0.3)
    expect(line?.dollars).toBeLessThan(0.31)
  })

  it('come with the advice to leave the sandbox of SES', () => {
    expect(mailAdvice(sold('goods'), { ...prod, mail })).toMatch(/about 3,000 e-mails\. .*sandbox.*200 a day/)
  })
})

describe('the events of a sale (34.6)', () => {
  const cost = (kind: Plan['kind'], change: Partial<StageSettings>) =>
    eventCost({ kind, stock: 1_000_000 }, { ...prod, ...change })

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

describe('the price list', () => {
  it('has list prices, none of them free or absurd', () => {
    const { cognitoLite, ...others } = prices
    const all = Object.values(others).flatMap((group) => Object.values(group))
    expect(all.every((price) => price > 0 && price <= 800)).toBe(true)
    const falling = cognitoLite.map(({ each }) => each).slice(1)
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
  })

  it('bills the shoppers of Cognito by tiers, 10,000 of them free, and nothing for another issuer', () => {
    expect([9_999, 10_000, 110_000, 1_000_000].map((users) => Math.round(cognitoMonth(users)))).toEqual([
      0, 0, 541, 4635,
    ])
    const million = { shoppers: 1_000_000 }
    expect(signInAdvice(million, prod)).toContain('$4,635')
    const client = { issuer: 'https://id.example', clientId: 'shop', scope: 'openid' }
    const issuer = { kind: 'issuer', ...client, claims: { shopperId: 'sub' } } as const
    expect(signInAdvice(million, { signIn: issuer })).toBeUndefined()
  })
})
