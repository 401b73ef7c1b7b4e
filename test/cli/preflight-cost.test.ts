import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  alarmedMetricsOf,
  callsPerChange,
  changesPerSale,
  cognitoMonthlyCost,
  countPolledQueues,
  fixtures,
  floodCost,
  idleMonthCost,
  idleRun,
  provisionedCharge,
  redisMonthlyCharge,
  saleCost,
  saleMails,
  saleVolumes,
  signInCost,
  signUpCodes,
  stageSchedules,
  sumCharges,
  totalDatabases,
} from '../../cli/preflight/costs.ts'
import { proposeSpread } from '../../cli/preflight/limits.ts'
import { defaultPlan, requestsOfShopper, type SalePlan } from '../../cli/preflight/plan.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { secretFields, secretsOfStage } from '../../infra/constructs/secrets.ts'
import { cognitoLite, priceBooks, priceRegionOf, redisPrices } from '../../infra/prices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod } from '../../infra/settings/prod.ts'
import { small } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { scheduledFunctions } from '../../system/functions.ts'
import { grown, type StageKind, stages } from '../infra/stages.ts'
import { describeStage, type Resource } from '../infra/support.ts'

const { us, eu } = priceBooks
// Here, because no limit of a test holds for its synthesis.
const [firewall] = Object.values(describeStage().resources('edge', 'AWS::WAFv2::WebACL'))

const monthOf = (settings: StageSettings, prices = eu) =>
  idleMonthCost(settings, redisMonthlyCharge(settings, 1, 10_000), prices)
const planOf = (settings: StageSettings, change: Partial<SalePlan> = {}): SalePlan => {
  const plan = { ...defaultPlan, ...settings.forecast, ...change }
  return { ...plan, spreadSeconds: change.spreadSeconds ?? proposeSpread(plan, settings, settings.quotas) }
}
const saleItem = (item: string, change: Partial<SalePlan> = {}, settings: StageSettings = prod, prices = eu) =>
  sumCharges(saleCost(planOf(settings, change), settings, prices), item).dollars

describe('the volumes of a sale', () => {
  it('count the requests of pages and people', () => {
    const sold = { shoppers: 1000, stock: 100, openingSeconds: 10, spreadSeconds: 0 } as const
    const plan = planOf(dev, sold)
    // Two reads until the order is written, the payment, and two reads after it.
    const looks = 100 * 5
    const volumes = saleVolumes(plan, dev)
    // Without spread the first click of each shopper starts the gate, and the passes of one in twenty.
    expect(volumes.gateRuns).toBe(1000 + 50 + looks)
    expect(volumes.requests).toBe(1000 * requestsOfShopper(plan) + 50 + looks + 100 * 4)
    // The page and the countdown, the click, and the keys of passes.
    expect(volumes.edgeStoreReads).toBe(1000 * (2 + 1 + 1))
    expect(saleVolumes({ ...plan, sales: 3 }, dev).edgeStoreCalls).toBe(3 * changesPerSale * callsPerChange)
    expect([volumes.functionRuns, volumes.tableWrites, volumes.tableReads]).toEqual([120 + looks, 1000, looks])
    const writesOf = (kind: SaleKind) => saleVolumes({ ...plan, kind }, dev).tableWrites / 100
    expect(saleKinds.map((kind) => [kind, writesOf(kind)])).toEqual([
      ...[
        ['goods', 7 + 3],
        ['coupon', 7 + 3 + 2],
        ['red-packet', 7],
      ],
    ])
  })

  it('have Lambda@Edge for the share of the clicks that starts it, the passes and the orders alone', () => {
    const [spread, atOnce] = [planOf(prod), planOf(prod, { spreadSeconds: 0 })]
    expect(saleVolumes(spread, prod).gateRuns).toBe(1200 + Math.ceil((1_000_000 - 1200) * 0.02) + 50_000 + 5000)
    expect(saleVolumes(atOnce, prod).gateRuns).toBe(1_000_000 + 50_000 + 5000)
  })
})

