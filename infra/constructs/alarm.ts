/**
 * Alarms as table rows. Every alarm notifies when it starts and when it ends, says in one sentence
 * what it means, and names its section of the runbook. `npm run check` compares the rows with it.
 */

import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'
import type { Size } from '../settings/stage.ts'

/** The page that says what to do about each alarm of the engine. */
export const runbook = 'docs/how-to/runbooks.md'

/** `of` distinguishes the alarms of one row: a function, a queue. */
export type AlarmInstance = { of?: string; metric: IMetric; atLeast?: number }

/** One kind of alarm. `Watched` has the functions, queues and tables of a stage. */
export type AlarmRow<Watched> = {
  /** The anchor of its section in the runbook, and the alarm's name. */
  section: string
  /** The page of that section, for the alarm of an option. */
  page?: string
  means: (of: string) => string
  of: (watched: Watched) => AlarmInstance[]
  /** Threshold, 1 by default. `below` instead: the alarm starts under that value. */
  atLeast?: number
  below?: number
  /** How many of the last periods must be over the threshold; one of one by default. */
  for?: readonly [periods: number, ofTheLast: number]
  /** By default missing data starts no alarm. */
  whenMissing?: TreatMissingData
  /** The metric is a percentile: the alarm ignores minutes with too few values for it. */
  isPercentile?: true
  /** Also in a small stage: it reports lost units, money or messages, or a part that does not work at all. */
  isEssential?: true
}

export const rowsOfSize = <Watched>(rows: readonly AlarmRow<Watched>[], size: Size) =>
  size === 'full' ? rows : rows.filter(({ isEssential }) => isEssential === true)

/** Creates `sluice-<stage>-<section>[-<of>]` for every instance of every row, in the order of the rows. */
export function createAlarms<Watched extends { stage: string }>(
  stack: Construct,
  rows: readonly AlarmRow<Watched>[],
  watched: Watched,
  { size, topic }: { size: Size; topic: ITopic },
): Alarm[] {
  const { stage } = watched
  const scope = new Construct(stack, 'Alarms')
  const action = new SnsAction(topic)
  return rowsOfSize(rows, size).flatMap((row) =>
    row.of(watched).map((instance) => {
      const { section, page = runbook, means, for: [datapointsToAlarm, evaluationPeriods] = [1, 1] } = row
      const name = instance.of === undefined ? section : `${section}-${instance.of}`
      const alarm = new Alarm(scope, name, {
        alarmName: `sluice-${stage}-${name}`,
        alarmDescription: `${means(instance.of ?? '')} Runbook: ${page}#${section}`,
        metric: instance.metric,
        ...(row.below !== undefined
          ? { threshold: row.below, comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD }
          : {
              threshold: instance.atLeast ?? row.atLeast ?? 1,
              comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            }),
        datapointsToAlarm,
        evaluationPeriods,
        treatMissingData: row.whenMissing ?? TreatMissingData.NOT_BREACHING,
        ...(row.isPercentile && { evaluateLowSampleCountPercentile: 'ignore' }),
      })
      alarm.addAlarmAction(action)
      alarm.addOkAction(action)
      return alarm
    }),
  )
}

export type AlarmTopicProps = { stage: string; email?: string | undefined }

export class AlarmTopic extends Construct {
  readonly topic: ITopic

  constructor(scope: Construct, id: string, { stage, email }: AlarmTopicProps) {
    super(scope, id)
    const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:sluice-${stage}-*`
    const cloudWatch = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID }, ArnLike: { 'aws:SourceArn': alarms } },
    }
    const masterKey = new Key(this, 'Key', {
      description: `Alarms of sluice-${stage}`,
      enableKeyRotation: true,
      // No stored data is encrypted with it.
      removalPolicy: RemovalPolicy.DESTROY,
    })
    masterKey.addToResourcePolicy(
      new PolicyStatement({ ...cloudWatch, actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: ['*'] }),
    )
    const topic = new Topic(this, 'Topic', {
      topicName: `sluice-${stage}-alarms`,
      displayName: `Sluice ${stage}`,
      masterKey,
      enforceSSL: true,
    })
    topic.addToResourcePolicy(
      new PolicyStatement({ ...cloudWatch, actions: ['sns:Publish'], resources: [topic.topicArn] }),
    )
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email))
    this.topic = topic
  }
}
