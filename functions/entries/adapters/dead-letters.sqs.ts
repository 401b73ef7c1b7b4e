/**
 * Reads the dead letters of SQS and redrives them. A dead letter is deleted only after SQS has accepted it in its queue.
 *
 * A marketer's redrive takes all messages and resets their counts of tries. The scheduled redrive counts its tries in the
 * message and skips invalid ones: one invalid message must not keep the count of dead letters above zero.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import type { Redrive } from '../../control/repair-actions.ts'
import {
  type BeforeRedrive,
  type DeadLetterRetry,
  type DeadOrders,
  messagesIn,
  type QueueDepth,
} from '../../lib/shop/shop.ts'
import { deadUnitsByOrder } from '../../recovery/stock/held-back.ts'
import { type OutgoingMessage, sendBatch } from './send.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'
import { changeVisibility } from './visibility.sqs.ts'

export type QueuePair = { queueUrl: string; deadLettersUrl: string }

const ofSale = z.object({ saleId: z.string() })

/** Each try runs through all receives of a message again. After three tries the fault is not temporary. */
const maxRetries = 3

export function sqsRedrive(sqs: Sqs, pairs: readonly QueuePair[]): Redrive {
  return {
    async redrive(deadline, before) {
      const redriven = { moved: 0, left: 0 }
      for (const pair of pairs) {
        const { moved } = await redriveQueue({ sqs, pair, before }, deadline, ({ Body }) => ({ MessageBody: Body }))
        redriven.moved += moved
        redriven.left += await depthOf(sqs, pair)
      }
      return redriven
    },
  }
}

export function sqsRetry(sqs: Sqs, pair: QueuePair): DeadLetterRetry {
  return { retry: (deadline, before) => redriveQueue({ sqs, pair, before }, deadline, withOneMoreTry) }
}

/** Returns the message to send to its queue again, or undefined for one that stays. */
type PrepareRedrive = (deadLetter: ReceivedMessage) => OutgoingMessage | undefined

type Resend = { deadLetter: ReceivedMessage; message: OutgoingMessage }

const withOneMoreTry: PrepareRedrive = ({ Body, MessageAttributes = {} }) => {
  const tries = Number(MessageAttributes.retries?.StringValue ?? 0)
  if (MessageAttributes.reason !== undefined || tries >= maxRetries) return undefined
  const retries = { DataType: 'Number', StringValue: String(tries + 1) }
  return { MessageBody: Body, MessageAttributes: { retries } }
}

/** Sends no more messages than there were at first: a message may fail at once and return during this run. */
async function redriveQueue(
  { sqs, pair, before }: { sqs: Sqs; pair: QueuePair; before: BeforeRedrive },
  deadline: number,
  prepare: PrepareRedrive,
): Promise<{ moved: number; missed: number }> {
  let left = await depthOf(sqs, pair)
  let moved = 0
  const staying: ReceivedMessage[] = []
  const messages = receive(sqs, {
    QueueUrl: pair.deadLettersUrl,
    MessageAttributeNames: ['reason', 'retries'],
    remaining: () => (Date.now() < deadline ? left : 0),
  })
  for await (const batch of messages) {
    const prepared: Resend[] = []
    for (const deadLetter of batch) {
      const message = prepare(deadLetter)
      if (message === undefined) staying.push(deadLetter)
      else prepared.push({ deadLetter, message })
    }
    if (prepared.length > 0) await before(salesOf(prepared))
    const sent = await sendBack(sqs, pair, prepared)
    moved += sent
    left -= sent + batch.length - prepared.length
  }
  // Otherwise they stay hidden from the next reader until their visibility timeout ends.
  const changes = staying.map(({ ReceiptHandle }) => ({ receiptHandle: ReceiptHandle, seconds: 0 }))
  await changeVisibility(sqs, pair.deadLettersUrl, changes)
  return { moved, missed: left }
}

/** Returns the sales of the order messages. Timers name orders of many sales, and unreadable messages name none. */
function salesOf(prepared: readonly Resend[]): ReadonlySet<SaleId> {
  const read = prepared.map(({ deadLetter: { Body } }) => readJson(ofSale, Body))
  return new Set(read.flatMap((message) => (message.ok ? (parseSaleId(message.value.saleId) ?? []) : [])))
}

function depthOf(sqs: Sqs, { deadLettersUrl }: QueuePair): Promise<number> {
  return sqsDeadLetterCount(sqs, [deadLettersUrl])()
}

