/**
 * A small shop grows in place: the resources of its first deployment stay, with their data, names and logical ids, and the
 * larger stage only adds to them.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rowsOfSize, runbook } from '../../infra/constructs/alarm.ts'
import { edgeAlarmRows } from '../../infra/constructs/edge-alarms.ts'
import { saleAlarmRows } from '../../infra/constructs/sale-alarms.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { small, smallShop } from '../../infra/settings/small.ts'
import { stages } from './stages.ts'
import { describeStage, type Resource, retained, stackNames } from './support.ts'

/** Their logical ids contain what they were published with; a new one is published beside the former ones. */
const isVersion = ({ Type }: Resource) => Type === 'AWS::Lambda::Version'

const both = stackNames.map((stack) => ({
  stack,
  before: describeStage('small').template(stack).Resources ?? {},
  after: describeStage('grown').template(stack).Resources ?? {},
}))

describe('a small shop that grows', () => {
  it('keeps every resource of its data as it is: table, queues, buckets, accounts, key-value store', () => {
    const [data] = both
    expect(data?.stack).toBe('data')
    expect(Object.keys(data?.before ?? {}).length).toBeGreaterThan(15)
    expect(data?.after).toEqual(data?.before)
  })

  it('keeps every resource that outlives its stack', () => {
    const kept = both.flatMap(({ before, after }) =>
      Object.entries(before)
        .filter(([, one]) => !isVersion(one) && one.DeletionPolicy === retained[0])
        .map(([id, one]) => ({ id, type: one.Type, after: after[id] })),
    )
    const types = new Set(kept.map(({ type }) => type))
    expect([...types]).toEqual(
      expect.arrayContaining([
        'AWS::DynamoDB::GlobalTable',
        'AWS::S3::Bucket',
        'AWS::SQS::Queue',
        'AWS::Cognito::UserPool',
      ]),
    )
    for (const { id, type, after } of kept) expect(after?.Type, id).toBe(type)
  })

  it('replaces and removes nothing: every logical id and every name is the same, and more are added', () => {
    const added = both.map(({ stack, before, after }) => {
      for (const [id, one] of Object.entries(before).filter(([, resource]) => !isVersion(resource))) {
        expect(after[id]?.Type, `${stack} ${id}`).toBe(one.Type)
        const names = Object.entries(one.Properties ?? {}).filter(([key]) => /Name$/.test(key))
        for (const [key, name] of names) expect(after[id]?.Properties[key], `${stack} ${id} ${key}`).toEqual(name)
      }
      return Object.keys(after).length - Object.keys(before).length
    })
    expect(Math.min(...added)).toBe(0)
    expect(Math.max(...added)).toBeGreaterThan(30)
  })

  it('has the functions, the gate and the memory of prod afterwards, and its sessions and secrets still', () => {
    const { functions, edge, consumers, table } = stages.prod
    expect(smallShop('full')).toMatchObject({ size: 'full', functions, edge, consumers, table })
    for (const key of ['name', 'region', 'session', 'signIn', 'keep', 'alarmEmail', 'isProduction'] as const)
      expect(smallShop('full')[key], key).toEqual(small[key])
  })
})

describe('a small stage', () => {
  it('has an alarm for every loss of units or money, and for a shop that does not answer', () => {
    const sections = [saleAlarmRows, edgeAlarmRows].flatMap((rows) =>
      rowsOfSize<never>(rows, 'small').flatMap(({ section, page: own }) => (own === undefined ? [section] : [])),
    )
    const page = readFileSync(new URL(`../../${runbook}`, import.meta.url), 'utf8')
    const marked = [...page.matchAll(/^\| \[([\w-]+)\]\(#[\w-]+\) \*/gm)].map(([, section]) => section)
    // AWS Budgets sends the email of the budget, without an alarm.
    expect(marked.toSorted(), runbook).toEqual([...sections, 'budget'].toSorted())
    expect(sections).toEqual(
      expect.arrayContaining([
        ...['crashed', 'dead-letters', 'outbox-age', 'drift', 'cap-mismatch', 'canary', 'reconcile-not-running'],
        ...['rejected-orders', 'payment-mismatch', 'refund-mismatch', 'rejected-webhooks'],
        ...['failed-refunds', 'failed-settlements', 'payment-disputed', 'sale-recovered', 'edge-errors'],
      ]),
    )
    expect(sections.length).toBeLessThan((saleAlarmRows.length + edgeAlarmRows.length) * 0.7)
  })

  it('reads no metric that CloudFront does not record there', () => {
    const alarms = Object.values(describeStage('small').resources('watch', 'AWS::CloudWatch::Alarm'))
    expect(alarms.length).toBeGreaterThan(3)
    // CacheHitRate, OriginLatency and the rates of single statuses cost extra.
    expect(JSON.stringify(alarms)).not.toMatch(/CacheHitRate|OriginLatency|"[45]\d\dErrorRate"/)
  })

  it('deploys into a new account: nothing is reserved or provisioned', () => {
    const functions = Object.values(describeStage('small').resources('app', 'AWS::Lambda::Function'))
    expect(functions.length).toBeGreaterThan(10)
    for (const { Properties } of functions) expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
    const aliases = Object.values(describeStage('small').resources('app', 'AWS::Lambda::Alias'))
    for (const { Properties } of aliases) expect(Properties).not.toHaveProperty('ProvisionedConcurrencyConfig')
  })

  it('still needs a recipient of alarms, a sender of codes and real payments, and at full size reservations', () => {
    expect(() => refuseBadSettings({ ...small, alarmEmail: '' })).toThrow('alarmEmail is missing')
    expect(() => refuseBadSettings({ ...small, signIn: { kind: 'cognito' } })).toThrow('signIn.email is missing')
    expect(() => refuseBadSettings({ ...small, simulatesPayments: true })).toThrow('simulatesPayments is set')
    expect(() => refuseBadSettings(small)).not.toThrow()
    expect(() => refuseBadSettings({ ...small, size: 'full' })).toThrow('functions.reserve.reserved is missing')
  })
})
