/**
 * What the edge says about itself. CloudFront and the firewall tell everything in us-east-1; a Lambda@Edge function tells it
 * in whichever region a copy of it ran, under a name that begins with the region it came from
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/viewing-cloudfront-metrics.html).
 */
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { type EdgeRegion, edgeHome } from '../../system/edge-regions.ts'
import { minute } from './metrics.ts'

/** Of each metric CloudFront tells one statistic only. */
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

/** `CacheHitRate`, `OriginLatency` and `503ErrorRate` are there only with the distribution's additional metrics. */
export function distributionMetric(
  distributionId: string,
  metricName: DistributionMetric,
  statistic: string,
): Metric {
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

/** A CloudFront Function belongs to no distribution. */
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

/** Of the copies of a Lambda@Edge function that ran in `region`. */
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

/** Of the rules of the firewall together; `firewall` is the name of its own metric. */
export function firewallMetric(firewall: string, metricName: 'AllowedRequests' | 'BlockedRequests'): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName,
    dimensionsMap: { WebACL: firewall, Rule: 'ALL' },
    statistic: Stats.SUM,
    period: minute,
    region: edgeHome,
    label: metricName,
  })
}
