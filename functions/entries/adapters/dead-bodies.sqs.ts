/** Reads the bodies of a dead-letter queue: they wait for a redrive, and are not lost. */
import { sqsDeadLetterCount } from './queue-depth.sqs.ts'
import { type ReceivedMessage, receive } from './receive.sqs.ts'
import type { QueuePair } from './redrive.sqs.ts'
import { maxEntries, type Sqs } from './sqs.ts'

/** More than so many are not looked at, so that a look takes a second or two. */
const maxDeadLetters = 500

/** Messages read stay hidden this long, so that the next receive returns others. */
const hiddenSeconds = 5

/**
 * The body of each dead letter; undefined when they could not all be looked at.
 * @throws when SQS does not answer
 */
export async function deadBodies(sqs: Sqs, { deadLettersUrl }: QueuePair): Promise<readonly string[] | undefined> {
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
  return [...seen.values()].map(({ Body }) => Body)
}
