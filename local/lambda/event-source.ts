/** An SQS event source mapping: receives messages, batches them, invokes the function, and deletes the handled ones. */
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { openOrigin } from '../origin.ts'
import { failedMessages, invoke, type LoadedFunction } from './invoke.ts'

export type EventSourceOptions = { queueUrl: string; queueArn: string; limits: BatchLimits }

/** Without this pause an unavailable queue would be polled thousands of times a second. */
const unavailablePauseMs = 500

/** Messages often arrive one by one, faster than receives. After this pause a receive returns many of them. */
const gatherMs = 10

/**
 * Starts the mapping. Messages that the handler reports as failed (or all, when it throws) stay in the queue until
 * their visibility timeout; the queue's redrive policy finally moves them to the dead-letter queue. `stop` stops
 * receiving, then waits for running invocations.
 */
export function startEventSource(
  fn: LoadedFunction,
  { queueUrl, queueArn, limits }: EventSourceOptions,
  report: (failure: unknown) => void,
): { stop(): Promise<void> } {
  const queue = openQueue(queueUrl)
  const receives = new Set<Promise<void>>()
  const removals = new Set<Promise<void>>()
  /** Enough for all invocations and the next batch, in receives of ten. */
  const heldLimit = (limits.concurrency + 1) * limits.size + perCall
  let held = 0
  let hasBacklog = false
  let isPaused = false
  let isUnavailable = false
  let isStopping = false

  const batcher = startBatcher<SourceMessage>(limits, async (messages) => {
    const handled = await handle(messages)
    track(removals, remove(handled)).finally(() => {
      held -= messages.length
      pull()
    })
  })
  pull()

  /** Runs one long poll, or several parallel receives while the queue has a backlog. */
  function pull(): void {
    const isFree = () => receives.size === 0 || hasBacklog
    const hasRoom = () => held + (receives.size + 1) * perCall <= heldLimit
    while (!isStopping && !isPaused && isFree() && hasRoom()) {
      track(receives, receive()).finally(pull)
    }
  }

  async function receive(): Promise<void> {
    try {
      const messages = await (hasBacklog ? queue.receive() : queue.wait())
      isUnavailable = false
      hasBacklog = messages.length === perCall
      if (!hasBacklog) pause(gatherMs)
      held += messages.length
      batcher.add(messages)
    } catch (failure) {
      if (isStopping) return
      if (!isUnavailable) report(failure)
      isUnavailable = true
      hasBacklog = false
      pause(unavailablePauseMs)
    }
  }

  function pause(ms: number): void {
    isPaused = true
    setTimeout(() => {
      isPaused = false
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
      isStopping = true
      await queue.stopWaiting()
      await Promise.all(receives)
      await batcher.idle()
      await Promise.all(removals)
      await queue.close()
    },
  }
}

/** Tracks `work` in `running` until it is done. */
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

/**
 * The batches of an event source mapping with a batching window. SQS returns at most ten messages per receive; larger
 * batches let one invocation commit many orders together.
 */
type BatchLimits = { size: number; windowMs: number; concurrency: number }

/**
 * Calls `run` with up to `size` items, as soon as that many wait or `windowMs` after the first one, in at most
 * `concurrency` calls at a time. `run` must not reject. `idle` flushes waiting items, and resolves when nothing runs.
 */
export function startBatcher<T>(
  limits: BatchLimits,
  run: (items: T[]) => Promise<void>,
): { add(items: readonly T[]): void; idle(): Promise<void> } {
  const queue: T[] = []
  const idleWaiters: (() => void)[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined
  let isWindowOver = false

  function pump(): void {
    while (queue.length > 0 && running < limits.concurrency && (isWindowOver || queue.length >= limits.size)) {
      void flush(queue.splice(0, limits.size))
    }
    if (queue.length === 0) {
      clearTimeout(timer)
      timer = undefined
      isWindowOver = false
      if (running === 0) for (const resolve of idleWaiters.splice(0)) resolve()
    } else if (timer === undefined && !isWindowOver) {
      timer = setTimeout(() => {
        timer = undefined
        isWindowOver = true
        pump()
      }, limits.windowMs)
    }
  }

  async function flush(batch: T[]): Promise<void> {
    running += 1
    await run(batch)
    running -= 1
    pump()
  }

  return {
    add(items) {
      queue.push(...items)
      pump()
    },
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve)
        isWindowOver = queue.length > 0
        pump()
      }),
  }
}

/** Maximum of messages in one receive or batch of SQS. */
const perCall = 10

const longPollSeconds = 20

const message = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.object({
    ApproximateReceiveCount: z.string(),
    SentTimestamp: z.string(),
    SenderId: z.string(),
    ApproximateFirstReceiveTimestamp: z.string(),
  }),
})
const received = z.object({ Messages: z.optional(z.array(message)) })
const deleted = z.object({ Failed: z.optional(z.array(z.object({ Id: z.string() }))) })

type SourceMessage = z.infer<typeof message>

type Queue = {
  /** Returns up to ten available messages. */
  receive(): Promise<SourceMessage[]>
  /** Returns up to ten messages as soon as the queue has one, or none after 20 seconds. */
  wait(): Promise<SourceMessage[]>
  /** Ends calls of `wait`, which reject, and rejects new ones. */
  stopWaiting(): Promise<void>
  /** Deletes handled messages. */
  remove(messages: readonly SourceMessage[]): Promise<void>
  close(): Promise<void>
}

/** Opens a queue. All calls reject when it is unavailable or refuses them. */
function openQueue(queueUrl: string): Queue {
  const { origin } = new URL(queueUrl)
  const calls = openOrigin(origin)
  const waits = openOrigin(origin)

  async function call(through: typeof calls, action: string, parameters: object): Promise<unknown> {
    const { status, body } = await through.send({
      method: 'POST',
      path: '/',
      headers: ['content-type', 'application/x-amz-json-1.0', 'x-amz-target', `AmazonSQS.${action}`],
      body: JSON.stringify({ QueueUrl: queueUrl, ...parameters }),
    })
    const text = body.toString()
    if (status !== 200) throw new Error(`${action}: the queue answered ${status}: ${text}`)
    return JSON.parse(text)
  }

  async function receiveFor(through: typeof calls, seconds: number): Promise<SourceMessage[]> {
    const answer = await call(through, 'ReceiveMessage', {
      MaxNumberOfMessages: perCall,
      WaitTimeSeconds: seconds,
      MessageSystemAttributeNames: ['All'],
    })
    return received.parse(answer).Messages ?? []
  }

  async function removeSome(messages: readonly SourceMessage[]): Promise<void> {
    const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    const { Failed = [] } = deleted.parse(await call(calls, 'DeleteMessageBatch', { Entries }))
    if (Failed.length > 0) throw new Error(`The queue did not delete ${Failed.length} messages.`)
  }

  return {
    receive: () => receiveFor(calls, 0),
    wait: () => receiveFor(waits, longPollSeconds),
    stopWaiting: () => waits.close(),
    async remove(messages) {
      const groups = Array.from({ length: Math.ceil(messages.length / perCall) }, (_, group) =>
        messages.slice(group * perCall, (group + 1) * perCall),
      )
      await Promise.all(groups.map(removeSome))
    },
    close: () => calls.close(),
  }
}
