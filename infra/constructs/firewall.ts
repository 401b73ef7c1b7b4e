/**
 * The web firewall of the distribution: known attacks, addresses with a bad reputation, floods. Its rate rules react up to half
 * a minute late and count approximately, so they save money but decide nothing about a sale. Calls of `/api/*` have limits of
 * their own, because each may start the gate.
 *
 * All rules together may take 1,500 capacity units at the basic price; a test adds them up
 * (https://docs.aws.amazon.com/waf/latest/developerguide/aws-waf-capacity-units.html).
 */
import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { shopApi } from '../../core/api/shop.ts'
import { sessionCookie } from '../../core/people/session.ts'
import { retentionOf } from '../retention.ts'
import type { FirewallSetting } from '../settings/stage.ts'

export type FirewallProps = { stage: string } & FirewallSetting

/**
 * Rules of the common rule set that read bodies. They only count, and `attack-in-body` blocks by the label
 * that they add (https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html).
 */
const bodyRules = [
  { name: 'EC2MetaDataSSRF_BODY', label: 'EC2MetaDataSSRF_Body' },
  { name: 'GenericLFI_BODY', label: 'GenericLFI_Body' },
  { name: 'GenericRFI_BODY', label: 'GenericRFI_Body' },
  { name: 'CrossSiteScripting_BODY', label: 'CrossSiteScripting_Body' },
] as const

/** Managed rule groups, the cheapest first; rules in `counted` count instead of block. */
const managed: readonly { name: string; counted: readonly string[] }[] = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  // A marketer's list of windows can exceed the 8 kB of that rule; the gate limits every body itself.
  { name: 'AWSManagedRulesCommonRuleSet', counted: ['SizeRestrictions_BODY', ...bodyRules.map(({ name }) => name)] },
]

type Statement = CfnWebACL.StatementProperty
type RateStatement = Omit<CfnWebACL.RateBasedStatementProperty, 'limit' | 'evaluationWindowSec'>

const asItCame = [{ priority: 0, type: 'NONE' }]
const matching = (
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  positionalConstraint: 'EXACTLY' | 'STARTS_WITH' | 'CONTAINS',
  searchString: string,
): Statement => ({
  byteMatchStatement: { fieldToMatch, positionalConstraint, searchString, textTransformations: asItCame },
})
/** Matches the path without transformation, like the functions behind the firewall. */
const pathIs = (positionalConstraint: 'EXACTLY' | 'STARTS_WITH', searchString: string): Statement =>
  matching({ uriPath: {} }, positionalConstraint, searchString)
const not = (statement: Statement): Statement => ({ notStatement: { statement } })
const all = (...statements: Statement[]): Statement => ({ andStatement: { statements } })

/** A provider reports all payments from few addresses, and is limited by the gate. */
const isWebhook = pathIs('EXACTLY', shopApi.webhook.path)
const isCall = all(pathIs('STARTS_WITH', '/api/'), not(isWebhook))
/** Staff may send any text: a product's description may look like an attack. */
const isControl = pathIs('STARTS_WITH', '/api/control/')

/**
 * Calls without a session. The gate checks the session itself. Tools and pages of other sites send theirs in `Authorization`,
 * and the preflights of their browsers (OPTIONS) never start the gate.
 */
const isAnonymous = all(
  isCall,
  not(matching({ singleHeader: { Name: 'cookie' } }, 'CONTAINS', `${sessionCookie}=`)),
  not({
    sizeConstraintStatement: {
      ...{ fieldToMatch: { singleHeader: { Name: 'authorization' } }, textTransformations: asItCame },
      ...{ comparisonOperator: 'GT', size: 0 },
    },
  }),
  not(matching({ method: {} }, 'EXACTLY', 'OPTIONS')),
)

const byAddress: RateStatement = { aggregateKeyType: 'IP' }
/** Requests without the cookie are not counted here; the limits of their address apply. */
const bySession: RateStatement = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [{ ip: {} }, { cookie: { name: sessionCookie, textTransformations: asItCame } }],
}

