/** The orders in real dead letters. */
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import { sqsDeadOrders } from '../../functions/stores/dead-orders.sqs.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { startQueues, type TestQueues } from './cloud.ts'

let queues: TestQueues
beforeEach(async () => {
  queues = await startQueues()
})
afterEach(() => queues.stop())

const { saleId } = aSale()

async function bury(MessageBody: string): Promise<void> {
  await queues.sdk.send(new SendMessageCommand({ QueueUrl: queues.deadLettersUrl, MessageBody }))
}

async function buryOrders(count: number): Promise<OrderId[]> {
  const orderIds: OrderId[] = []
  for (let shopper = 1; shopper <= count; shopper += 1) {
    const orderId = orderIdOf(saleId, shopper, 1)
    const facts = { saleId, shopperId: shopperIdOf(shopper), quantity: 1, epoch: 1, reservedAt: 1000 }
    const message: OrderMessage = { orderId, ...facts, requestId: 'request' }
    await bury(JSON.stringify(message))
    orderIds.push(orderId)
  }
  return orderIds.sort()
}

const look = async () => {
  const orderIds = await sqsDeadOrders(queues.sqs, queues).units()
  return orderIds && [...orderIds.keys()].sort()
}

describe('the orders among the dead letters', () => {
  it('are all found, and an unreadable message is no order (I2, O7)', async () => {
    expect(await look()).toEqual([])
    const orderIds = await buryOrders(23)
    await bury('nonsense')
    expect(await look()).toEqual(orderIds)
  })

  it('are not known while another receiver has one of the messages (I2)', async () => {
    await buryOrders(2)
    await queues.sdk.send(new ReceiveMessageCommand({ QueueUrl: queues.deadLettersUrl }))
    expect(await look()).toBeUndefined()
  })

  it('are redriven like any dead letter', async () => {
    await buryOrders(2)
    expect(await sqsDeadOrders(queues.sqs, queues).retry(Date.now() + 5000, async () => undefined)).toEqual({
      moved: 2,
      missed: 0,
    })
    expect(await look()).toEqual([])
  })
})
