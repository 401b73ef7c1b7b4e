/** The queue of orders in SQS. */
import { type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { sqsDeadLetterCount, sqsQueueDepth } from '../../functions/entries/adapters/queue-depth.sqs.ts'
import { sqsBulkSender, sqsQueue } from '../../functions/entries/adapters/send.sqs.ts'
import { showAgain } from '../../functions/entries/adapters/visibility.sqs.ts'
import { startFaultProxy } from '../../local/faults/fault-proxy.ts'
import { aPurchase, aSale } from '../redis/support.ts'
import { receiveAll, startQueues, type TestQueues } from './cloud.ts'

const sale = aSale()

function messageOf(shopper: number): OrderMessage {
  const { orderId, saleId, shopperId, quantity, requestId } = aPurchase(sale, shopper)
  return { orderId, saleId, shopperId, quantity, reservedAt: 5_000, requestId }
}

async function messagesIn(queues: TestQueues): Promise<OrderMessage[]> {
  return (await receiveAll(queues)).map((body) => JSON.parse(body))
}

describe('the order queue in SQS', () => {
  it('holds every message once its sender got its answer (O2)', async () => {
    const queues = await startQueues()
    const messages = Array.from({ length: 57 }, (_, shopper) => messageOf(shopper))
    const queue = sqsQueue(queues.sqs, queues.queueUrl)
    await Promise.all(messages.map((message) => queue.send(message)))
    const received = await messagesIn(queues)
    expect(received).toHaveLength(57)
    expect(received).toEqual(expect.arrayContaining(messages))
    await queues.stop()
  })

  it('rejects within its deadline, and then accepts messages again, during an outage of SQS (I6)', async () => {
    const queues = await startQueues()
    const proxy = await startFaultProxy({ targetPort: Number(new URL(queues.queueUrl).port) })
    const sqs = queues.sqsAt(`http://127.0.0.1:${proxy.port}`)
    const queue = sqsQueue(sqs, queues.queueUrl)
    proxy.set({ mode: 'blackhole' })
    await expect(queue.send(messageOf(1))).rejects.toThrow()
    proxy.set({ mode: 'down' })
    const bulk = await sqsBulkSender(sqs, queues.queueUrl).sendAll([messageOf(1), messageOf(2)])
    expect(bulk.every((error) => error instanceof Error)).toBe(true)
    proxy.set(null)
    await queue.send(messageOf(3))
    expect((await messagesIn(queues)).map(({ orderId }) => orderId)).toContain(messageOf(3).orderId)
    await proxy.stop()
    await queues.stop()
  })

  it('returns how many messages wait, are in flight, and are dead letters', async () => {
    const queues = await startQueues()
    const depth = sqsQueueDepth(queues.sqs, queues.queueUrl)
    const deadLetters = sqsDeadLetterCount(queues.sqs, [queues.deadLettersUrl])
    const queue = sqsQueue(queues.sqs, queues.queueUrl)
    await Promise.all([1, 2, 3].map((shopper) => queue.send(messageOf(shopper))))
    await queues.sdk.send(new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MaxNumberOfMessages: 1 }))
    expect(await depth()).toEqual({ visible: 2, inFlight: 1, delayed: 0 })
    expect(await deadLetters()).toBe(0)
    await queues.stop()
  })

  it('shows received messages again before their timeout, more than one call takes (O6)', async () => {
    const queues = await startQueues()
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
    await showAgain(queues.sqs, queues.queueUrl, shown)
    expect(await messagesIn(queues)).toHaveLength(12)
    await queues.stop()
  })
})
