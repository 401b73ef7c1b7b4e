/**
 * The calls of an event source to its queue: AWS JSON 1.0 without a signature, which the local queue
 * does not check. In the cloud Lambda's own pollers make them, so they are kept cheap here.
 */
import * as z from 'zod/mini'
import { openOrigin } from '../origin.ts'

/** The most SQS gives to one receive, or takes in one batch. */
export const perCall = 10

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

export type SourceMessage = z.infer<typeof message>

export type Queue = {
  /** At most ten messages that are there now. */
  receive(): Promise<SourceMessage[]>
  /** At most ten messages, as soon as the queue has one, or none after 20 seconds. */
  wait(): Promise<SourceMessage[]>
  /** Ends calls of `wait`, which reject, and refuses new ones. */
  stopWaiting(): Promise<void>
  /** Deletes handled messages. */
  remove(messages: readonly SourceMessage[]): Promise<void>
  close(): Promise<void>
}

/** All calls reject when the queue is unavailable or refuses them. */
export function openQueue(queueUrl: string): Queue {
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
