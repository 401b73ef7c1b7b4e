/**
 * Metrics of the edge. CloudFront and the firewall report in us-east-1. A Lambda@Edge function
 * reports in the region in which it ran, under a name with the prefix of its home region
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/viewing-cloudfront-metrics.html).
 */
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { type EdgeRegion, edgeHome } from '../../system/edge-regions.ts'
import { minute } from './metrics.ts'

/** CloudFront reports one statistic of each. */
export type DistributionMetric =
  | 'Requests'
  | '4xxErrorRate'
  | '5xxErrorRate'
  | '503ErrorRate'
  | 'CacheHitRate'
  | 'OriginLatency'
  | 'LambdaExecutionError'
  | 'LambdaValidationError'
  | 'LambdaLimitExceededErrors'

/**
 * `CacheHitRate`, `OriginLatency` and `503ErrorRate` need the distribution's additional metrics.
 */
export function distributionMetric(distributionId: string, metricName: DistributionMetric, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { DistributionId: distributionId, Region: 'Global' },
    statistic,
    period: minute,
    region: edgeHome,
    label: metricName,
  })
}

type ViewerMetric =
  | 'FunctionInvocations'
  | 'FunctionExecutionErrors'
  | 'FunctionValidationErrors'
  | 'FunctionThrottles'
  | 'FunctionComputeUtilization'

/** Metrics of a CloudFront Function have no distribution. */
export function viewerMetric(functionName: string, metricName: ViewerMetric, statistic: string): Metric {
  return new Metric({
    namespace: 'AWS/CloudFront',
    metricName,
    dimensionsMap: { FunctionName: functionName, Region: 'Global' },
    statistic,
    period: minute,
    region: edgeHome,
    label: `${metricName.replace('Function', '')} ${functionName}`,
  })
}

type EdgeFunctionMetric = 'Invocations' | 'Errors' | 'Throttles' | 'Duration' | 'ConcurrentExecutions'

/** The copies of a Lambda@Edge function that ran in `region`. */
export function edgeFunctionMetric(
  functionName: string,
  region: EdgeRegion,
  metricName: EdgeFunctionMetric,
  statistic: string,
): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: `${edgeHome}.${functionName}` },
    statistic,
    period: minute,
    region,
    label: region,
  })
}

/** All rules of the firewall together, or the one with the metric name `rule`; `firewall` is its own metric name. */
export function firewallMetric(
  firewall: string,
  metricName: 'AllowedRequests' | 'BlockedRequests' | 'CountedRequests',
  rule = 'ALL',
): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName,
    dimensionsMap: { WebACL: firewall, Rule: rule },
    statistic: Stats.SUM,
    period: minute,
    region: edgeHome,
    label: metricName,
  })
}
