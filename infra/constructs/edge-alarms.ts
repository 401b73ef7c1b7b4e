/**
 * When somebody must look at the way in. An alarm sees the metrics of its own region only, so of a function at the edge it sees
 * the copies in us-east-1; what fails in another region is seen in the distribution's 5xx, and on the dashboard of the edge.
 */
import { type Alarm, type MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { edgeHome } from '../system/edge-regions.ts'
import { type Bell, quietIsWell, type Ring, ring } from './alarm.ts'
import { distributionMetric, edgeFunctionMetric, firewallMetric, viewerMetric } from './edge-metrics.ts'
import { filledSum } from './metrics.ts'
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
      ...gateRings(props.gate.functionName),
      missingRing(props.missing.functionName),
      ...firewallRings(props.firewall),
    ].map((rung) => ring(this, bell, rung))
  }
}

function distributionRing(distributionId: string): Ring {
  return {
    about: 'edge-errors',
    means: 'One answer in twenty that shoppers get is an error of ours.',
    metric: distributionMetric(distributionId, '5xxErrorRate', Stats.AVERAGE),
    // While all places are taken the gate says 503 for some seconds of a rush, which is honest; minutes of it are not a rush.
    when: { atLeast: 5 },
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

/** Told under the plain name or that of the copies: whichever it is in us-east-1, their sum is right. */
function inHomeRegion(functionName: string, metricName: 'Errors' | 'Throttles'): MathExpression {
  const copies = edgeFunctionMetric(functionName, edgeHome, metricName, Stats.SUM)
  const plain = copies.with({ dimensionsMap: { FunctionName: functionName } })
  return filledSum([copies, plain], `${metricName} of ${functionName} in ${edgeHome}`)
}

function gateRings(functionName: string): Ring[] {
  return [
    {
      about: 'gate-errors',
      means: 'The gate fails at the edge, and every click that it failed for is answered with an error.',
      metric: inHomeRegion(functionName, 'Errors'),
      // It catches all that can be expected; one is a fault in the code or an answer that CloudFront does not accept.
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
    {
      about: 'gate-throttled',
      means: 'More clicks come than the gate may take in this region; the others are answered with an error.',
      metric: inHomeRegion(functionName, 'Throttles'),
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
  ]
}

/** Throttles are not among them: both functions share what a region may run at once, of which the gate's alarm tells. */
function missingRing(functionName: string): Ring {
  return {
    about: 'missing-errors',
    means: 'The function for missing pages fails, and so does every page that no cache has.',
    metric: inHomeRegion(functionName, 'Errors'),
    // It passes on whatever it does not know; one is a fault in the code or an answer that CloudFront does not accept.
    when: { atLeast: 1 },
    for: [1, 1],
    whenMissing: quietIsWell,
  }
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
