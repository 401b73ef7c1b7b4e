/**
 * Metrics of AWS, all with a period of a minute: CloudWatch keeps finer data only for hours.
 *
 * CloudFront and the firewall report in us-east-1. A Lambda@Edge function reports in the region in which it ran, under a name
 * with the prefix of its home region
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/viewing-cloudfront-metrics.html).
 */
import { Duration } from 'aws-cdk-lib'
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { type EdgeRegion, edgeHome } from '../../system/edge-regions.ts'

export const minute = Duration.minutes(1)

export const perMinute = { period: minute, statistic: Stats.SUM }
export const maxPerMinute = { period: minute, statistic: Stats.MAXIMUM }

/**
 * Returns a sum in which missing data is zero. Alarms on DynamoDB metrics ignore missing data in any case and would never end.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function filledSum(metrics: readonly Metric[], label: string): MathExpression {
  return new MathExpression({
    expression: 'SUM(FILL(METRICS(), 0))',
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: minute,
    label,
  })
}

/** CloudFront reports one statistic of each. */
export type DistributionMetric =
  | ('Requests' | '4xxErrorRate' | '5xxErrorRate' | '503ErrorRate' | 'CacheHitRate' | 'OriginLatency')
  | ('LambdaExecutionError' | 'LambdaValidationError' | 'LambdaLimitExceededErrors')

const inCloudFront = { namespace: 'AWS/CloudFront', period: minute, region: edgeHome }

/** `CacheHitRate`, `OriginLatency` and `503ErrorRate` need the distribution's additional metrics. */
export const distributionMetric = (distributionId: string, metricName: DistributionMetric, statistic: string): Metric =>
  new Metric({
    ...{ ...inCloudFront, metricName, statistic, label: metricName },
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
  })

type ViewerMetric =
  `Function${'Invocations' | 'ExecutionErrors' | 'ValidationErrors' | 'Throttles' | 'ComputeUtilization'}`

/** Returns a metric of a CloudFront Function, which has no distribution. */
export const viewerMetric = (functionName: string, metricName: ViewerMetric, statistic: string): Metric =>
  new Metric({
    ...{ ...inCloudFront, metricName, statistic, label: `${metricName.replace('Function', '')} ${functionName}` },
    dimensionsMap: { FunctionName: functionName, Region: 'Global' },
  })

type EdgeFunctionMetric = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'ConcurrentExecutions'

/** Returns a metric of the replicas of a Lambda@Edge function in `region`. */
export const edgeFunctionMetric = (
  functionName: string,
  region: EdgeRegion,
  metricName: EdgeFunctionMetric,
  statistic: string,
): Metric =>
  new Metric({
    ...{ namespace: 'AWS/Lambda', metricName, statistic, period: minute, region, label: region },
    dimensionsMap: { FunctionName: `${edgeHome}.${functionName}` },
  })

/** Returns a metric of the firewall's rules together, or of `rule`; `firewall` and `rule` are metric names. */
export const firewallMetric = (
  firewall: string,
  metricName: 'AllowedRequests' | 'BlockedRequests' | 'CountedRequests',
  rule = 'ALL',
): Metric =>
  new Metric({
    ...{
      namespace: 'AWS/WAFV2',
      metricName,
      statistic: Stats.SUM,
      period: minute,
      region: edgeHome,
      label: metricName,
    },
    dimensionsMap: { WebACL: firewall, Rule: rule },
  })
