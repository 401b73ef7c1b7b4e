import { setTimeout as sleep } from 'node:timers/promises'
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import { maxEntries, type Sqs } from './sqs.ts'

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

export type ReceivedMessage = z.output<typeof message>

type Options = {
  QueueUrl: string
  VisibilityTimeout?: number
  MessageAttributeNames?: string[]
  /** How many more messages the caller wants; 0 ends. */
  wanted: () => number
}

/** Receives messages in batches, none empty, until no more are wanted or the queue seems empty. */
export async function* receive(sqs: Sqs, { wanted, ...options }: Options): AsyncGenerator<readonly ReceivedMessage[]> {
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
