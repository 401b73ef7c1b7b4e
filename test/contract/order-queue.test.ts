/** The queues of orders and of payment deadlines in SQS. */
import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJson } from '../../core/lib/parse.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { sqsDeadLetterCount, sqsQueueDepth } from '../../functions/entries/adapters/dead-letters.sqs.ts'
import { sqsBulkSender, sqsDeadlines, sqsQueue } from '../../functions/entries/adapters/send.sqs.ts'
import type { Sqs } from '../../functions/entries/adapters/sqs.ts'
import { changeVisibility } from '../../functions/entries/adapters/visibility.sqs.ts'
import { type PaymentDeadline, paymentDeadline } from '../../functions/orders/deadlines.ts'
import { startFaultProxy } from '../../local/faults/fault-proxy.ts'
import { aPurchase, aSale, orderIdOf } from '../redis/support.ts'
import { receiveAll, startQueues, type TestQueues } from './cloud.ts'
import { refusingSqs } from './fakes/queue.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

/** The queues behind a proxy that makes the faults of a network. */
async function behindFaults() {
  const proxy = await startFaultProxy({ targetPort: Number(new URL(queues.queueUrl).port) })
  return { proxy, sqs: queues.sqsAt(`http://127.0.0.1:${proxy.port}`) }
}

const sale = aSale()

function messageOf(shopper: number): OrderMessage {
  const { orderId, saleId, shopperId, quantity, requestId } = aPurchase(sale, shopper)
  return { orderId, saleId, shopperId, quantity, reservedAt: 5_000, requestId }
}

const messagesIn = async (): Promise<OrderMessage[]> => (await receiveAll(queues)).map((body) => JSON.parse(body))

describe('the order queue in SQS', () => {
  it('holds every message once its sender got its answer (O2)', async () => {
    const messages = Array.from({ length: 57 }, (_, shopper) => messageOf(shopper))
    const queue = sqsQueue(queues.sqs, queues.queueUrl)
    await Promise.all(messages.map((message) => queue.send(message)))
    const received = await messagesIn()
    expect(received).toHaveLength(57)
    expect(received).toEqual(expect.arrayContaining(messages))
  })

  it('rejects within its deadline, and then accepts messages again, during an outage of SQS (I6)', async () => {
    const { proxy, sqs } = await behindFaults()
    const queue = sqsQueue(sqs, queues.queueUrl)
    proxy.set({ mode: 'blackhole' })
    await expect(queue.send(messageOf(1))).rejects.toThrow()
    proxy.set({ mode: 'down' })
    const bulk = await sqsBulkSender(sqs, queues.queueUrl).sendAll([messageOf(1), messageOf(2)])
    expect(bulk.every((error) => error instanceof Error)).toBe(true)
    proxy.set(null)
    await queue.send(messageOf(3))
    expect((await messagesIn()).map(({ orderId }) => orderId)).toContain(messageOf(3).orderId)
    await proxy.stop()
  })

  it('returns how many messages wait, are in flight, and are dead letters', async () => {
    const depth = sqsQueueDepth(queues.sqs, queues.queueUrl)
    const deadLetters = sqsDeadLetterCount(queues.sqs, [queues.deadLettersUrl])
    const queue = sqsQueue(queues.sqs, queues.queueUrl)
    await Promise.all([1, 2, 3].map((shopper) => queue.send(messageOf(shopper))))
    await queues.sdk.send(new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 1 }))
    expect(await depth()).toEqual({ visible: 2, inFlight: 1, delayed: 0 })
    expect(await deadLetters()).toBe(0)
  })

  it('shows received messages again before their timeout, more than one call takes (O6)', async () => {
    const queue = sqsQueue(queues.sqs, queues.queueUrl)
    await Promise.all(Array.from({ length: 12 }, (_, shopper) => queue.send(messageOf(shopper))))
    const receive = async (): Promise<Message[]> => {
      const command = new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 10 })
      const { Messages = [] } = await queues.sdk.send(command)
      return Messages.length === 0 ? [] : [...Messages, ...(await receive())]
    }
    const received = await receive()
    expect(received).toHaveLength(12)
    const shown = received.map(({ ReceiptHandle = '' }) => ({ receiptHandle: ReceiptHandle, seconds: 0 }))
    await changeVisibility(queues.sqs, queues.queueUrl, shown)
    expect(await messagesIn()).toHaveLength(12)
  })
})

const now = 1_000_000

function timer(shopper: number, at: number, orders = 2): PaymentDeadline {
  const orderIds = Array.from({ length: orders }, (_, order) => orderIdOf(sale.saleId, shopper, order))
  return { orderIds, at }
}

describe('payment deadlines in SQS', () => {
  it('are all stored once their sender got its answer, however many they are, and none if none are (O8)', async () => {
    const timers = Array.from({ length: 23 }, (_, shopper) => timer(shopper, now))
    const deadlines = sqsDeadlines(queues.sqs, queues.queueUrl)
    for (const some of [timers, []]) await deadlines.schedule(some, now)
    const received = (await receiveAll(queues)).map((body) => readJson(paymentDeadline, body))
    expect(received).toHaveLength(23)
    expect(received).toEqual(expect.arrayContaining(timers.map((value) => ({ ok: true, value }))))
  })

  it('arrive when their time is over and not before (O8)', async () => {
    const deadlines = sqsDeadlines(queues.sqs, queues.queueUrl)
    const startedAt = Date.now()
    await deadlines.schedule([timer(1, startedAt + 900)], startedAt)
    await expect.poll(() => receiveAll(queues)).toHaveLength(1)
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(900)
  })

  it.each([
    ['in whole seconds, rounded up', now + 1_001, 2],
    ['at once when their time is over', now - 5_000, 0],
    ['by 15 minutes when that is not enough', now + 86_400_000, 900],
  ])('are delayed %s (O8)', async (_how, at, seconds) => {
    const inputs: unknown[] = []
    const sqs: Sqs = (command) => {
      inputs.push(command.input)
      return queues.sqs(command)
    }
    await sqsDeadlines(sqs, queues.queueUrl).schedule([timer(1, at, 100)], now)
    expect(inputs).toMatchObject([{ Entries: [{ DelaySeconds: seconds }] }])
  })

  it('reject when SQS rejects them (I6)', async () => {
    const deadlines = sqsDeadlines(refusingSqs, 'https://queue.example/timers')
    await expect(deadlines.schedule([timer(1, now)], now)).rejects.toThrow('InternalError')
  })

  it('reject when SQS does not answer (I6)', async () => {
    const { proxy, sqs } = await behindFaults()
    const deadlines = sqsDeadlines(sqs, queues.queueUrl)
    proxy.set({ mode: 'blackhole' })
    await expect(deadlines.schedule([timer(1, now)], now)).rejects.toThrow()
    await proxy.stop()
  })
})
