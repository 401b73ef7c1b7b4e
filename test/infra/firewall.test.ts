/**
 * The rules of the firewall as they are synthesised, read as WAF reads them: priorities in order, statements of
 * paths, labels and rates.
 */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { callsOfAddress, defaultPlan, requestsOfAddress } from '../../cli/preflight/plan.ts'
import { prod } from '../../infra/settings/prod.ts'
import { describeStage, only } from './support.ts'

const limits = { floodLimit: 100_000, callLimit: 32_000, anonymousLimit: 1500, sessionLimit: 300 }

type Field = { UriPath: object } | { Method: object } | { SingleHeader: { Name: string } }
type Statement =
  | { ByteMatchStatement: { SearchString: string; PositionalConstraint: string; FieldToMatch: Field } }
  | { SizeConstraintStatement: { FieldToMatch: Field; ComparisonOperator: 'GT'; Size: number } }
  | { LabelMatchStatement: { Key: string } }
  | { NotStatement: { Statement: Statement } }
  | { AndStatement: { Statements: Statement[] } }
  | { OrStatement: { Statements: Statement[] } }

const field = z.union([
  z.strictObject({ UriPath: z.strictObject({}) }),
  z.strictObject({ Method: z.strictObject({}) }),
  z.strictObject({ SingleHeader: z.strictObject({ Name: z.string() }) }),
])
const asItCame = z.tuple([z.strictObject({ Priority: z.literal(0), Type: z.literal('NONE') })])

const statement: z.ZodType<Statement> = z.lazy(() =>
  z.union([
    z.object({
      ByteMatchStatement: z.strictObject({
        SearchString: z.string(),
        PositionalConstraint: z.enum(['EXACTLY', 'STARTS_WITH', 'CONTAINS']),
        FieldToMatch: field,
        TextTransformations: asItCame,
      }),
    }),
    z.object({
      SizeConstraintStatement: z.strictObject({
        FieldToMatch: field,
        ...{ ComparisonOperator: z.literal('GT'), Size: z.number(), TextTransformations: asItCame },
      }),
    }),
    z.object({ LabelMatchStatement: z.strictObject({ Scope: z.literal('LABEL'), Key: z.string() }) }),
    z.object({ NotStatement: z.strictObject({ Statement: statement }) }),
    z.object({ AndStatement: z.strictObject({ Statements: z.array(statement) }) }),
    z.object({ OrStatement: z.strictObject({ Statements: z.array(statement) }) }),
  ]),
)

const rate = z.strictObject({
  Limit: z.number(),
  EvaluationWindowSec: z.literal(60),
  AggregateKeyType: z.enum(['IP', 'CUSTOM_KEYS']),
  CustomKeys: z.optional(z.array(z.record(z.string(), z.unknown()))),
  ScopeDownStatement: z.optional(statement),
})
const group = z.strictObject({
  VendorName: z.literal('AWS'),
  Name: z.string(),
  RuleActionOverrides: z.array(z.strictObject({ Name: z.string(), ActionToUse: z.unknown() })),
})
const rule = z.object({
  Name: z.string(),
  Priority: z.number(),
  Action: z.optional(z.record(z.string(), z.unknown())),
  VisibilityConfig: z.object({ MetricName: z.string() }),
  Statement: z.union([
    z.strictObject({ RateBasedStatement: rate }),
    z.strictObject({ ManagedRuleGroupStatement: group }),
    statement,
  ]),
})
type Rule = z.infer<typeof rule>

const acl = only(describeStage().resources('edge', 'AWS::WAFv2::WebACL'))
const rules = z
  .array(rule)
  .parse(acl.Properties.Rules)
  .toSorted((one, other) => one.Priority - other.Priority)

type Request = {
  path: string
  labels?: readonly string[]
  method?: string
  headers?: Record<string, string>
}

/** Undefined for a header that is missing, which no statement matches. */
function textIn(field: Field, { path, method = 'GET', headers }: Request): string | undefined {
  if ('SingleHeader' in field) return headers?.[field.SingleHeader.Name]
  return 'Method' in field ? method : path
}

function matches(of: Statement, request: Request): boolean {
  if ('ByteMatchStatement' in of) {
    const { SearchString: wanted, PositionalConstraint, FieldToMatch } = of.ByteMatchStatement
    const value = textIn(FieldToMatch, request)
    if (PositionalConstraint === 'EXACTLY') return value === wanted
    return PositionalConstraint === 'CONTAINS' ? value?.includes(wanted) === true : value?.startsWith(wanted) === true
  }
  if ('SizeConstraintStatement' in of) {
    const { FieldToMatch, Size } = of.SizeConstraintStatement
    return (textIn(FieldToMatch, request)?.length ?? Number.NaN) > Size
  }
  if ('LabelMatchStatement' in of) return request.labels?.includes(of.LabelMatchStatement.Key) === true
  if ('NotStatement' in of) return !matches(of.NotStatement.Statement, request)
  if ('AndStatement' in of) return of.AndStatement.Statements.every((one) => matches(one, request))
  return of.OrStatement.Statements.some((one) => matches(one, request))
}

