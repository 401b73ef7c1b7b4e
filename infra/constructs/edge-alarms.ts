/**
 * Alarms of the edge, most urgent first. An alarm can only read metrics of its own region, so these read the distribution's:
 * CloudFront aggregates all regions in us-east-1.
 */
import { Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { AlarmInstance, AlarmRow } from './alarm.ts'
import { ruleMetricName, watchRule } from './firewall.ts'
import { type DistributionMetric, distributionMetric, firewallMetric, viewerMetric } from './metrics.ts'
import type { WatchedEdge } from './watched.ts'

const ofDistribution =
  (metricName: DistributionMetric, statistic: string) =>
  ({ distributionId }: WatchedEdge): AlarmInstance[] => [
    { metric: distributionMetric(distributionId, metricName, statistic) },
  ]

const viewerFaults = [
  // A request that the code cannot handle; ten are more than curiosity.
  { metricName: 'FunctionExecutionErrors', of: 'errors', atLeast: 10 },
  // An answer that CloudFront does not accept is a bug that hits every shopper.
  { metricName: 'FunctionValidationErrors', of: 'answers', atLeast: 1 },
  // CloudFront has reached the limit of one function.
  { metricName: 'FunctionThrottles', of: 'throttles', atLeast: 1 },
] as const

const failureOf: Record<string, string> = {
  execution: 'ended with an error or ran out of time',
  answer: 'gave an answer that CloudFront does not accept',
}

export const edgeAlarmRows: readonly AlarmRow<WatchedEdge>[] = [
  {
    section: 'edge-errors',
    isEssential: true,
    means: () => 'One answer in twenty to shoppers is an error of ours.',
    of: ofDistribution('5xxErrorRate', Stats.AVERAGE),
    // A crowd without free admissions gets 429, so these are failures; some seconds of them may end by themselves.
    atLeast: 5,
    for: [3, 5],
  },
  {
    // A gate that cannot read its store answers 503 by itself: it does not fail, and no function sees the click.
    section: 'gate-unavailable',
    means: () => 'Shoppers get 503 and retry, from the gate or from a function.',
    of: ofDistribution('503ErrorRate', Stats.AVERAGE),
    // The share of all requests. A page polls about ten times for each click, so one in a hundred is every tenth click.
    atLeast: 1,
    for: [3, 5],
  },
  {
    section: 'viewer-function',
    means: (of) => `The CloudFront Function ${of.replace(/-[a-z]+$/, '')} fails, and its requests get an error.`,
    of: ({ stage, viewerFunctionNames }) =>
      viewerFunctionNames.flatMap((functionName) =>
        viewerFaults.map(({ metricName, of, atLeast }) => ({
          of: `${functionName.replace(`sluice-${stage}-`, '')}-${of}`,
          metric: viewerMetric(functionName, metricName, Stats.SUM),
          atLeast,
        })),
      ),
  },
  {
    // In all regions; the dashboard shows where.
    section: 'edge-function-errors',
    isEssential: true,
    means: (of) => `The gate ${failureOf[of]}, and the request was answered with an error.`,
    // The gate catches every expected failure, so the first one is a bug.
    of: ({ distributionId }) => [
      { of: 'execution', metric: distributionMetric(distributionId, 'LambdaExecutionError', Stats.SUM) },
      { of: 'answer', metric: distributionMetric(distributionId, 'LambdaValidationError', Stats.SUM) },
    ],
  },
  {
    section: 'edge-function-limits',
    isEssential: true,
    means: () => 'A region gets more requests than the gate may serve there; the others are answered with an error.',
    of: ofDistribution('LambdaLimitExceededErrors', Stats.SUM),
  },
  {
    section: 'firewall-blocks',
    isEssential: true,
    means: () => 'The firewall blocks a flood, or shoppers.',
    of: ({ firewall }) => (firewall === undefined ? [] : [{ metric: firewallMetric(firewall, 'BlockedRequests') }]),
    // Scanners are blocked all day, a few a second at most. This many are a flood, or a rule that hits shoppers.
    atLeast: 1000,
    for: [2, 3],
  },
  {
    // Many hosts that each stay below the limit are blocked by no rule, and may use up the gate of a region.
    section: 'firewall-near-limit',
    means: () => 'Many calls come from addresses that stay just below the limit of the firewall.',
    of: ({ firewall }) =>
      firewall === undefined
        ? []
        : [{ metric: firewallMetric(firewall, 'CountedRequests', ruleMetricName(firewall, watchRule)) }],
    // Shoppers of a carrier exceed a third of the limit for a minute at a start; a host near it does so all the time.
    atLeast: 5000,
    for: [3, 5],
  },
]