/** Returns a rule that counts approximately over the last minute, and blocks callers above the limit until they slow down. */
const overLimit = (limit: number, per: RateStatement, scopeDownStatement?: Statement): Statement => ({
  rateBasedStatement: { limit, evaluationWindowSec: 60, ...per, scopeDownStatement },
})

const tooMany = {
  block: { customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '60' }] } },
}

/** The rule that counts addresses just below the limit of calls; an alarm reads it (edge-alarms.ts). */
export const watchRule = 'calls-below-limit'
/** The share of the limit from which it counts. */
const watchedShare = 1 / 3

/** Returns our rules, which come before the managed groups. */
const rateRules = ({ floodLimit, callLimit, anonymousLimit, sessionLimit }: FirewallSetting) => [
  { name: 'flood', action: tooMany, statement: overLimit(floodLimit, byAddress) },
  // The only limit on a script that makes up a session for each call.
  { name: 'calls-of-address', action: tooMany, statement: overLimit(callLimit, byAddress, isCall) },
  { name: 'calls-without-session', action: tooMany, statement: overLimit(anonymousLimit, byAddress, isAnonymous) },
  { name: 'calls-of-session', action: tooMany, statement: overLimit(sessionLimit, bySession, isCall) },
  {
    name: watchRule,
    action: { count: {} },
    statement: overLimit(Math.floor(callLimit * watchedShare), byAddress, isCall),
  },
]

/** Blocks what the body rules have found, except in bodies of trusted senders. */
const attackInBody = {
  name: 'attack-in-body',
  action: { block: {} },
  statement: all(
    {
      orStatement: {
        statements: bodyRules.map(({ label }) => ({
          labelMatchStatement: { scope: 'LABEL', key: `awswaf:managed:aws:core-rule-set:${label}` },
        })),
      },
    },
    not(isControl),
    not(isWebhook),
  ),
}

/**
 * The fields that the log and the sampled requests show as `REDACTED`: headers with credentials, and query strings, which have
 * codes of sign-ins and tokens of links in emails; a page with such an address sends it as referrer. Rules still read them
 * (https://docs.aws.amazon.com/waf/latest/developerguide/data-protection-masking.html).
 */
const hidden = [
  { fieldType: 'QUERY_STRING' },
  {
    fieldType: 'SINGLE_HEADER',
    fieldKeys: ['authorization', 'cookie', 'referer', 'webhook-signature', 'stripe-signature'],
  },
]

/** Returns the metric of a rule; `firewall` is the name of the firewall's own metric. */
export const ruleMetricName = (firewall: string, rule: string): string => `${firewall}-${rule}`

export class Firewall extends Construct {
  readonly arn: string
  readonly metricName: string

  constructor(scope: Construct, id: string, { stage, ...limits }: FirewallProps) {
    super(scope, id)
    this.metricName = `sluice-${stage}`
    const visibility = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
    })
    const groups = managed.map(({ name, counted }) => ({
      name,
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name,
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
    }))
    const rules = [...rateRules(limits), ...groups, attackInBody].map((rule, priority) => ({
      ...rule,
      priority,
      visibilityConfig: visibility(ruleMetricName(this.metricName, rule.name)),
    }))
    this.arn = new CfnWebACL(this, 'WebAcl', {
      name: `sluice-${stage}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules,
      dataProtectionConfig: { dataProtections: hidden.map((field) => ({ field, action: 'SUBSTITUTION' })) },
      visibilityConfig: visibility(this.metricName),
    }).attrArn
  }
}

/**
 * Logs blocked and counted requests, without the hidden fields. Allowed requests are in CloudFront's own log. WAF requires this
 * prefix of the log group's name (https://docs.aws.amazon.com/waf/latest/developerguide/logging-cw-logs.html).
 */
export class FirewallLog extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, logDays, firewallArn }: { stage: string; logDays: number; firewallArn: string },
  ) {
    super(scope, id)
    const logGroupName = `aws-waf-logs-sluice-${stage}`
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName,
      retention: retentionOf(logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const logging = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: firewallArn,
      logDestinationConfigs: [`arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`],
      loggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: ['BLOCK', 'COUNT'].map((Action) => ({ ActionCondition: { Action } })),
          },
        ],
      },
    })
    logging.node.addDependency(logGroup)
  }
}
