import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { maxEntries } from './sqs.ts'

/** A receive asks only some of the servers that keep a queue, so one empty answer is no proof. */
const emptyAnswers = 3
const betweenAnswersMs = 100

type Options = Omit<ReceiveMessageCommandInput, 'MaxNumberOfMessages'> & {
  /** How many more messages the caller wants; 0 ends. */
  wanted: () => number
}

/** Receives messages in batches, none empty, until no more are wanted or the queue seems empty. */
export async function* receive(
  sqs: SQSClient,
  { wanted, ...options }: Options,
): AsyncGenerator<readonly Message[]> {
  for (let empty = 0; empty < emptyAnswers && wanted() > 0; ) {
    const MaxNumberOfMessages = Math.min(maxEntries, wanted())
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ ...options, MaxNumberOfMessages }))
    if (Messages.length > 0) {
      empty = 0
      yield Messages
    } else {
      empty += 1
      await sleep(betweenAnswersMs)
    }
  }
}
