/** The dashboard of the edge: the distribution's answers, and the gate in each region. */
import { type Alarm, type GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { Construct } from 'constructs'
import { edgeRegions } from '../../system/edge-regions.ts'
import { createDashboard, smallGraph } from './dashboard.ts'
import { distributionMetric, edgeFunctionMetric, firewallMetric, viewerMetric } from './metrics.ts'
import type { WatchedEdge } from './watched.ts'

export function createEdgeDashboard(stack: Construct, watched: WatchedEdge, alarms: readonly Alarm[]): void {
  const rows = [answers(watched), ...gate(watched), before(watched)]
  createDashboard(stack, `sluice-${watched.stage}-edge`, alarms, rows)
}

function answers({ distributionId }: WatchedEdge): GraphWidget[] {
  const average = (name: '4xxErrorRate' | '5xxErrorRate' | 'CacheHitRate') =>
    distributionMetric(distributionId, name, Stats.AVERAGE)
  return [
    smallGraph('Requests', [distributionMetric(distributionId, 'Requests', Stats.SUM)]),
    smallGraph('Rejected (4xx) and failed (5xx) requests, %', [average('4xxErrorRate'), average('5xxErrorRate')]),
    smallGraph('Cache hit rate, %', [average('CacheHitRate')]),
  ]
}

/** Returns two rows of three graphs, with every region, since shoppers may be anywhere. */
function gate({ gate: { functionName }, distributionId }: WatchedEdge): GraphWidget[][] {
  const everywhere = (metricName: Parameters<typeof edgeFunctionMetric>[2], statistic: string) =>
    edgeRegions.map((region) => edgeFunctionMetric(functionName, region, metricName, statistic))
  const faults = [
    smallGraph('Gate: errors', everywhere('Errors', Stats.SUM)),
    smallGraph('Gate: throttled', everywhere('Throttles', Stats.SUM)),
    smallGraph('Gate: duration p99, ms', everywhere('Duration', Stats.p(99))),
  ]
  const load = [
    smallGraph('Gate: requests', everywhere('Invocations', Stats.SUM)),
    smallGraph('Gate: concurrency', everywhere('ConcurrentExecutions', Stats.MAXIMUM)),
    smallGraph('Origin latency p99, ms', [distributionMetric(distributionId, 'OriginLatency', Stats.p(99))]),
  ]
  return [faults, load]
}

function before({ viewerFunctionNames, firewall }: WatchedEdge): GraphWidget[] {
  const each = (metricName: Parameters<typeof viewerMetric>[1], statistic: string) =>
    viewerFunctionNames.map((name) => viewerMetric(name, metricName, statistic))
  return [
    smallGraph('CloudFront Functions: runs', each('FunctionInvocations', Stats.SUM)),
    smallGraph(
      'CloudFront Functions: faults; compute utilization, %',
      [
        ...each('FunctionExecutionErrors', Stats.SUM),
        ...each('FunctionValidationErrors', Stats.SUM),
        ...each('FunctionThrottles', Stats.SUM),
      ],
      each('FunctionComputeUtilization', Stats.AVERAGE),
    ),
    ...(firewall === undefined
      ? []
      : [
          smallGraph(
            'Firewall',
            [firewallMetric(firewall, 'BlockedRequests')],
            [firewallMetric(firewall, 'AllowedRequests')],
          ),
        ]),
  ]
}