/** Returns the number of accepted messages. A message that the queue refuses stays here and becomes visible later. */
async function sendBack(sqs: Sqs, { queueUrl, deadLettersUrl }: QueuePair, batch: readonly Resend[]): Promise<number> {
  if (batch.length === 0) return 0
  const errors = await sendBatch(
    sqs,
    queueUrl,
    batch.map(({ message }) => message),
  )
  const sent = batch.filter((_, index) => errors[index] === undefined)
  if (sent.length === 0) return 0
  const Entries = sent.map(({ deadLetter }, index) => ({ Id: String(index), ReceiptHandle: deadLetter.ReceiptHandle }))
  await sqs(new DeleteMessageBatchCommand({ QueueUrl: deadLettersUrl, Entries }))
  return sent.length
}

/** A receive asks only some of the servers of a queue, so one empty answer does not prove that the queue is empty. */
const maxEmptyReceives = 3
const emptyReceivePauseMs = 100

const message = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MessageAttributes: z.optional(z.record(z.string(), z.object({ StringValue: z.optional(z.string()) }))),
})

const received = z.object({ Messages: z.optional(z.array(message)) })

type ReceivedMessage = z.output<typeof message>

type Options = {
  QueueUrl: string
  VisibilityTimeout?: number
  MessageAttributeNames?: string[]
  /** Returns how many more messages to receive; 0 ends the loop. */
  remaining: () => number
}

/** Yields non-empty batches until none remain to receive or the queue seems empty. */
async function* receive(sqs: Sqs, { remaining, ...options }: Options): AsyncGenerator<readonly ReceivedMessage[]> {
  for (let empty = 0; empty < maxEmptyReceives && remaining() > 0; ) {
    const MaxNumberOfMessages = Math.min(maxEntries, remaining())
    const answer = await sqs(new ReceiveMessageCommand({ ...options, MaxNumberOfMessages }))
    const { Messages = [] } = z.parse(received, answer)
    if (Messages.length > 0) {
      empty = 0
      yield Messages
    } else {
      empty += 1
      await sleep(emptyReceivePauseMs)
    }
  }
}

/** Above this number the messages are not read, so that a read takes a second or two. */
const maxDeadLetters = 500

/** Received messages stay hidden this long, so that the next receive returns others. */
const hiddenSeconds = 5

/** Order messages that could not be delivered. `units` skips messages that are not order messages. */
export function sqsDeadOrders(sqs: Sqs, pair: QueuePair): DeadOrders {
  return { ...sqsRetry(sqs, pair), units: () => deadUnits(sqs, pair) }
}

async function deadUnits(sqs: Sqs, { deadLettersUrl }: QueuePair): ReturnType<DeadOrders['units']> {
  const deadLetters = await sqsDeadLetterCount(sqs, [deadLettersUrl])()
  if (deadLetters > maxDeadLetters) return undefined
  const seen = new Map<string, ReceivedMessage>()
  const messages = receive(sqs, {
    QueueUrl: deadLettersUrl,
    VisibilityTimeout: hiddenSeconds,
    // Full batches: a message may be received twice after its hidden time.
    remaining: () => (seen.size < deadLetters ? maxEntries : 0),
  })
  for await (const batch of messages) {
    for (const deadLetter of batch) seen.set(deadLetter.MessageId, deadLetter)
  }
  if (seen.size < deadLetters) return undefined
  return deadUnitsByOrder([...seen.values()].map(({ Body }) => Body))
}

const AttributeNames = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] satisfies QueueAttributeName[]

const attributes = z.object({ Attributes: z.record(z.enum(AttributeNames), z.coerce.number()) })

export const sqsQueueDepth = (sqs: Sqs, queueUrl: string) => () => countsOf(sqs, queueUrl)

export const sqsDeadLetterCount = (sqs: Sqs, urls: readonly string[]) => async () => {
  const depths = await Promise.all(urls.map((url) => countsOf(sqs, url)))
  return depths.map(messagesIn).reduce((sum, messages) => sum + messages, 0)
}

async function countsOf(sqs: Sqs, queueUrl: string): Promise<QueueDepth> {
  const answer = await sqs(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames }))
  const { Attributes } = z.parse(attributes, answer)
  return {
    visible: Attributes.ApproximateNumberOfMessages,
    inFlight: Attributes.ApproximateNumberOfMessagesNotVisible,
    delayed: Attributes.ApproximateNumberOfMessagesDelayed,
  }
}
