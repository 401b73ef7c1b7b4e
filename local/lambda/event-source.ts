/**
 * An SQS event source mapping: receives, batches, invokes, and deletes what the function handled.
 */
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Message, SQSClient } from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { Consumer } from 'sqs-consumer'
import { type BatchLimits, startBatcher } from './batcher.ts'
import { invoke, type LoadedFunction } from './invoke.ts'
import { failedMessages } from './partial-batch.ts'

export type EventSourceOptions = {
  queueUrl: string
  queueArn: string
  limits: BatchLimits
  /** Concurrent long polls; each one returns at most ten messages. */
  receivers: number
}

/**
 * Starts the mapping. Messages that the handler reports as failed (or all, when it throws) stay in
 * the queue until their visibility timeout, and the queue's redrive policy moves them to the
 * dead-letter queue in the end. `stop` ends receiving, then waits for running invocations.
 */
export function startEventSource(
  fn: LoadedFunction,
  { queueUrl, queueArn, limits, receivers }: EventSourceOptions,
  report: (failure: unknown) => void,
): { stop(): Promise<void> } {
  const sqs = new SQSClient({
    endpoint: new URL(queueUrl).origin,
    maxAttempts: 1,
    // The local queue checks neither; in the cloud Lambda's own pollers do this work.
    md5: false,
    signer: { sign: async (request) => request },
  })
  const batcher = startBatcher<Message>(limits, async (messages) => {
    try {
      const result = await invoke(fn, {
        Records: messages.map((m) => recordOf(m, queueArn)),
      } satisfies SQSEvent)
      const failed = failedMessages(result, messages.map(idOf))
      return new Set(messages.filter((message) => failed.has(idOf(message))))
    } catch (failure) {
      report(failure)
      throw failure
    }
  })
  const started = Array.from({ length: receivers }, () => startReceiver(sqs, queueUrl, batcher.add, report))
  return {
    async stop() {
      await Promise.all(started.map((receiver) => receiver.stop()))
      await batcher.idle()
      sqs.destroy()
    },
  }
}

const pauseWhenDarkMs = 500

/**
 * One receive loop: at most ten messages, deleted when `handle` returns them, then the next ten.
 */
function startReceiver(
  sqs: SQSClient,
  queueUrl: string,
  handle: (messages: Message[]) => Promise<Message[]>,
  report: (failure: unknown) => void,
): { stop(): Promise<void> } {
  let stopping = false
  let busy = false
  let unavailable = false
  const consumer = Consumer.create({
    queueUrl,
    sqs,
    batchSize: 10,
    waitTimeSeconds: 20,
    messageSystemAttributeNames: ['All'],
    authenticationErrorTimeout: pauseWhenDarkMs,
    // Without the pause a queue that refuses connections would be polled thousands of times a
    // second.
    preReceiveMessageCallback: async () => {
      if (unavailable) await setTimeout(pauseWhenDarkMs)
    },
    postReceiveMessageCallback: async () => {
      unavailable = false
    },
    handleMessageBatch: (messages) => {
      busy = true
      return handle(messages)
    },
  })
  consumer.on('response_processed', () => {
    busy = false
  })
  consumer.on('error', (failure) => {
    if (!unavailable && !stopping) report(failure)
    unavailable = !busy
  })
  consumer.start()
  return {
    async stop() {
      stopping = true
      // Aborting would also cut off the deletion of messages that were just handled.
      const processed = busy ? once(consumer, 'response_processed') : undefined
      consumer.stop({ abort: processed === undefined })
      await processed
    },
  }
}

function idOf(message: Message): string {
  return message.MessageId ?? ''
}

function recordOf(message: Message, queueArn: string): SQSRecord {
  const attributes = message.Attributes ?? {}
  return {
    messageId: idOf(message),
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: attributes.ApproximateReceiveCount ?? '1',
      SentTimestamp: attributes.SentTimestamp ?? '0',
      SenderId: attributes.SenderId ?? '',
      ApproximateFirstReceiveTimestamp: attributes.ApproximateFirstReceiveTimestamp ?? '0',
    },
    messageAttributes: {},
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  }
}
