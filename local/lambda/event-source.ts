/**
 * An SQS event source mapping: receives, batches, invokes, and deletes what the function handled.
 */
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { type BatchLimits, startBatcher } from './batcher.ts'
import { invoke, type LoadedFunction } from './invoke.ts'
import { failedMessages } from './partial-batch.ts'
import { openQueue, perCall, type SourceMessage } from './queue.ts'

export type EventSourceOptions = { queueUrl: string; queueArn: string; limits: BatchLimits }

/** Without the pause an unavailable queue would be polled thousands of times a second. */
const unavailablePauseMs = 500

/**
 * Messages often arrive one by one, faster than one receive can follow another. After a pause a
 * receive returns many of them.
 */
const gatherMs = 10

/**
 * Starts the mapping. Messages that the handler reports as failed (or all, when it throws) stay in
 * the queue until their visibility timeout, and the queue's redrive policy moves them to the
 * dead-letter queue in the end. `stop` ends receiving, then waits for running invocations.
 */
export function startEventSource(
  fn: LoadedFunction,
  { queueUrl, queueArn, limits }: EventSourceOptions,
  report: (failure: unknown) => void,
): { stop(): Promise<void> } {
  const queue = openQueue(queueUrl)
  const receives = new Set<Promise<void>>()
  const removals = new Set<Promise<void>>()
  /** Enough for all invocations and the batch after them, in receives of ten. */
  const heldLimit = (limits.concurrency + 1) * limits.size + perCall
  let held = 0
  let backlog = false
  let paused = false
  let unavailable = false
  let stopping = false

  const batcher = startBatcher<SourceMessage>(limits, async (messages) => {
    const handled = await handle(messages)
    track(removals, remove(handled)).finally(() => {
      held -= messages.length
      pull()
    })
  })
  pull()

  /** One long poll; several receives side by side while the queue has more than one returns. */
  function pull(): void {
    const isFree = () => receives.size === 0 || backlog
    const hasRoom = () => held + (receives.size + 1) * perCall <= heldLimit
    while (!stopping && !paused && isFree() && hasRoom()) {
      track(receives, receive()).finally(pull)
    }
  }

  async function receive(): Promise<void> {
    try {
      const messages = await (backlog ? queue.receive() : queue.wait())
      unavailable = false
      backlog = messages.length === perCall
      if (!backlog) pause(gatherMs)
      held += messages.length
      batcher.add(messages)
    } catch (failure) {
      if (stopping) return
      if (!unavailable) report(failure)
      unavailable = true
      backlog = false
      pause(unavailablePauseMs)
    }
  }

  function pause(ms: number): void {
    paused = true
    setTimeout(() => {
      paused = false
      pull()
    }, ms)
  }

  async function handle(messages: SourceMessage[]): Promise<SourceMessage[]> {
    try {
      const event: SQSEvent = { Records: messages.map((message) => recordOf(message, queueArn)) }
      const result = await invoke(fn, event)
      const failed = failedMessages(
        result,
        messages.map(({ MessageId }) => MessageId),
      )
      return messages.filter(({ MessageId }) => !failed.has(MessageId))
    } catch (failure) {
      report(failure)
      return []
    }
  }

  async function remove(messages: SourceMessage[]): Promise<void> {
    await queue.remove(messages).catch(report)
  }

  return {
    async stop() {
      stopping = true
      await queue.stopWaiting()
      await Promise.all(receives)
      await batcher.idle()
      await Promise.all(removals)
      await queue.close()
    },
  }
}

/** Keeps `work` in `running` until it is done. */
function track(running: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  const tracked = work.finally(() => running.delete(tracked))
  running.add(tracked)
  return tracked
}

function recordOf(message: SourceMessage, queueArn: string): SQSRecord {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes,
    messageAttributes: {},
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  }
}
