/**
 * When somebody must look at the way in. An alarm sees the metrics of its own region only, so it looks at those of the
 * distribution: CloudFront adds up there what happened in every region.
 */
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { type Bell, quietIsWell, type Ring, ring } from './alarm.ts'
import { distributionMetric, firewallMetric, viewerMetric } from './edge-metrics.ts'
import type { WatchedEdge } from './watched.ts'

/** The topic is in us-east-1, as the alarms are. */
export type EdgeAlarmsProps = WatchedEdge & { topic: ITopic }

export class EdgeAlarms extends Construct {
  readonly alarms: readonly Alarm[]

  constructor(scope: Construct, id: string, props: EdgeAlarmsProps) {
    super(scope, id)
    const bell: Bell = props
    this.alarms = [
      distributionRing(props.distributionId),
      ...viewerRings(props),
      unavailableRing(props.distributionId),
      ...edgeFunctionRings(props.distributionId),
      ...firewallRings(props.firewall),
    ].map((rung) => ring(this, bell, rung))
  }
}

function distributionRing(distributionId: string): Ring {
  return {
    about: 'edge-errors',
    means: 'One answer in twenty that shoppers get is an error of ours.',
    metric: distributionMetric(distributionId, '5xxErrorRate', Stats.AVERAGE),
    // A crowd that is refused because all places are taken gets 429, so these are failures; some seconds of them may heal.
    when: { atLeast: 5 },
    for: [3, 5],
    whenMissing: quietIsWell,
  }
}

/** A gate that cannot read its store answers by itself, so it fails nowhere and no function sees the click. */
function unavailableRing(distributionId: string): Ring {
  return {
    about: 'unavailable-gate',
    means: 'Shoppers get 503 and retry: from the gate itself, or from a function.',
    metric: distributionMetric(distributionId, '503ErrorRate', Stats.AVERAGE),
    // Of all requests, and a page looks at the pointer some ten times for each of its clicks: one in a hundred is every tenth
    // click. A crowd that is refused because all places are taken gets 429 and is not counted.
    when: { atLeast: 1 },
    for: [3, 5],
    whenMissing: quietIsWell,
  }
}

function viewerRings({ stage, viewerFunctionNames }: EdgeAlarmsProps): Ring[] {
  const faults = [
    // A request that the code cannot bear, from whoever tries; ten are no curiosity any more.
    { metricName: 'FunctionExecutionErrors', what: 'errors', atLeast: 10 },
    // An answer that CloudFront does not accept is a fault in the code, for everybody.
    { metricName: 'FunctionValidationErrors', what: 'answers', atLeast: 1 },
    // CloudFront has run out of what it gives to one function.
    { metricName: 'FunctionThrottles', what: 'throttles', atLeast: 1 },
  ] as const
  return viewerFunctionNames.flatMap((functionName) =>
    faults.map(
      ({ metricName, what, atLeast }): Ring => ({
        about: 'viewer-function',
        of: `${functionName.replace(`sluice-${stage}-`, '')}-${what}`,
        means: `The CloudFront Function ${functionName} fails, and what it failed for is answered with an error.`,
        metric: viewerMetric(functionName, metricName, Stats.SUM),
        when: { atLeast },
        for: [1, 1],
        whenMissing: quietIsWell,
      }),
    ),
  )
}

/**
 * Of both functions at the edge together, in all regions: CloudFront adds up what the distribution saw of them, in us-east-1. Which
 * function it was, and where, is on the dashboard.
 */
function edgeFunctionRings(distributionId: string): Ring[] {
  const failures = [
    ['execution', 'LambdaExecutionError', 'ended with an error or ran out of time'],
    ['answer', 'LambdaValidationError', 'gave an answer that CloudFront does not accept'],
  ] as const
  return [
    ...failures.map(
      ([of, metricName, what]): Ring => ({
        about: 'edge-function-errors',
        of,
        means: `A function at the edge ${what}, in some region, and the request was answered with an error.`,
        metric: distributionMetric(distributionId, metricName, Stats.SUM),
        // Both functions catch all that can be expected, so one is a fault in the code.
        when: { atLeast: 1 },
        for: [1, 1],
        whenMissing: quietIsWell,
      }),
    ),
    {
      about: 'edge-function-limits',
      means:
        'More requests come than a region may run of the functions at the edge; the others are answered with an error.',
      metric: distributionMetric(distributionId, 'LambdaLimitExceededErrors', Stats.SUM),
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
  ]
}

function firewallRings(firewall: string | undefined): Ring[] {
  if (firewall === undefined) return []
  return [
    {
      about: 'firewall-blocks',
      means: 'The firewall shuts out a flood, or shoppers.',
      metric: firewallMetric(firewall, 'BlockedRequests'),
      // Scanners are shut out all day, a few a second at most. This many are a flood, or a rule that hits shoppers.
      when: { atLeast: 1000 },
      for: [2, 3],
      whenMissing: quietIsWell,
    },
  ]
}