describe('the bill of a sale', () => {
  const v = saleVolumes(planOf(prod), prod)

  it.each<[string, number]>([
    ['CloudFront requests', v.requests * 1.2e-6],
    ['CloudFront data', ((28_000 * 1_000_000 + v.requests * 1000) / 1e9) * 0.085],
    ['CloudFront Functions', v.requests * 0.1e-6],
    ['CloudFront key-value store', v.edgeStoreReads * 0.03e-6 + 150 * 0.001],
    ['Firewall', v.requests * 0.6e-6],
    ['Lambda@Edge', v.gateRuns * (0.6e-6 + 0.03 * 0.00005001)],
    ['Lambda', v.functionRuns * 0.2e-6 + v.functionGbSeconds * 0.0000133334],
    ['Provisioned environments', 50 * 3600 * 0.0000033334],
    ['DynamoDB', v.tableWrites * 0.705e-6 + v.tableReads * 0.1415e-6],
    ['SQS', v.queueCalls * 0.4e-6],
  ])('has %s at its list price', (item, dollars) => {
    expect(saleItem(item)).toBeCloseTo(dollars, 6)
  })

  it('has commands to pay without a fixed plan alone, and a firewall where there is one', () => {
    const { redisCommands } = saleVolumes(planOf(small), small)
    expect(saleItem('Redis at Upstash', {}, small)).toBeCloseTo(redisCommands * redisPrices.command)
    expect([saleItem('Redis at Upstash'), saleItem('Firewall', {}, dev)]).toEqual([0, 0])
  })

  it('is at most $10 for a million shoppers after the free tier of a month, in both books and with the firewall', () => {
    for (const prices of [eu, us]) {
      const { dollars, free } = sumCharges(saleCost(planOf(prod), prod, prices))
      expect(dollars - free).toBeLessThanOrEqual(10)
      expect(free).toBeGreaterThan(10)
    }
  })

  it('never falls when shoppers, stock or the wait rises', () => {
    const atMost = (max: number) => fc.integer({ min: 1, max })
    const anyForecast = fc.record({
      kind: fc.constantFrom(...saleKinds),
      shoppers: atMost(5_000_000),
      stock: atMost(100_000),
      openingSeconds: atMost(60),
      spreadSeconds: fc.integer({ min: 0, max: 300 }),
    })
    const risen = fc.constantFrom('shoppers', 'stock', 'waitMinutes')
    const costOf = (plan: SalePlan, settings: StageSettings) => sumCharges(saleCost(plan, settings, eu)).dollars
    fc.assert(
      fc.property(anyForecast, fc.constantFrom(dev, prod), risen, atMost(1440), (change, settings, what, by) => {
        const plan: SalePlan = { ...defaultPlan, ...change }
        const more = { ...plan, [what]: plan[what] + by }
        expect(costOf(more, settings)).toBeGreaterThanOrEqual(costOf(plan, settings))
      }),
      { numRuns: 200 },
    )
  })

  it('fits four times into the monthly budget of prod with the stage', () => {
    const atAws = idleMonthCost(prod, { item: 'Redis at Upstash', dollars: 0, free: 0 }, eu)
    const four = sumCharges(atAws).dollars + 4 * sumCharges(saleCost(planOf(prod), prod, eu)).dollars
    expect(prod.monthlyBudgetDollars).toBeGreaterThan(four)
    expect(prod.monthlyBudgetDollars).toBeLessThan(2 * four)
  })

  it('has a request for a proof of work of each shopper, and two with a wait for Turnstile (R5, N4)', () => {
    const { firewall: _, ...open } = prod
    const run = eu.gate.gbSecond * (prod.edge.memoryMb / 1024)
    const request = eu.cdn.request + eu.cdn.viewerFunctionRun + eu.gate.run + 0.03 * run
    const checks = (challenge: SalePlan['challenge']) => saleItem('Security checks', { challenge }, open)
    expect(checks('off')).toBe(0)
    expect(checks('pow')).toBeCloseTo(1e6 * request)
    expect(checks('turnstile')).toBeCloseTo(1e6 * (2 * request + 0.2 * run))
  })

  it('has three emails for each unit of goods, ten cents for a thousand, and none without the setting', () => {
    const on = { ...prod, mail: { from: 'orders@shop.example' } }
    expect(saleKinds.map((kind) => saleMails({ kind, stock: 1000 }, on)).toSorted()).toEqual([1000, 1000, 3000])
    expect(saleItem('Emails')).toBe(0)
    expect(saleItem('Emails', {}, on)).toBeGreaterThan(0.3)
    expect(saleItem('Emails', {}, on)).toBeLessThan(0.31)
  })

  it('leaves a flood out: ten million blocked requests, with records of two kilobytes in the log of the firewall', () => {
    const { requests, blocking, log } = floodCost(eu)
    expect([requests, blocking, log]).toEqual([10_000_000, expect.closeTo(6), expect.closeTo(10)])
  })

  it('leaves the traffic of Upstash out: it is far below what a month has free with each plan', () => {
    // 50 GB with the smallest fixed plan, 200 GB without one; a command and its reply have at most two kilobytes.
    for (const settings of [prod, small]) {
      const idle = 43_800 * idleRun.redisCommands
      expect((saleVolumes(planOf(settings), settings).redisCommands + idle) * 2000).toBeLessThan(2e9)
    }
  })

  it('leaves the codes of new shoppers out: ten cents a thousand at SES, none at another issuer', () => {
    expect(signUpCodes({ shoppers: 1_000_000, newShare: 0.1 }, prod) * eu.mail.message).toBeCloseTo(10)
    expect(signUpCodes({ shoppers: 1000, newShare: 1 }, dev)).toBe(0)
  })

  it('leaves the sign-in out: two requests each at the shop, and the tiers of Cognito', () => {
    // CloudFront, its function, the firewall, the gate for 30 ms, and the function for 300 ms.
    const request = 1.2 + 0.1 + 0.6 + (0.6 + 0.03 * 50.01) + (0.2 + 0.15 * 13.3334)
    expect(signInCost({ shoppers: 1_000_000 }, prod, eu)).toBeCloseTo(2 * request, 2)
    const falling = cognitoLite.map(({ each }) => each).slice(1)
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect([9_999, 10_000, 110_000, 1_000_000].map((users) => Math.round(cognitoMonthlyCost(users)))).toEqual([
      ...[0, 0, 541, 4635],
    ])
  })
})

