/**
 * One way to make an alarm: it rings when it begins and when it is over, says in one sentence what it means, and names its
 * section of the runbook. An alarm about nothing that the runbook tells of cannot be written.
 */
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'

/** The file that tells whoever hears an alarm what to do. */
export const runbook = 'docs/operations.md'

/** Its sections about alarms, by the anchors of their headings; most urgent first. `budget` is AWS Budgets' own mail. */
export const runbookSections = [
  'unavailable',
  'crashed',
  'throttled',
  'slow',
  'redis-latency',
  'sale-rebuilt',
  'stuck-messages',
  'failed-messages',
  'dead-letters',
  'outbox-age',
  'rejected-orders',
  'refused-claims',
  'contradicted-money',
  'mismatched-refunds',
  'failed-refunds',
  'refused-webhooks',
  'drift',
  'no-repair',
  'failing-repair',
  'failures',
  'failed-schedule',
  'table-throttled',
  'table-errors',
  'cap-conflicts',
  'untold-gate',
  'stale-shopfront',
  'canary',
  'edge-errors',
  'unavailable-gate',
  'viewer-function',
  'edge-function-errors',
  'edge-function-limits',
  'firewall-blocks',
  'budget',
] as const
export type RunbookSection = Exclude<(typeof runbookSections)[number], 'budget'>

/** Nothing is told while nothing happens, and that is well. */
export const quietIsWell = TreatMissingData.NOT_BREACHING

/** Where one stage rings its alarms. */
export type Bell = { stage: string; topic: ITopic }

export type Ring = {
  about: RunbookSection
  /** Which one, where the section is about several: a function, a queue. */
  of?: string
  /** One sentence for whoever is woken by it. */
  means: string
  metric: IMetric
  /** It rings at this value and above, or below the other one. */
  when: { atLeast: number } | { below: number }
  /** So many of the last so many periods. */
  for: readonly [periods: number, ofTheLast: number]
  whenMissing: TreatMissingData
  /** Of a percentile: a few values say nothing about the slowest hundredth. */
  isPercentile?: true
}

/** The alarm `sluice-<stage>-<about>[-<of>]`. */
export function ring(scope: Construct, { stage, topic }: Bell, rung: Ring): Alarm {
  const { about, of, means, metric, when, for: periods, whenMissing, isPercentile } = rung
  const what = of === undefined ? about : `${about}-${of}`
  const [datapointsToAlarm, evaluationPeriods] = periods
  const alarm = new Alarm(scope, what, {
    alarmName: `sluice-${stage}-${what}`,
    alarmDescription: `${means} Runbook: ${runbook}#${about}`,
    metric,
    ...('below' in when
      ? { threshold: when.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }
      : {
          threshold: when.atLeast,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        }),
    datapointsToAlarm,
    evaluationPeriods,
    treatMissingData: whenMissing,
    ...(isPercentile && { evaluateLowSampleCountPercentile: 'ignore' }),
  })
  const tell = new SnsAction(topic)
  alarm.addAlarmAction(tell)
  alarm.addOkAction(tell)
  return alarm
}
