/** Reads the bodies of a dead-letter queue: they wait for a redrive, and are not lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { sqsQueueDepths } from './queue-depth.sqs.ts'
import type { QueuePair } from './redrive.sqs.ts'
import { maxEntries } from './sqs.ts'

/** More than so many are not looked at, so that a look takes a second or two. */
const maxLetters = 500

/** Messages read stay hidden this long, so that the next receive returns others. */
const hiddenSeconds = 5

/**
 * A receive asks only some of the servers that keep a queue, so one empty answer does not mean that
 * all were seen.
 */
const emptyAnswers = 3
const betweenAnswersMs = 100

/**
 * The body of each dead letter; undefined when they could not all be looked at.
 * @throws when SQS does not answer
 */
export async function deadBodies(
  sqs: SQSClient,
  { queueUrl, deadLettersUrl }: QueuePair,
): Promise<readonly string[] | undefined> {
  const letters = await sqsQueueDepths(sqs, queueUrl, deadLettersUrl).deadLetters()
  if (letters > maxLetters) return undefined
  const seen = new Map<string | undefined, Message>()
  for (let empty = 0; seen.size < letters && empty < emptyAnswers; ) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: deadLettersUrl,
      MaxNumberOfMessages: maxEntries,
      VisibilityTimeout: hiddenSeconds,
    })
    const { Messages = [] } = await sqs.send(receive)
    for (const letter of Messages) seen.set(letter.MessageId, letter)
    empty = Messages.length === 0 ? empty + 1 : 0
    if (Messages.length === 0) await sleep(betweenAnswersMs)
  }
  if (seen.size < letters) return undefined
  return [...seen.values()].map(({ Body = '' }) => Body)
}
