/** Invokes a function at a rate. */
import { Duration } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import { type IScheduleGroup, Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'

/** `input` is the event of each run; `failures` takes the runs that could not be started. */
export type FunctionScheduleProps = {
  group: IScheduleGroup
  name: string
  description: string
  fn: IAlias
  everyMinutes: number
  input: Readonly<Record<string, unknown>>
  failures: IQueue
}

export class FunctionSchedule extends Schedule {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    const { group: scheduleGroup, name: scheduleName, description, fn, everyMinutes, input, failures } = props
    const interval = Duration.minutes(everyMinutes)
    const target = new LambdaInvoke(fn, {
      input: ScheduleTargetInput.fromObject(input),
      // The next run does the work of a skipped one.
      ...{ retryAttempts: 0, maxEventAge: interval, deadLetterQueue: failures },
    })
    super(scope, id, { scheduleGroup, scheduleName, description, schedule: ScheduleExpression.rate(interval), target })
  }
}
