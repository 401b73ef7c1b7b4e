/** Invokes `reconcile` every minute. A run lasts until just before the next one. */
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import {
  type IScheduleGroup,
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
} from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { reconcileRate } from '../../system/functions.ts'

export type ReconcileScheduleProps = { stage: string; reconcile: IAlias; failures: IQueue }

export class ReconcileSchedule extends Construct {
  /** The group of this stage; the default group belongs to the whole account. */
  readonly group: IScheduleGroup

  constructor(scope: Construct, id: string, { stage, reconcile, failures }: ReconcileScheduleProps) {
    super(scope, id)
    const interval = Duration.minutes(reconcileRate.everyMinutes)
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: `sluice-${stage}`,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    new Schedule(this, 'Schedule', {
      scheduleGroup: this.group,
      scheduleName: `sluice-${stage}-reconcile`,
      description: 'Reconciles all sales: finishes interrupted work and recovers lost sales.',
      schedule: ScheduleExpression.rate(interval),
      target: new LambdaInvoke(reconcile, {
        input: ScheduleTargetInput.fromObject(reconcileRate.input),
        // The next run does the work of one that was left out.
        retryAttempts: 0,
        maxEventAge: interval,
        deadLetterQueue: failures,
      }),
    })
  }
}
