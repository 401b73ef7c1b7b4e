/**
 * The web firewall before the distribution: known attacks, addresses of ill repute, floods. Its rate rule sees a flood up to half
 * a minute late and counts about, so it saves money and decides nothing about a sale.
 */
import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { CfnLoggingConfiguration, CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { retentionOf } from '../retention.ts'

/** Requests from one address in a minute beyond which it is shut out until it calms down. */
export type FirewallProps = { stage: string; floodLimit: number; logDays: number }

/** Rules of AWS, the cheapest first; `counted` are those of a group that only count here, each for a reason. */
const managed = [
  { name: 'AWSManagedRulesAmazonIpReputationList', counted: [] },
  { name: 'AWSManagedRulesKnownBadInputsRuleSet', counted: [] },
  // A table of windows that a marketer sends is longer than the 8 kB of that rule; the gate bounds every body itself.
  { name: 'AWSManagedRulesCommonRuleSet', counted: ['SizeRestrictions_BODY'] },
] as const

/** Headers that let their reader act as somebody. */
const withoutSecrets = ['authorization', 'cookie', 'webhook-signature'] as const

export class Firewall extends Construct {
  readonly arn: string
  readonly metricName: string

  constructor(scope: Construct, id: string, { stage, floodLimit, logDays }: FirewallProps) {
    super(scope, id)
    this.metricName = `sluice-${stage}`
    const seen = (metricName: string) => ({
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
      visibilityConfig: seen(`${this.metricName}-flood`),
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
      visibilityConfig: seen(`${this.metricName}-${name}`),
    }))
    this.arn = new CfnWebACL(this, 'WebAcl', {
      name: `sluice-${stage}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules: [flood, ...groups],
      visibilityConfig: seen(this.metricName),
    }).attrArn
    this.#writeLog(stage, logDays)
  }

  /**
   * Logs every request that was blocked or counted, without session and signature: those that are let through are the crowd, and
   * are in CloudFront's own log. WAF wants a log group whose name begins so
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
      redactedFields: withoutSecrets.map((Name) => ({ singleHeader: { Name } })),
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