const actionOf = ({ Action }: Rule) => Object.keys(Action ?? {}).join()

/** The rate rules that count a request, with their limits: one by the cookie of the session leaves out who has none. */
function countedBy(path: string, request: Omit<Request, 'path'> = {}): [string, number][] {
  return rules.flatMap(({ Name, Statement }): [string, number][] => {
    if (!('RateBasedStatement' in Statement)) return []
    const { ScopeDownStatement, Limit, CustomKeys = [] } = Statement.RateBasedStatement
    const isKeyed = CustomKeys.every(
      (key) => !('Cookie' in key) || request.headers?.cookie?.includes('sluice_session='),
    )
    const isInScope = ScopeDownStatement === undefined || matches(ScopeDownStatement, { path, ...request })
    return isKeyed && isInScope ? [[Name, Limit]] : []
  })
}

const calls = ['/api/sales/spring-mug/orders', '/api/sales/x/challenge', '/api/pass', '/api/orders', '/api/sign-in']

describe('a flood of calls from few hosts', () => {
  const signedIn = { headers: { cookie: 'sluice_who=mia; sluice_session=a.b.c' } }

  it('without a session is limited far below the other calls of an address, so that thirty hosts leave a region its gate', () => {
    for (const path of calls) {
      const without: Record<string, string>[] = [{}, { cookie: 'sluice_who=mia' }, { authorization: '' }]
      for (const headers of without)
        expect(countedBy(path, { headers })).toContainEqual(['calls-without-session', limits.anonymousLimit])
    }
    // The gate of a region serves 10,000 requests/s.
    const perSecond = (limit: number) => (30 * limit) / 60
    expect(perSecond(prod.firewall?.anonymousLimit ?? 0)).toBeLessThan(1000)
  })

  it('with a session is counted by it, and by its address alone only with thousands of people', () => {
    for (const path of calls) {
      expect(countedBy(path, signedIn)).toEqual([
        ['flood', limits.floodLimit],
        ['calls-of-address', limits.callLimit],
        ['calls-of-session', limits.sessionLimit],
        ['calls-below-limit', Math.floor(limits.callLimit / 3)],
      ])
    }
    const address = { ...defaultPlan, shoppers: 1_000_000, perAddress: 5000 }
    expect(limits.callLimit).toBeGreaterThan(callsOfAddress(address))
    expect(limits.floodLimit).toBeGreaterThan(requestsOfAddress(address))
  })

  it('of the shop’s own tools, of pages elsewhere and of their preflights is not one without a session', () => {
    for (const request of [{ headers: { authorization: 'Bearer a.b.c' } }, { method: 'OPTIONS' }])
      expect(countedBy('/api/sales/spring-mug/orders', request).map(([name]) => name)).not.toContain(
        'calls-without-session',
      )
  })

  it('is limited for each session and address as well, by the cookie of the session', () => {
    const session = rules.find(({ Name }) => Name === 'calls-of-session')
    expect(session?.Statement).toMatchObject({
      RateBasedStatement: {
        Limit: limits.sessionLimit,
        AggregateKeyType: 'CUSTOM_KEYS',
        CustomKeys: [{ IP: {} }, { Cookie: { Name: 'sluice_session' } }],
      },
    })
    for (const path of calls) expect(countedBy(path, signedIn)).toContainEqual(['calls-of-session', 300])
  })

  it('is answered with 429 and a time to wait', () => {
    for (const name of ['flood', 'calls-of-address', 'calls-without-session', 'calls-of-session']) {
      expect(rules.find(({ Name }) => Name === name)?.Action).toEqual({
        Block: { CustomResponse: { ResponseCode: 429, ResponseHeaders: [{ Name: 'retry-after', Value: '60' }] } },
      })
    }
  })

  it('that stays below the limit is counted from a third of it, for the alarm', () => {
    const watched = rules.find(({ Name }) => Name === 'calls-below-limit')
    expect(watched && actionOf(watched)).toBe('Count')
    expect(watched?.VisibilityConfig.MetricName).toBe('sluice-prod-calls-below-limit')
    for (const path of calls) expect(countedBy(path)).toContainEqual(['calls-below-limit', 10_666])
  })

  it('does not count pages, pictures and the pointer as calls', () => {
    for (const path of ['/', '/sales/spring-mug/', '/sales/spring-mug/current.json', '/pictures/a.webp'])
      expect(countedBy(path)).toEqual([['flood', limits.floodLimit]])
  })

  it('does not count the webhook, which a provider sends from few addresses', () => {
    expect(countedBy('/api/payments/webhook')).toEqual([['flood', limits.floodLimit]])
    expect(countedBy('/api/payments/webhook/', signedIn)).toHaveLength(4)
  })
})

