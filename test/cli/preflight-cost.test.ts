import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { type Plan, pollsOf, usualHabits } from '../../cli/preflight/plan.ts'
import { saleCost, totalOf } from '../../cli/preflight/sale-cost.ts'
import {
  alarmedMetricsOf,
  fixtures,
  provisionedCostPerHour,
  standingCost,
} from '../../cli/preflight/standing-cost.ts'
import { type Volumes, volumesOf } from '../../cli/preflight/volumes.ts'
import { Firewall } from '../../infra/constructs/firewall.ts'
import { secretFields } from '../../infra/constructs/secrets.ts'
import { prices } from '../../infra/prices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { describeStage, newOutdir, type Resource } from '../infra/support.ts'

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
    preGateRuns: 3_000_000,
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
    ['CloudFront Function', 0.1],
    ['Lambda@Edge', 2.93],
    ['Lambda', 0.3],
    ['Redis commands', 0.13],
    ['Logs', 0.75],
  ])('is for %s of the worked example $%f', (item, dollars) => {
    const line = item === 'Lambda' ? saleCost(example, 'payg').filter((one) => one.item === item) : undefined
    expect(dollarsOf(line ?? saleCost(example, 'payg'), item)).toBeCloseTo(dollars, 2)
  })

  it('is about $60 in total with the rules of the firewall', () => {
    const lines = saleCost(example, 'payg')
    const rules = prices.firewall.aclMonth + fixtures.firewallRules * prices.firewall.ruleMonth
    expect(dollarsOf(lines, 'Firewall') + rules).toBeCloseTo(30)
    expect(dollarsOf(lines, 'SQS')).toBeLessThan(0.01)
    expect(Math.abs(totalOf(lines) + rules - 60)).toBeLessThan(1)
  })

  it('has no commands to pay in a fixed plan, and no firewall where there is none', () => {
    expect(dollarsOf(saleCost(example, 'fixed'), 'Redis')).toBe(0)
    expect(dollarsOf(saleCost({ ...example, isInspected: false }, 'payg'), 'Firewall')).toBeNaN()
  })

  it('counts the requests of pages and people', () => {
    const plan: Plan = { ...usualHabits, kind: 'goods', shoppers: 1000, stock: 100, openingSeconds: 10 }
    const volumes = volumesOf(plan, dev)
    const looks = 100 * 20
    expect(volumes.gateRuns).toBe(1000 * 3 + looks)
    expect(volumes.requests).toBe(1000 * (3 * 4 + pollsOf(plan) + 4 * 4 + 4 + 3) + looks)
    expect(volumes.functionRuns).toBe(120 + looks)
    expect(volumes.tableWrites).toBe(700)
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
    const standing = (keepProvisioned: boolean) =>
      standingCost({ ...both, keepProvisioned }, 'fixed-prod-pack')
    expect(dollarsOf(standing(true), 'Lambda, environments provisioned')).toBeCloseTo(1.2 * 730, 0)
    expect(dollarsOf(standing(false), 'Lambda, environments provisioned')).toBeNaN()
    expect([dev.keepProvisioned, prod.keepProvisioned]).toEqual([false, false])
  })

  it('is $1.02 a month for a reconcile that finds no running sale, not $58', () => {
    const reconcileOf = (settings: typeof prod) =>
      dollarsOf(standingCost(settings, 'payg'), 'Lambda, reconcile')
    expect(reconcileOf(dev)).toBeCloseTo(730 * 60 * 0.0000133334 + 730 * 60 * 0.0000002)
    expect(reconcileOf(prod)).toBeCloseTo(1.02, 2)
  })

  it('includes the firewall and the plan of Upstash where there are any', () => {
    const items = standingCost(prod, 'fixed-prod-pack').map(({ item }) => item)
    expect(items).toEqual(expect.arrayContaining(['Firewall', 'Upstash, fixed plan', 'Upstash, Prod Pack']))
    expect(
      standingCost(dev, 'payg')
        .map(({ item }) => item)
        .join(),
    ).not.toMatch(/Firewall|Upstash/)
  })

  it('counts the secrets that the stacks name, and the rules of the firewall', () => {
    expect(Object.keys(secretFields)).toHaveLength(fixtures.secrets)
    const stack = new Stack(new App({ outdir: newOutdir() }))
    new Firewall(stack, 'Firewall', { stage: 'test', floodLimit: 100, logDays: 14 })
    const [acl] = Object.values(Template.fromStack(stack).findResources('AWS::WAFv2::WebACL'))
    expect(acl?.Properties.Rules).toHaveLength(fixtures.firewallRules)
  })
})

describe('the parts of every stage', () => {
  const stacks = ['data', 'app', 'edge'] as const
  const describedOf = (settings: StageSettings) => {
    const { resources } = describeStage(settings)
    return (type: string) => stacks.flatMap((stack) => Object.values(resources(stack, type)))
  }
  /** An alarm on a formula reads each of its metrics. */
  const metricsOf = ({ Properties: { Metrics } }: Resource): number =>
    Array.isArray(Metrics) ? Metrics.filter((one) => one.MetricStat !== undefined).length : 1

  it.each([dev, prod])('are counted in the cost of $name as in its templates', (settings) => {
    const all = describedOf(settings)
    const alarmed = all('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0)
    expect({
      alarmed,
      composite: all('AWS::CloudWatch::CompositeAlarm').length,
      dashboards: all('AWS::CloudWatch::Dashboard').length,
      keys: all('AWS::KMS::Key').length,
      // Secrets are created by hand, before there are stacks.
      secrets: all('AWS::SecretsManager::Secret').length,
    }).toEqual({
      alarmed: alarmedMetricsOf(settings),
      composite: 0,
      dashboards: fixtures.dashboards,
      keys: fixtures.keys,
      secrets: 0,
    })
  })
})

describe('the price list', () => {
  it('has list prices, none of them free or absurd', () => {
    const all = Object.values(prices).flatMap((group) => Object.values(group))
    expect(all.every((price) => price > 0 && price <= 200)).toBe(true)
  })
})
