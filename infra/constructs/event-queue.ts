/**
 * The queue that wakes `events`. Its messages hold no event: those are in the table, and `reconcile` wakes the function
 * for what was left. So a message may be lost, and there is no dead-letter queue.
 */
import { Duration, Validations } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { eventQueueConsumption, eventQueueName, eventVisibilitySeconds } from '../../system/events.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

export class EventQueue extends Construct {
  readonly #queue: IQueue

  constructor(scope: Construct, id: string, { name }: Pick<StageSettings, 'name'>) {
    super(scope, id)
    const queue = new Queue(this, 'Queue', {
      queueName: `sluice-${name}-${eventQueueName}`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(eventVisibilitySeconds),
      retentionPeriod: Duration.hours(1),
    })
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'Its messages only wake a function; the events are in the table, and reconcile wakes it again.',
    })
    this.#queue = queue
  }

  grantSend(fn: Grantee): void {
    fn.allow(['sqs:SendMessage'], [this.#queue.queueArn])
    fn.setVariable('EVENTS_QUEUE_URL', this.#queue.queueUrl)
  }

  consumedBy(live: IAlias): void {
    const { batchSize, concurrency } = eventQueueConsumption
    live.addEventSource(
      new SqsEventSource(this.#queue, {
        batchSize,
        maxConcurrency: concurrency,
        reportBatchItemFailures: true,
      }),
    )
  }
}
