/** Dead letters of real queues get another chance. */
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sqsQueueDepths } from '../../functions/adapters/queue-depth.sqs.ts'
import { sqsRedrive } from '../../functions/adapters/redrive.sqs.ts'
import { startQueues, type TestQueues } from './cloud.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

const soon = () => Date.now() + 5000
const bury = async (...bodies: string[]) => {
  for (const MessageBody of bodies) {
    await queues.sqs.send(new SendMessageCommand({ QueueUrl: queues.deadLettersUrl, MessageBody }))
  }
}

async function received(): Promise<string[]> {
  const bodies: string[] = []
  for (;;) {
    const receive = new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 10 })
    const { Messages = [] } = await queues.sqs.send(receive)
    if (Messages.length === 0) return bodies.sort()
    bodies.push(...Messages.map(({ Body = '' }) => Body))
  }
}

const depths = () => sqsQueueDepths(queues.sqs, queues.queueUrl, queues.deadLettersUrl)

describe('the redrive of dead letters', () => {
  it('sends each back to its queue and leaves none (O7)', async () => {
    const bodies = Array.from({ length: 23 }, (_, number) => `letter ${String(number).padStart(2, '0')}`)
    await bury(...bodies)
    const redrive = sqsRedrive(queues.sqs, [queues])
    expect(await redrive.redrive(soon())).toEqual({ moved: 23, left: 0 })
    expect(await received()).toEqual(bodies)
    expect(await redrive.redrive(soon())).toEqual({ moved: 0, left: 0 })
  })

  it('deletes nothing that the queue did not take (I2)', async () => {
    await bury('one', 'two')
    const nowhere = { queueUrl: `${queues.queueUrl}-that-is-none`, deadLettersUrl: queues.deadLettersUrl }
    await expect(sqsRedrive(queues.sqs, [nowhere]).redrive(soon())).rejects.toThrow()
    expect(await depths().deadLetters()).toBe(2)
    expect(await received()).toEqual([])
  })

  it('moves each once, also when it dies again at once (O7)', async () => {
    await bury('one', 'two', 'three')
    const circle = { queueUrl: queues.deadLettersUrl, deadLettersUrl: queues.deadLettersUrl }
    expect(await sqsRedrive(queues.sqs, [circle]).redrive(soon())).toEqual({ moved: 3, left: 3 })
  })

  it('stops when its time is over and tells what is left', async () => {
    await bury('one', 'two')
    expect(await sqsRedrive(queues.sqs, [queues]).redrive(Date.now())).toEqual({ moved: 0, left: 2 })
  })

  it('counts the dead letters of several queues together', async () => {
    await bury('one', 'two')
    const { sqs, queueUrl, deadLettersUrl } = queues
    expect(await sqsQueueDepths(sqs, queueUrl, deadLettersUrl, deadLettersUrl).deadLetters()).toBe(4)
  })
})