/** Labels that the body rules of the common rule set add, by the vendor's page. */
const bodyLabels = ['EC2MetaDataSSRF_Body', 'GenericLFI_Body', 'GenericRFI_Body', 'CrossSiteScripting_Body']

describe('a body that looks like an attack', () => {
  const blocked = (path: string, label: string) =>
    rules.some(({ Name, Statement, Action }) => {
      if (Action?.Block === undefined || 'RateBasedStatement' in Statement) return false
      if ('ManagedRuleGroupStatement' in Statement) return false
      const labels = [`awswaf:managed:aws:core-rule-set:${label}`]
      return Name === 'attack-in-body' && matches(Statement, { path, labels })
    })

  it('is blocked on the way to shoppers’ functions', () => {
    for (const label of bodyLabels) {
      expect(blocked('/api/contact', label)).toBe(true)
      expect(blocked('/api/sales/spring-mug/orders', label)).toBe(true)
      expect(blocked('/api/payments/webhook2', label)).toBe(true)
    }
    expect(blocked('/api/contact', 'SizeRestrictions_Body')).toBe(false)
    expect(blocked('/api/contact', 'none')).toBe(false)
  })

  it('is let through from the payment provider, and only counted from a marketer', () => {
    for (const label of bodyLabels) {
      expect(blocked('/api/payments/webhook', label)).toBe(false)
      expect(blocked('/api/control/sales', label)).toBe(false)
      expect(blocked('/api/control/sales/spring-mug/edit', label)).toBe(false)
    }
  })

  it('is found by rules that count, so that the label exists, before the rule that blocks by it', () => {
    const names = rules.map(({ Name }) => Name)
    expect(names.indexOf('attack-in-body')).toBeGreaterThan(names.indexOf('AWSManagedRulesCommonRuleSet'))
    const common = rules.find(({ Name }) => Name === 'AWSManagedRulesCommonRuleSet')?.Statement
    const overrides =
      common !== undefined && 'ManagedRuleGroupStatement' in common
        ? common.ManagedRuleGroupStatement.RuleActionOverrides
        : []
    expect(overrides.map(({ Name }) => Name.replace('_BODY', '_Body')).toSorted()).toEqual(
      [...bodyLabels, 'SizeRestrictions_Body'].toSorted(),
    )
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} })
  })
})

/**
 * Costs of the statements used here (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statements-match.html,
 * …/waf-rule-statement-type-rate-based.html, …/aws-managed-rule-groups-list.html).
 */
function capacityOf(of: Rule['Statement']): number {
  if ('RateBasedStatement' in of) {
    const { CustomKeys = [], ScopeDownStatement } = of.RateBasedStatement
    return 2 + 30 * CustomKeys.length + (ScopeDownStatement === undefined ? 0 : capacityOf(ScopeDownStatement))
  }
  if ('ManagedRuleGroupStatement' in of) return capacityOfGroup[of.ManagedRuleGroupStatement.Name] ?? Number.NaN
  if ('ByteMatchStatement' in of) return of.ByteMatchStatement.PositionalConstraint === 'CONTAINS' ? 10 : 2
  if ('SizeConstraintStatement' in of) return 1
  if ('LabelMatchStatement' in of) return 1
  if ('NotStatement' in of) return capacityOf(of.NotStatement.Statement)
  const { Statements } = 'AndStatement' in of ? of.AndStatement : of.OrStatement
  return Statements.reduce((sum, one) => sum + capacityOf(one), 0)
}
const capacityOfGroup: Readonly<Record<string, number>> = {
  AWSManagedRulesAmazonIpReputationList: 25,
  AWSManagedRulesKnownBadInputsRuleSet: 200,
  AWSManagedRulesCommonRuleSet: 700,
}

describe('all rules', () => {
  it('take no more than the 1,500 capacity units of the basic price', () => {
    const units = rules.reduce((sum, { Statement }) => sum + capacityOf(Statement), 0)
    expect(units).toBe(2 + 6 + (6 + 10 + 1 + 2) + 66 + 6 + 925 + 8)
    expect(units).toBeLessThanOrEqual(1500)
  })

  it('have priorities without a gap, and metrics of their own', () => {
    expect(rules.map(({ Priority }) => Priority)).toEqual(rules.map((_, index) => index))
    expect(new Set(rules.map(({ VisibilityConfig }) => VisibilityConfig.MetricName)).size).toBe(rules.length)
  })
})
