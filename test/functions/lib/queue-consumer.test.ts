import type { SQSRecord } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { queueConsumer, type Visibility } from '../../../functions/lib/queue-consumer.ts'
import { testTelemetry } from '../../world/telemetry.ts'

const received = (messageId: string, receive: number): SQSRecord => ({
  messageId,
  receiptHandle: `handle of ${messageId}`,
  body: '{}',
  attributes: {
    ...{ ApproximateReceiveCount: String(receive), SentTimestamp: '0' },
    ...{ SenderId: 'sender', ApproximateFirstReceiveTimestamp: '0' },
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:orders',
  awsRegion: 'eu-west-1',
})

const context = { getRemainingTimeInMillis: () => 10_000 }

function consumerThatLeaves(
  left: readonly string[],
  { random = () => 0.5, fails = false }: { random?: () => number; fails?: boolean } = {},
) {
  const telemetry = testTelemetry()
  const shown: Visibility[] = []
  const changeVisibility = async (messages: readonly Visibility[]) => {
    if (fails) throw new Error('SQS does not answer')
    shown.push(...messages)
  }
  const handler = queueConsumer(telemetry, { changeVisibility, random }, async () => left)
  return { telemetry, shown, handler }
}

describe('the consumer of a queue', () => {
  it('has messages that are left come again after seconds, and later with each receive (O6)', async () => {
    const { shown, handler } = consumerThatLeaves(['second', 'third', 'fifth'])
    const Records = [received('first', 1), received('second', 1), received('third', 2), received('fifth', 5)]
    const { batchItemFailures } = await handler({ Records }, context)
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['second', 'third', 'fifth'])
    expect(shown).toEqual([
      { receiptHandle: 'handle of second', seconds: 1 },
      { receiptHandle: 'handle of third', seconds: 2 },
      { receiptHandle: 'handle of fifth', seconds: 16 },
    ])
  })

  it('spreads them at random, in whole seconds', async () => {
    const parts = [0, 0.3, 0.99]
    const { shown, handler } = consumerThatLeaves(['a', 'b', 'c'], { random: () => parts.shift() ?? 0 })
    await handler({ Records: [received('a', 3), received('b', 3), received('c', 3)] }, context)
    expect(shown.map(({ seconds }) => seconds)).toEqual([0, 3, 8])
  })

  it('leaves a message to the timeout of its queue once it has failed for half a minute (O7)', async () => {
    const { shown, handler } = consumerThatLeaves(['old'])
    const { batchItemFailures } = await handler({ Records: [received('old', 6)] }, context)
    expect(batchItemFailures).toHaveLength(1)
    expect(shown).toEqual([])
  })

  it('reports what is left also when the queue does not answer', async () => {
    const { telemetry, handler } = consumerThatLeaves(['a'], { fails: true })
    expect(await handler({ Records: [received('a', 1)] }, context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'a' }],
    })
    expect(telemetry.lines).toMatchObject([{ level: 'warn', message: 'messages are redelivered later' }])
  })
})
