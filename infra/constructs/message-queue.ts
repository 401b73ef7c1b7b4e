/** The queues of the system, encrypted, over TLS only: with a dead-letter queue, or queues that only wake a function. */
import { Duration, Validations } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import {
  consumptions,
  deadLetterRetentionDays,
  maxReceives,
  type QueueName,
  queueRetentionDays,
  visibilitySeconds,
  type WakingQueueName,
  wakingQueues,
} from '../../system/queues.ts'
import { retain } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

const defaults = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy: retain } as const

/** Creates a queue without a consumer, with the maximum retention of SQS. */
export function deadLetterQueue(scope: Construct, id: string, queueName: string): Queue {
  return new Queue(scope, id, { ...defaults, queueName, retentionPeriod: Duration.days(deadLetterRetentionDays) })
}

function allowQueue(fn: Grantee, actions: readonly string[], { queueArn, queueUrl }: IQueue, variable: string): void {
  const allowed = actions.map((action) => `sqs:${action}`)
  fn.allow(allowed, [queueArn])
  fn.setVariable(variable, queueUrl)
}

export type MessageQueueProps = { name: QueueName; settings: StageSettings }

export class MessageQueue extends Construct {
  readonly queue: IQueue
  readonly deadLetters: IQueue
  readonly #name: QueueName
  readonly #settings: StageSettings

  constructor(scope: Construct, id: string, { name, settings }: MessageQueueProps) {
    super(scope, id)
    this.#name = name
    this.#settings = settings
    const queueName = `sluice-${settings.name}-${name}`
    const deadLetters = deadLetterQueue(this, 'DeadLetters', `${queueName}-dlq`)
    this.deadLetters = deadLetters
    this.queue = new Queue(this, 'Queue', {
      ...defaults,
      queueName,
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(queueRetentionDays),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    })
  }

  grantSend(fn: Grantee): void {
    this.#allow(fn, ['SendMessage'])
  }

  /** Allows sending unreadable messages to the dead-letter queue at once, with the reason. */
  grantReject(fn: Grantee): void {
    this.#allowDeadLetters(fn, ['SendMessage'])
  }

  /** Allows making received messages visible before their timeout. */
  grantShowAgain(fn: Grantee): void {
    this.#allow(fn, ['ChangeMessageVisibility'])
  }

  /** Allows reading the number of messages in the queue. */
  grantDepth(fn: Grantee): void {
    this.#allow(fn, ['GetQueueAttributes'])
  }

  /** Allows redriving dead letters. */
  grantRedrive(fn: Grantee): void {
    this.grantSend(fn)
    this.#allowDeadLetters(fn, ['GetQueueAttributes', 'ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility'])
  }

  /** Invokes the consumer with batches. A failed message does not fail its batch. */
  consumedBy(live: IAlias): void {
    const { batchSize, windowSeconds } = consumptions[this.#name]
    live.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize,
        maxBatchingWindow: Duration.seconds(windowSeconds),
        reportBatchItemFailures: true,
        maxConcurrency: this.#settings.consumers[this.#name],
      }),
    )
  }

  #allow(fn: Grantee, actions: readonly string[]): void {
    allowQueue(fn, actions, this.queue, `${this.#name.toUpperCase()}_QUEUE_URL`)
  }

  #allowDeadLetters(fn: Grantee, actions: readonly string[]): void {
    allowQueue(fn, actions, this.deadLetters, `${this.#name.toUpperCase()}_DLQ_URL`)
  }
}

/** A queue without a dead-letter queue (system/queues.ts). */
export class WakingQueue extends Construct {
  readonly #name: WakingQueueName
  readonly #queue: IQueue

  constructor(scope: Construct, id: string, stage: string, name: WakingQueueName) {
    super(scope, id)
    this.#name = name
    const { visibilitySeconds, retentionSeconds } = wakingQueues[name]
    const queue = new Queue(this, 'Queue', {
      ...defaults,
      queueName: `sluice-${stage}-${name}`,
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.seconds(retentionSeconds),
    })
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'Its messages only wake a function; what they are about is in the table, where reconcile finds it.',
    })
    this.#queue = queue
  }

  grantSend(fn: Grantee): void {
    allowQueue(fn, ['SendMessage'], this.#queue, `${this.#name.toUpperCase()}_QUEUE_URL`)
  }

  consumedBy(live: IAlias): void {
    const { batchSize, concurrency } = wakingQueues[this.#name]
    live.addEventSource(
      new SqsEventSource(this.#queue, { batchSize, maxConcurrency: concurrency, reportBatchItemFailures: true }),
    )
  }
}
