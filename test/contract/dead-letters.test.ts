/** One suite for every dead-letter queue. */
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeadLetters } from '../../functions/lib/reject-to-dlq.ts'
import { sqsDeadLetters } from '../../functions/stores/dead-letters.sqs.ts'
import { startQueues } from './cloud.ts'
import { memoryDeadLetters } from './fakes/dead-letters.ts'
import { refusingSqs } from './fakes/refusing-sqs.ts'

type Letter = { body: string; reason: string }
type Rig = { deadLetters: DeadLetters; letters: () => Promise<Letter[]>; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  const deadLetters = memoryDeadLetters()
  return { deadLetters, letters: async () => deadLetters.letters.splice(0), stop: async () => {} }
}

async function inSqs(): Promise<Rig> {
  const { sqs, sdk, deadLettersUrl, stop } = await startQueues()
  const letters = async () => {
    const { Messages = [] } = await sdk.send(
      new ReceiveMessageCommand({
        QueueUrl: deadLettersUrl,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    )
    return Messages.map(({ Body = '', MessageAttributes }) => ({
      body: Body,
      reason: MessageAttributes?.reason?.StringValue ?? '',
    }))
  }
  return { deadLetters: sqsDeadLetters(sqs, deadLettersUrl), letters, stop }
}

describe.each([
  ['memory', inMemory],
  ['SQS', inSqs],
])('dead letters in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('keep a message unchanged, with the reason (O7)', async () => {
    const body = '{"orderId": "x", "ünïcode": "只剩一件"'
    await rig.deadLetters.put(body, 'body must be JSON')
    expect(await rig.letters()).toEqual([{ body, reason: 'body must be JSON' }])
  })
})

describe('dead letters in SQS', () => {
  it('shorten a reason that is too long (O7)', async () => {
    const { deadLetters, letters, stop } = await inSqs()
    await deadLetters.put('{}', 'a'.repeat(1000))
    expect(await letters()).toEqual([{ body: '{}', reason: 'a'.repeat(256) }])
    await stop()
  })

  it('report what SQS rejects, so that its message is delivered again (O7)', async () => {
    const deadLetters = sqsDeadLetters(refusingSqs, 'https://queue.example/dead')
    await expect(deadLetters.put('{}', 'any')).rejects.toThrow('InternalError')
  })
})
