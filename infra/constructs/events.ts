/**
 * Where the events of a stage go: the queue that wakes the function `events`, and the bus of EventBridge. Messages of the
 * queue hold no event: those are in the table, and `reconcile` wakes the function for what was left. So a message may be
 * lost, and there is no dead-letter queue. The bus is part of the stage, because EventBridge accepts events for a bus that
 * does not exist and drops them (https://github.com/aws/aws-sdk/issues/186).
 */
import { Duration, Validations } from 'aws-cdk-lib'
import { EventBus as Bus } from 'aws-cdk-lib/aws-events'
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
      new SqsEventSource(this.#queue, { batchSize, maxConcurrency: concurrency, reportBatchItemFailures: true }),
    )
  }
}

export class EventBus extends Construct {
  readonly #bus: Bus

  constructor(scope: Construct, id: string, { name }: Pick<StageSettings, 'name'>) {
    super(scope, id)
    this.#bus = new Bus(this, 'Bus', { eventBusName: `sluice-${name}` })
  }

  /** The function learns that there is a bus. */
  announce(fn: Grantee): void {
    fn.setVariable('EVENT_BUS', this.#bus.eventBusName)
  }

  grantPut(fn: Grantee): void {
    fn.allow(['events:PutEvents'], [this.#bus.eventBusArn])
    this.announce(fn)
  }
}