describe('the bill of a month without a sale', () => {
  const itemOf = (settings: StageSettings, item: string) => sumCharges(monthOf(settings), item).dollars

  it('has provisioned environments only where they are always on: $438', () => {
    expect(provisionedCharge(prod, 1, us).dollars).toBeCloseTo(50 * 3600 * 0.0000033334)
    expect(itemOf({ ...prod, keepProvisioned: true }, 'Provisioned environments')).toBeCloseTo(0.6 * 730, 0)
    expect(itemOf(prod, 'Provisioned environments')).toBe(0)
    expect(saleItem('Provisioned environments', {}, { ...prod, keepProvisioned: true })).toBe(0)
  })

  it('has each minute a reconcile of a second, a canary of half a second and the schedules of options, not $58', () => {
    const ofOptions = scheduledFunctions.map(([name, { idle }]) => ({ name, ...idle }))
    for (const settings of [dev, prod]) {
      const { reconcile, canary } = settings.functions
      const gbSeconds = ofOptions.reduce(
        (sum, { name, seconds }) => sum + (settings.functions[name].memoryMb * seconds) / 1024,
        (reconcile.memoryMb + canary.memoryMb / 2) / 1024,
      )
      const runs = 2 + ofOptions.length
      expect(itemOf(settings, 'Lambda')).toBeCloseTo(43_800 * (gbSeconds * 0.0000133334 + runs * 0.0000002))
      expect(itemOf(settings, 'Schedules')).toBeCloseTo(43_800 * runs * 1e-6)
    }
  })

  it('is at most $35 for a small shop with its firewall, in both books, before any free tier', () => {
    for (const prices of [eu, us]) expect(sumCharges(monthOf(small, prices)).dollars).toBeLessThanOrEqual(35)
    const { firewall: _, ...open } = small
    expect(sumCharges(monthOf(small)).dollars - sumCharges(monthOf(open)).dollars).toBeCloseTo(14.18, 2)
    expect(itemOf(small, 'Redis at Upstash')).toBeCloseTo(43_800 * 6 * redisPrices.command)
  })

  it('has a plan and a Prod Pack for each database, with that of the gate beside those of the stocks', () => {
    const databases = (settings: StageSettings, count: number, commands = 10_000) =>
      redisMonthlyCharge(settings, totalDatabases({ databases: count }, settings), commands).dollars
    expect([databases(prod, 1), databases(prod, 2), databases(prod, 2, 16_000)]).toEqual([420, 630, 3000])
    // Ten are free without a plan.
    expect([databases(small, 1), databases(small, 9), databases(small, 12)]).toEqual([0, 0, 1.5])
  })

  it('counts the secrets that the stacks name, and the rules of the firewall', () => {
    // The keys of shops are a secret of stages that redeem coupons or have a checkout, which has keys of its own.
    const all = secretsOfStage({ ...prod, redeem: {}, checkout: true })
    expect(all.map(({ id }) => id.replace('sluice/prod/', '')).toSorted()).toEqual(Object.keys(secretFields).toSorted())
    expect(itemOf(prod, 'Secrets and keys')).toBeCloseTo(5 * 0.4 + 3)
    expect(itemOf({ ...prod, redeem: {}, checkout: true }, 'Secrets and keys')).toBeCloseTo(7 * 0.4 + 3)
    expect(firewall?.Properties.Rules).toHaveLength(fixtures.firewallRules)
    expect(itemOf(prod, 'Firewall')).toBeCloseTo(14 + 3 * 43_800 * 0.6e-6)
  })
})

describe('the parts of every stage', () => {
  const stacks = ['data', 'app', 'edge', 'site', 'watch'] as const
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
        schedules: all('AWS::Scheduler::Schedule')
          .map(({ Properties }) => Properties.ScheduleExpression)
          .toSorted(),
        keys: all('AWS::KMS::Key').length,
        // Secrets are created by hand, before there are stacks.
        secrets: all('AWS::SecretsManager::Secret').length,
      }).toEqual({
        alarmed: alarmedMetricsOf(settings),
        composite: 0,
        dashboards: fixtures.dashboards[settings.size],
        monitored: fixtures.distributionMetrics[settings.size],
        queues: countPolledQueues(settings),
        schedules: stageSchedules(settings)
          .map(({ everyMinutes }) => `rate(${everyMinutes} minute${everyMinutes === 1 ? '' : 's'})`)
          .toSorted(),
        keys: fixtures.keys,
        secrets: 0,
      })
    },
  )
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
})
