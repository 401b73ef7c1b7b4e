/** The way in during a sale: what the crowd gets from the distribution, and how the gate does in each region it runs in. */
import {
  type Alarm,
  AlarmState,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  PeriodOverride,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import { edgeRegions } from '../system/edge-regions.ts'
import { runbook } from './alarm.ts'
import { distributionMetric, edgeFunctionMetric, firewallMetric, viewerMetric } from './edge-metrics.ts'
import { minute } from './own-metrics.ts'

export type EdgeDashboardProps = {
  stage: string
  distributionId: string
  gate: { functionName: string }
  viewerFunctionNames: readonly string[]
  firewall?: string
  alarms: readonly Alarm[]
}

const fullWidth = 24
const third = fullWidth / 3

export class EdgeDashboard extends Construct {
  constructor(scope: Construct, id: string, props: EdgeDashboardProps) {
    super(scope, id)
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: `sluice-${props.stage}-edge`,
      periodOverride: PeriodOverride.INHERIT,
    })
    dashboard.addWidgets(
      new AlarmStatusWidget({
        title: `Alarms that ring (${runbook})`,
        alarms: [...props.alarms],
        states: [AlarmState.ALARM],
        width: fullWidth,
        height: 3,
      }),
    )
    dashboard.addWidgets(...answers(props))
    dashboard.addWidgets(...gate(props))
    dashboard.addWidgets(...gateLoad(props))
    dashboard.addWidgets(...before(props))
  }
}

function graph(title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget {
  return new GraphWidget({
    title,
    width: third,
    height: 6,
    left: [...left],
    right: [...right],
    period: minute,
  })
}

function answers({ distributionId }: EdgeDashboardProps): GraphWidget[] {
  const average = (name: '4xxErrorRate' | '5xxErrorRate' | 'CacheHitRate') =>
    distributionMetric(distributionId, name, Stats.AVERAGE)
  return [
    graph('Requests', [distributionMetric(distributionId, 'Requests', Stats.SUM)]),
    graph('Answers that refuse (4xx) and fail (5xx), %', [average('4xxErrorRate'), average('5xxErrorRate')]),
    graph('Answered from a cache, %', [average('CacheHitRate')]),
  ]
}

/** In every region, since nobody knows where shoppers are. */
function gate({ gate: { functionName } }: EdgeDashboardProps): GraphWidget[] {
  const everywhere = (metricName: 'Errors' | 'Throttles' | 'Duration', statistic: string) =>
    edgeRegions.map((region) => edgeFunctionMetric(functionName, region, metricName, statistic))
  return [
    graph('Gate: failed', everywhere('Errors', Stats.SUM)),
    graph('Gate: throttled', everywhere('Throttles', Stats.SUM)),
    graph('Gate: duration p99, ms', everywhere('Duration', Stats.p(99))),
  ]
}

function gateLoad({ gate: { functionName }, distributionId }: EdgeDashboardProps): GraphWidget[] {
  const everywhere = (metricName: 'Invocations' | 'ConcurrentExecutions', statistic: string) =>
    edgeRegions.map((region) => edgeFunctionMetric(functionName, region, metricName, statistic))
  return [
    graph('Gate: clicks', everywhere('Invocations', Stats.SUM)),
    graph('Gate: running at once', everywhere('ConcurrentExecutions', Stats.MAXIMUM)),
    graph('Until an origin answers p99, ms', [
      distributionMetric(distributionId, 'OriginLatency', Stats.p(99)),
    ]),
  ]
}

/** What comes before the gate. */
function before({ viewerFunctionNames, firewall }: EdgeDashboardProps): GraphWidget[] {
  const each = (metricName: Parameters<typeof viewerMetric>[1], statistic: string) =>
    viewerFunctionNames.map((name) => viewerMetric(name, metricName, statistic))
  return [
    graph('CloudFront Functions: runs', each('FunctionInvocations', Stats.SUM)),
    graph(
      'CloudFront Functions: faults; share of the time they may take, %',
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
          graph(
            'Firewall',
            [firewallMetric(firewall, 'BlockedRequests')],
            [firewallMetric(firewall, 'AllowedRequests')],
          ),
        ]),
  ]
}
