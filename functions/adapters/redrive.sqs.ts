/** Gives dead letters another chance: each goes back to its queue, and is deleted only once SQS holds it there. */

import { setTimeout as pause } from 'node:timers/promises'
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { Redrive, Redriven } from '../control/redrive.ts'
import { sqsQueueDepths } from './queue-depth.sqs.ts'
import { maxEntries, sendBatch } from './sqs.ts'

export type QueuePair = { queueUrl: string; deadLettersUrl: string }

/** A receive asks only some of the servers that keep a queue, so one empty answer does not mean an empty queue. */
const emptyAnswers = 3
const betweenAnswersMs = 100

export function sqsRedrive(sqs: SQSClient, pairs: readonly QueuePair[]): Redrive {
  return {
    async redrive(deadline) {
      const redriven: Redriven[] = []
      for (const pair of pairs) redriven.push(await redrivePair(sqs, pair, deadline))
      return {
        moved: redriven.reduce((sum, { moved }) => sum + moved, 0),
        left: redriven.reduce((sum, { left }) => sum + left, 0),
      }
    },
  }
}

/** No more than there were at first: a message may die again at once and come back while this still runs. */
async function redrivePair(
  sqs: SQSClient,
  { queueUrl, deadLettersUrl }: QueuePair,
  deadline: number,
): Promise<Redriven> {
  const { deadLetters } = sqsQueueDepths(sqs, queueUrl, deadLettersUrl)
  const atFirst = await deadLetters()
  let moved = 0
  for (let empty = 0; moved < atFirst && empty < emptyAnswers && Date.now() < deadline; ) {
    const MaxNumberOfMessages = Math.min(maxEntries, atFirst - moved)
    const receive = new ReceiveMessageCommand({ QueueUrl: deadLettersUrl, MaxNumberOfMessages })
    const { Messages = [] } = await sqs.send(receive)
    empty = Messages.length === 0 ? empty + 1 : 0
    if (Messages.length === 0) await pause(betweenAnswersMs)
    else moved += await sendBack(sqs, queueUrl, deadLettersUrl, Messages)
  }
  return { moved, left: await deadLetters() }
}

/** What the queue does not take stays where it is, and can be received again after a while. */
async function sendBack(
  sqs: SQSClient,
  queueUrl: string,
  deadLettersUrl: string,
  messages: readonly Message[],
): Promise<number> {
  const errors = await sendBatch(
    sqs,
    queueUrl,
    messages.map(({ Body }) => ({ MessageBody: Body })),
  )
  const sent = messages.filter((_, index) => errors[index] === undefined)
  if (sent.length === 0) return 0
  const Entries = sent.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: deadLettersUrl, Entries }))
  return sent.length
}
