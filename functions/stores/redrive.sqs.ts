/**
 * Redrives dead letters: each goes back to its queue, and is deleted only once SQS holds it there.
 *
 * A marketer's redrive takes all. The scheduled one counts its tries on the message and skips
 * hopeless ones, so that one invalid message does not keep a queue from ever being empty. A
 * marketer's redrive resets the count.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/parse.ts'
import type { Redrive } from '../control/redrive.ts'
import { slicesOf } from '../lib/slices.ts'
import type { BeforeRedrive, DeadLetterRetry } from '../repair/ports.ts'
import { sqsQueueDepths } from './queue-depth.sqs.ts'
import { maxEntries, type OutgoingMessage, sendBatch } from './sqs.ts'

export type QueuePair = { queueUrl: string; deadLettersUrl: string }

/** A receive asks only some of the servers that keep a queue, so one empty answer is no proof. */
const emptyAnswers = 3
const betweenAnswersMs = 100

/** The common fields of order and claim messages. */
const ofSale = z.object({ saleId: z.string() })

/**
 * Each try takes a message through all its receives again: after three the fault is not temporary.
 */
const maxRetries = 3

export function sqsRedrive(sqs: SQSClient, pairs: readonly QueuePair[]): Redrive {
  return {
    async redrive(deadline, before) {
      const redriven = { moved: 0, left: 0 }
      for (const pair of pairs) {
        const { moved } = await sendAgain(sqs, pair, deadline, before, ({ Body }) => ({
          MessageBody: Body,
        }))
        redriven.moved += moved
        redriven.left += await depthOf(sqs, pair)
      }
      return redriven
    },
  }
}

export function sqsRetry(sqs: SQSClient, pair: QueuePair): DeadLetterRetry {
  return { retry: (deadline, before) => sendAgain(sqs, pair, deadline, before, oneMoreTry) }
}

/** The message to send to its queue again, or undefined for one that stays. */
type Again = (letter: Message) => OutgoingMessage | undefined

type Going = { letter: Message; message: OutgoingMessage }

const oneMoreTry: Again = ({ Body, MessageAttributes = {} }) => {
  const tries = Number(MessageAttributes.retries?.StringValue ?? 0)
  if (MessageAttributes.reason !== undefined || tries >= maxRetries) return undefined
  const retries = { DataType: 'Number', StringValue: String(tries + 1) }
  return { MessageBody: Body, MessageAttributes: { retries } }
}

/**
 * No more than there were at first: a message may fail again at once and return during this run.
 */
async function sendAgain(
  sqs: SQSClient,
  pair: QueuePair,
  deadline: number,
  before: BeforeRedrive,
  again: Again,
): Promise<{ moved: number; missed: number }> {
  let left = await depthOf(sqs, pair)
  let moved = 0
  const staying: Message[] = []
  for (let empty = 0; left > 0 && empty < emptyAnswers && Date.now() < deadline; ) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: pair.deadLettersUrl,
      MaxNumberOfMessages: Math.min(maxEntries, left),
      MessageAttributeNames: ['reason', 'retries'],
    })
    const { Messages = [] } = await sqs.send(receive)
    empty = Messages.length === 0 ? empty + 1 : 0
    if (Messages.length === 0) {
      await sleep(betweenAnswersMs)
      continue
    }
    const going: Going[] = []
    for (const letter of Messages) {
      const message = again(letter)
      if (message === undefined) staying.push(letter)
      else going.push({ letter, message })
    }
    if (going.length > 0) await before(salesOf(going))
    const sent = await sendBack(sqs, pair, going)
    moved += sent
    left -= sent + Messages.length - going.length
  }
  await showAgain(sqs, pair.deadLettersUrl, staying)
  return { moved, missed: left }
}

/** Timers name orders of many sales; unreadable messages have no sale. */
function salesOf(going: readonly Going[]): ReadonlySet<SaleId> {
  const read = going.map(({ letter: { Body = '' } }) => readJson(ofSale, Body))
  return new Set(read.flatMap((message) => (message.ok ? (parseSaleId(message.value.saleId) ?? []) : [])))
}

/** Received messages would stay hidden from the next reader for a while. */
async function showAgain(sqs: SQSClient, QueueUrl: string, letters: readonly Message[]): Promise<void> {
  for (const some of slicesOf(letters, maxEntries)) {
    const Entries = some.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }))
    await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }))
  }
}

function depthOf(sqs: SQSClient, { queueUrl, deadLettersUrl }: QueuePair): Promise<number> {
  return sqsQueueDepths(sqs, queueUrl, deadLettersUrl).deadLetters()
}

/** A message the queue does not accept stays here, and becomes visible again later. */
async function sendBack(
  sqs: SQSClient,
  { queueUrl, deadLettersUrl }: QueuePair,
  batch: readonly Going[],
): Promise<number> {
  if (batch.length === 0) return 0
  const errors = await sendBatch(
    sqs,
    queueUrl,
    batch.map(({ message }) => message),
  )
  const sent = batch.filter((_, index) => errors[index] === undefined)
  if (sent.length === 0) return 0
  const Entries = sent.map(({ letter }, index) => ({
    Id: String(index),
    ReceiptHandle: letter.ReceiptHandle,
  }))
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: deadLettersUrl, Entries }))
  return sent.length
}
