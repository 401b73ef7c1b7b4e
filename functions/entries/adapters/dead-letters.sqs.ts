/**
 * The dead letters of SQS: reads them, and sends them again. Each is deleted only once SQS holds it in its queue again;
 * those read without that stay for a redrive.
 *
 * A marketer's redrive takes all. The scheduled one counts its tries on the message and skips hopeless ones, so that
 * one invalid message does not keep a queue from ever being empty. A marketer's redrive resets the count.
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
import type { BeforeRedrive, DeadLetterRetry, DeadOrders, QueueDepth } from '../../lib/shop/shop.ts'
import { messagesIn } from '../../lib/shop/shop.ts'
import { deadUnitsByOrder } from '../../recovery/stock/held-back.ts'
import { type OutgoingMessage, sendBatch } from './send.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'
import { showAgain } from './visibility.sqs.ts'

export type QueuePair = { queueUrl: string; deadLettersUrl: string }

const ofSale = z.object({ saleId: z.string() })

/** Each try takes a message through all its receives again: after three the fault is not temporary. */
const maxRetries = 3

export function sqsRedrive(sqs: Sqs, pairs: readonly QueuePair[]): Redrive {
  return {
    async redrive(deadline, before) {
      const redriven = { moved: 0, left: 0 }
      for (const pair of pairs) {
        const { moved } = await sendAgain({ sqs, pair, before }, deadline, ({ Body }) => ({ MessageBody: Body }))
        redriven.moved += moved
        redriven.left += await depthOf(sqs, pair)
      }
      return redriven
    },
  }
}

export function sqsRetry(sqs: Sqs, pair: QueuePair): DeadLetterRetry {
  return { retry: (deadline, before) => sendAgain({ sqs, pair, before }, deadline, oneMoreTry) }
}

/** The message to send to its queue again, or undefined for one that stays. */
type Again = (deadLetter: ReceivedMessage) => OutgoingMessage | undefined

type Going = { deadLetter: ReceivedMessage; message: OutgoingMessage }

const oneMoreTry: Again = ({ Body, MessageAttributes = {} }) => {
  const tries = Number(MessageAttributes.retries?.StringValue ?? 0)
  if (MessageAttributes.reason !== undefined || tries >= maxRetries) return undefined
  const retries = { DataType: 'Number', StringValue: String(tries + 1) }
  return { MessageBody: Body, MessageAttributes: { retries } }
}

/** No more than there were at first: a message may fail again at once and return during this run. */
async function sendAgain(
  { sqs, pair, before }: { sqs: Sqs; pair: QueuePair; before: BeforeRedrive },
  deadline: number,
  again: Again,
): Promise<{ moved: number; missed: number }> {
  let left = await depthOf(sqs, pair)
  let moved = 0
  const staying: ReceivedMessage[] = []
  const messages = receive(sqs, {
    QueueUrl: pair.deadLettersUrl,
    MessageAttributeNames: ['reason', 'retries'],
    wanted: () => (Date.now() < deadline ? left : 0),
  })
  for await (const batch of messages) {
    const going: Going[] = []
    for (const deadLetter of batch) {
      const message = again(deadLetter)
      if (message === undefined) staying.push(deadLetter)
      else going.push({ deadLetter, message })
    }
    if (going.length > 0) await before(salesOf(going))
    const sent = await sendBack(sqs, pair, going)
    moved += sent
    left -= sent + batch.length - going.length
  }
  // They would stay hidden from the next reader for a while.
  const shown = staying.map(({ ReceiptHandle }) => ({ receiptHandle: ReceiptHandle, seconds: 0 }))
  await showAgain(sqs, pair.deadLettersUrl, shown)
  return { moved, missed: left }
}

/** Timers name orders of many sales; unreadable messages have no sale. */
function salesOf(going: readonly Going[]): ReadonlySet<SaleId> {
  const read = going.map(({ deadLetter: { Body } }) => readJson(ofSale, Body))
  return new Set(read.flatMap((message) => (message.ok ? (parseSaleId(message.value.saleId) ?? []) : [])))
}

function depthOf(sqs: Sqs, { deadLettersUrl }: QueuePair): Promise<number> {
  return sqsDeadLetterCount(sqs, [deadLettersUrl])()
}

/** A message the queue does not accept stays here, and becomes visible again later. */
async function sendBack(sqs: Sqs, { queueUrl, deadLettersUrl }: QueuePair, batch: readonly Going[]): Promise<number> {
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

/** A receive asks only some of the servers that keep a queue, so one empty answer is no proof. */
const emptyAnswers = 3
const betweenAnswersMs = 100

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
  /** How many more messages the caller wants; 0 ends. */
  wanted: () => number
}

/** Receives messages in batches, none empty, until no more are wanted or the queue seems empty. */
async function* receive(sqs: Sqs, { wanted, ...options }: Options): AsyncGenerator<readonly ReceivedMessage[]> {
  for (let empty = 0; empty < emptyAnswers && wanted() > 0; ) {
    const MaxNumberOfMessages = Math.min(maxEntries, wanted())
    const answer = await sqs(new ReceiveMessageCommand({ ...options, MaxNumberOfMessages }))
    const { Messages = [] } = z.parse(received, answer)
    if (Messages.length > 0) {
      empty = 0
      yield Messages
    } else {
      empty += 1
      await sleep(betweenAnswersMs)
    }
  }
}

/** More than so many are not looked at, so that a look takes a second or two. */
const maxDeadLetters = 500

/** Messages read stay hidden this long, so that the next receive returns others. */
const hiddenSeconds = 5

/** Order messages that could not be delivered. `units` leaves out what is no order message. */
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
    // Full batches: a message may come again after its time hidden.
    wanted: () => (seen.size < deadLetters ? maxEntries : 0),
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

/** How many messages there are in all queues of dead letters. */
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
