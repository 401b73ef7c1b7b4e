/** Dead letters of real queues: put with their reason, read as orders, and redriven. */
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import {
  sqsDeadLetterCount,
  sqsDeadOrders,
  sqsQueueDepth,
  sqsRedrive,
  sqsRetry,
} from '../../functions/entries/adapters/dead-letters.sqs.ts'
import { sqsDeadLetters } from '../../functions/entries/adapters/send.sqs.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { receiveAll, startQueues, type TestQueues } from './cloud.ts'
import { refusingSqs } from './fakes/queue.ts'
import { range } from './table-rig.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

const soon = () => Date.now() + 100_000
const bury = async (...bodies: string[]) => {
  for (const MessageBody of bodies) {
    await queues.sdk.send(new SendMessageCommand({ QueueUrl: queues.deadLettersUrl, MessageBody }))
  }
}

const received = async () => (await receiveAll(queues)).sort()

const depths = () => ({
  orders: sqsQueueDepth(queues.sqs, queues.queueUrl),
  deadLetters: sqsDeadLetterCount(queues.sqs, [queues.deadLettersUrl]),
})

const unnoted = async () => undefined

describe('the redrive of dead letters', () => {
  it('sends each back to its queue and leaves none (O7)', async () => {
    const bodies = Array.from({ length: 23 }, (_, number) => `letter ${String(number).padStart(2, '0')}`)
    await bury(...bodies)
    const redrive = sqsRedrive(queues.sqs, [queues])
    const { sqs, deadLettersUrl } = queues
    expect(await sqsDeadLetterCount(sqs, [deadLettersUrl, deadLettersUrl])()).toBe(46)
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
    expect(await retry(), 'what stays can be received again at once').toEqual({ moved: 0, missed: 0 })
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

describe('a dead letter', () => {
  const reasonOf = async (deadLettersUrl: string) => {
    const receive = new ReceiveMessageCommand({ QueueUrl: deadLettersUrl, MessageAttributeNames: ['All'] })
    const [letter] = (await queues.sdk.send(receive)).Messages ?? []
    return [letter?.Body, letter?.MessageAttributes?.reason?.StringValue]
  }

  it.each([
    ['as they are', '{"orderId": "x", "ünïcode": "只剩一件"', 'body must be JSON', 'body must be JSON'],
    ['with a reason that is cut when it is too long', '{}', 'a'.repeat(1000), 'a'.repeat(256)],
  ])('keeps its bytes %s (O7)', async (_how, body, given, reason) => {
    await sqsDeadLetters(queues.sqs, queues.deadLettersUrl).put(body, given)
    expect(await reasonOf(queues.deadLettersUrl)).toEqual([body, reason])
  })

  it('that SQS rejects is reported, so that its message is delivered again (O7)', async () => {
    const deadLetters = sqsDeadLetters(refusingSqs, 'https://queue.example/dead')
    await expect(deadLetters.put('{}', 'any')).rejects.toThrow('InternalError')
  })
})

describe('the orders among the dead letters', () => {
  const { saleId } = aSale()
  const orders = range(12).map((shopper): OrderMessage => {
    const facts = { saleId, shopperId: shopperIdOf(shopper), quantity: 1, reservedAt: 1000 }
    return { orderId: orderIdOf(saleId, shopper, 1), ...facts, requestId: 'request' }
  })
  const deadOrders = () => sqsDeadOrders(queues.sqs, queues)

  it('are all found, and other messages are left out (I2, O7)', async () => {
    expect(await deadOrders().units()).toEqual(new Map())
    await bury('nonsense', '{}', ...orders.map((message) => JSON.stringify(message)))
    const found = [...((await deadOrders().units())?.keys() ?? [])]
    expect(found.sort()).toEqual(orders.map(({ orderId }) => orderId).sort())
  })

  it('are not known while another receiver has one of the messages (I2)', async () => {
    await bury(...orders.map((message) => JSON.stringify(message)))
    await queues.sdk.send(new ReceiveMessageCommand({ QueueUrl: queues.deadLettersUrl }))
    expect(await deadOrders().units()).toBeUndefined()
  })

  it('are redriven like any dead letter', async () => {
    await bury(...orders.map((message) => JSON.stringify(message)))
    expect(await deadOrders().retry(soon(), unnoted)).toEqual({ moved: 12, missed: 0 })
    expect(await deadOrders().units()).toEqual(new Map())
  })
})
