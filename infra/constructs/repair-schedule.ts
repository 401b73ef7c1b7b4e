/** Invokes `reconcile` every minute, which then stays with the sales until just before the next run. */
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

export type RepairScheduleProps = { stage: string; reconcile: IAlias; failures: IQueue }

export class RepairSchedule extends Construct {
  /** The schedules of this stage: the group of all that have none belongs to the whole account. */
  readonly group: IScheduleGroup

  constructor(scope: Construct, id: string, { stage, reconcile, failures }: RepairScheduleProps) {
    super(scope, id)
    const interval = Duration.minutes(reconcileRate.everyMinutes)
    this.group = new ScheduleGroup(this, 'Group', {
      scheduleGroupName: `sluice-${stage}`,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    new Schedule(this, 'Schedule', {
      scheduleGroup: this.group,
      scheduleName: `sluice-${stage}-reconcile`,
      description: 'Looks after all sales: what a failure cut off is finished, what was lost is rebuilt.',
      schedule: ScheduleExpression.rate(interval),
      target: new LambdaInvoke(reconcile, {
        input: ScheduleTargetInput.fromObject(reconcileRate.input),
        // A run that did not come about is made good by the next one.
        retryAttempts: 0,
        maxEventAge: interval,
        deadLetterQueue: failures,
      }),
    })
  }
}
