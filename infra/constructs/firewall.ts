/**
 * The web firewall of the distribution: known attacks, addresses with a bad reputation, floods. Its
 * rate rule reacts up to half a minute late and counts approximately, so it saves money but decides
 * nothing about a sale.
 */
import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { retentionOf } from '../retention.ts'

/**
 * `floodLimit`: requests from one address in a minute before it is blocked until they slow down.
 */
export type FirewallProps = { stage: string; floodLimit: number; logDays: number }

/** Managed rule groups, the cheapest first; rules in `counted` count instead of block. */
const managed = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  // A marketer's list of windows can exceed the 8 kB of that rule; the gate limits every body
  // itself.
  { name: 'AWSManagedRulesCommonRuleSet', counted: ['SizeRestrictions_BODY'] },
] as const

/** Headers with credentials. */
const redactedHeaders = ['authorization', 'cookie', 'webhook-signature', 'stripe-signature'] as const

export class Firewall extends Construct {
  readonly arn: string
  readonly metricName: string

  constructor(scope: Construct, id: string, { stage, floodLimit, logDays }: FirewallProps) {
    super(scope, id)
    this.metricName = `sluice-${stage}`
    const visibility = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
    })
    const flood = {
      name: 'flood',
      priority: 0,
      action: { block: { customResponse: { responseCode: 429 } } },
      statement: {
        rateBasedStatement: { limit: floodLimit, evaluationWindowSec: 60, aggregateKeyType: 'IP' },
      },
      visibilityConfig: visibility(`${this.metricName}-flood`),
    }
    const groups = managed.map(({ name, counted }, index) => ({
      name,
      priority: index + 1,
      overrideAction: { none: {} },
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name,
          ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
      visibilityConfig: visibility(`${this.metricName}-${name}`),
    }))
    this.arn = new CfnWebACL(this, 'WebAcl', {
      name: `sluice-${stage}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: [flood, ...groups],
      visibilityConfig: visibility(this.metricName),
    }).attrArn
    this.#writeLog(stage, logDays)
  }

  /**
   * Logs blocked and counted requests, without session and signature. Allowed requests are in
   * CloudFront's own log. WAF requires this prefix of the log group's name
   * (https://docs.aws.amazon.com/waf/latest/developerguide/logging-cw-logs.html).
   */
  #writeLog(stage: string, logDays: number): void {
    const logGroupName = `aws-waf-logs-sluice-${stage}`
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName,
      retention: retentionOf(logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const logging = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: this.arn,
      logDestinationConfigs: [
        `arn:${Aws.PARTITION}:logs:${Aws.REGION}:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`,
      ],
      redactedFields: redactedHeaders.map((Name) => ({ singleHeader: { Name } })),
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
