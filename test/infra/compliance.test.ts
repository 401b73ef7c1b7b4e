/** Cookies, services and periods in `docs/compliance.md` are those that are deployed. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tableBelow } from '../../checks/markdown.ts'
import { contentSecurityPolicy } from '../../system/site-headers.ts'
import { describeStage, stackNames } from './support.ts'

const page = readFileSync('docs/compliance.md', 'utf8')

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
const services = tableBelow(page, 'The services of AWS')
const keptOf = (service: string) => services.find(([names]) => quoted(names).includes(service))?.[2] ?? ''

const stages = (['prod', 'small', 'full', 'issuer'] as const).map((kind) => describeStage(kind))
const resourcesOf = ({ template }: (typeof stages)[number]) =>
  stackNames.flatMap((stack) => Object.values(template(stack).Resources ?? {}))

describe('docs/compliance.md', () => {
  it('has every cookie that the code sets', () => {
    const files = globSync(['core/**/*.ts', 'edge/**/*.ts', 'functions/**/*.ts', 'options/*/{core,functions}/**/*.ts'])
    const set = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/Cookie(Prefix)? = '(sluice_\w+)'/g)].map(
        ([, isPrefix, name]) => `${name}${isPrefix ? '…' : ''}`,
      ),
    )
    expect(tableBelow(page, '## Cookies').flatMap(([name]) => quoted(name))).toEqual(expect.arrayContaining(set))
    expect(new Set(set).size).toBe(tableBelow(page, '## Cookies').length)
  })

  it('has every service that a template creates, and no other', () => {
    const created = stages.flatMap(resourcesOf).flatMap(({ Type }) => Type.match(/^AWS::(\w+)::/)?.[1] ?? [])
    expect(services.flatMap(([names]) => quoted(names)).toSorted()).toEqual([...new Set(created)].toSorted())
  })

  it('has the periods of production', () => {
    // Production, with all that its settings can switch on.
    const production = resourcesOf(describeStage('full'))
    const ofType = (type: string) =>
      production.filter(({ Type }) => Type === type).map(({ Properties }) => JSON.stringify(Properties))
    const numbers = (type: string, pattern: RegExp) =>
      new Set(ofType(type).flatMap((text) => [...text.matchAll(pattern)].map(([, days]) => Number(days))))
    const queues = numbers('AWS::SQS::Queue', /"MessageRetentionPeriod":(\d+)/g)
    expect([...queues].map((seconds) => seconds / 3600).toSorted((a, b) => a - b)).toEqual([1 / 60, 1, 4 * 24, 14 * 24])
    expect(keptOf('SQS')).toMatch(/^4 days, what failed 14 days, .* an hour$/)
    for (const days of numbers('AWS::S3::Bucket', /"(?:ExpirationInDays|NoncurrentDays)":(\d+)/g))
      expect(keptOf('S3')).toMatch(new RegExp(`\\b${days} days?\\b`))
    for (const days of numbers('AWS::Logs::LogGroup', /"RetentionInDays":(\d+)/g))
      expect(keptOf('Logs')).toBe(`${days} days`)
    const [backups] = numbers('AWS::DynamoDB::GlobalTable', /"RecoveryPeriodInDays":(\d+)/g)
    expect(keptOf('DynamoDB')).toContain(`backups ${backups} days`)
  })

  it('sends browsers to the page of the provider and loads nothing of it', () => {
    expect(contentSecurityPolicy).toContain("script-src 'self';")
    expect(contentSecurityPolicy).toContain("frame-src 'self';")
  })
})
