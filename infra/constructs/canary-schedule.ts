/** Invokes the canary every minute with the address of the shop. */
import { Duration } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import {
  type IScheduleGroup,
  Schedule,
  ScheduleExpression,
  ScheduleTargetInput,
} from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

export type CanaryScheduleProps = {
  stage: string
  group: IScheduleGroup
  canary: IAlias
  shopUrl: string
  failures: IQueue
}

const everyMinute = Duration.minutes(1)

export class CanarySchedule extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { stage, group, canary, shopUrl, failures }: CanaryScheduleProps,
  ) {
    super(scope, id)
    new Schedule(this, 'Schedule', {
      scheduleGroup: group,
      scheduleName: `sluice-${stage}-canary`,
      description: 'Checks the shop from outside: a page, the clock, and a rejected webhook.',
      schedule: ScheduleExpression.rate(everyMinute),
      target: new LambdaInvoke(canary, {
        input: ScheduleTargetInput.fromObject({ url: shopUrl }),
        // The next run repeats the check.
        retryAttempts: 0,
        maxEventAge: everyMinute,
        deadLetterQueue: failures,
      }),
    })
  }
}
