/** A queue of the system and its dead letters, encrypted, reached over TLS only. */
import { Duration } from 'aws-cdk-lib'
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
} from '../../system/queues.ts'
import { kept } from '../kept.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

const safe = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  removalPolicy: kept,
} as const

/** A queue for what nobody takes away by itself; it keeps as long as SQS can. */
export function deadLetterQueue(scope: Construct, id: string, queueName: string): Queue {
  return new Queue(scope, id, {
    ...safe,
    queueName,
    retentionPeriod: Duration.days(deadLetterRetentionDays),
  })
}

export type MailQueueProps = { name: QueueName; settings: StageSettings }

export class MailQueue extends Construct {
  readonly queue: IQueue
  readonly deadLetters: IQueue
  readonly #name: QueueName
  readonly #settings: StageSettings

  constructor(scope: Construct, id: string, { name, settings }: MailQueueProps) {
    super(scope, id)
    this.#name = name
    this.#settings = settings
    const queueName = `sluice-${settings.name}-${name}`
    const deadLetters = deadLetterQueue(this, 'DeadLetters', `${queueName}-dlq`)
    this.deadLetters = deadLetters
    this.queue = new Queue(this, 'Queue', {
      ...safe,
      queueName,
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      retentionPeriod: Duration.days(queueRetentionDays),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    })
  }

  grantSend(fn: Grantee): void {
    fn.allow(['sqs:SendMessage'], [this.queue.queueArn])
    fn.tell(this.#variable('QUEUE_URL'), this.queue.queueUrl)
  }

  /** For what nothing can be made of: it goes to the dead letters at once, with the reason. */
  grantBury(fn: Grantee): void {
    fn.allow(['sqs:SendMessage'], [this.deadLetters.queueArn])
    fn.tell(this.#variable('DLQ_URL'), this.deadLetters.queueUrl)
  }

  /** Sending, counting what waits, and sending dead letters again. */
  grantLookAfter(fn: Grantee): void {
    this.grantSend(fn)
    this.grantBury(fn)
    fn.allow(['sqs:GetQueueAttributes'], [this.queue.queueArn, this.deadLetters.queueArn])
    fn.allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
      [this.deadLetters.queueArn],
    )
  }

  /** Hands the messages to their consumer. One bad message keeps only itself back. */
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

  #variable(what: string): string {
    return `${this.#name.toUpperCase()}_${what}`
  }
}
