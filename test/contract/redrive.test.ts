/** Dead letters of real queues are redriven. */
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqsDeadLetters } from '../../functions/stores/dead-letters.sqs.ts'
import { sqsQueueDepths } from '../../functions/stores/queue-depth.sqs.ts'
import { sqsRedrive, sqsRetry } from '../../functions/stores/redrive.sqs.ts'
import { startQueues, type TestQueues } from './cloud.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

const soon = () => Date.now() + 5000
const bury = async (...bodies: string[]) => {
  for (const MessageBody of bodies) {
    await queues.sdk.send(new SendMessageCommand({ QueueUrl: queues.deadLettersUrl, MessageBody }))
  }
}

async function received(): Promise<string[]> {
  const bodies: string[] = []
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 10 })
    const { Messages = [] } = await queues.sdk.send(receive)
    if (Messages.length === 0) return bodies.sort()
    bodies.push(...Messages.map(({ Body = '' }) => Body))
  }
}

const depths = () => sqsQueueDepths(queues.sqs, queues.queueUrl, queues.deadLettersUrl)

const unnoted = async () => undefined

describe('the redrive of dead letters', () => {
  it('sends each back to its queue and leaves none (O7)', async () => {
    const bodies = Array.from({ length: 23 }, (_, number) => `letter ${String(number).padStart(2, '0')}`)
    await bury(...bodies)
    const redrive = sqsRedrive(queues.sqs, [queues])
    expect(await redrive.redrive(soon(), unnoted)).toEqual({ moved: 23, left: 0 })
    expect(await received()).toEqual(bodies)
    expect(await redrive.redrive(soon(), unnoted)).toEqual({ moved: 0, left: 0 })
  })

  it('deletes nothing that the queue rejected (I2)', async () => {
    await bury('one', 'two')
    const nowhere = { queueUrl: `${queues.queueUrl}-that-is-none`, deadLettersUrl: queues.deadLettersUrl }
    await expect(sqsRedrive(queues.sqs, [nowhere]).redrive(soon(), unnoted)).rejects.toThrow()
    expect(await depths().deadLetters()).toBe(2)
    expect(await received()).toEqual([])
  })

  it('moves each once, also when it fails again at once (O7)', async () => {
    await bury('one', 'two', 'three')
    const circle = { queueUrl: queues.deadLettersUrl, deadLettersUrl: queues.deadLettersUrl }
    expect(await sqsRedrive(queues.sqs, [circle]).redrive(soon(), unnoted)).toEqual({ moved: 3, left: 3 })
  })

  it('stops when its time is over and returns what is left', async () => {
    await bury('one', 'two')
    expect(await sqsRedrive(queues.sqs, [queues]).redrive(Date.now(), unnoted)).toEqual({ moved: 0, left: 2 })
  })

  it('counts the dead letters of several queues together', async () => {
    await bury('one', 'two')
    const { sqs, queueUrl, deadLettersUrl } = queues
    expect(await sqsQueueDepths(sqs, queueUrl, deadLettersUrl, deadLettersUrl).deadLetters()).toBe(4)
  })
})

describe('the retry of dead letters', () => {
  const retry = (deadline = soon()) => sqsRetry(queues.sqs, queues).retry(deadline, unnoted)

  /** Receives the one message of the queue until SQS moves it to the dead-letter queue. */
  async function die(): Promise<void> {
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, VisibilityTimeout: 0 })
      if (((await queues.sdk.send(receive)).Messages ?? []).length === 0) return
    }
  }

  it('sends back what may still succeed, and leaves what never can (I2, O7)', async () => {
    await bury('one', 'two')
    await sqsDeadLetters(queues.sqs, queues.deadLettersUrl).put('nonsense', 'must be a JSON object')
    expect(await retry()).toEqual({ moved: 2, missed: 0 })
    expect(await received()).toEqual(['one', 'two'])
    expect(await depths().deadLetters()).toBe(1)
    expect(await retry(), 'what stays can be looked at again at once').toEqual({ moved: 0, missed: 0 })
  })

  it('gives up on a dead letter that came back three times, until a marketer redrives it (O7)', async () => {
    await bury('one')
    for (let time = 1; time <= 3; time += 1) {
      expect(await retry(), `time ${time}`).toEqual({ moved: 1, missed: 0 })
      await die()
      expect(await depths().deadLetters()).toBe(1)
    }
    expect(await retry()).toEqual({ moved: 0, missed: 0 })
    expect(await sqsRedrive(queues.sqs, [queues]).redrive(soon(), unnoted)).toEqual({ moved: 1, left: 0 })
    await die()
    expect(await retry()).toEqual({ moved: 1, missed: 0 })
  })

  it('reports dead letters that another receiver has, and those it had no time for (I2)', async () => {
    await bury('one', 'two')
    expect(await retry(Date.now())).toEqual({ moved: 0, missed: 2 })
    await queues.sdk.send(new ReceiveMessageCommand({ QueueUrl: queues.deadLettersUrl }))
    expect(await retry()).toEqual({ moved: 1, missed: 1 })
  })
})
