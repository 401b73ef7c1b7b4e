/** Payment deadlines in SQS. */
import { describe, expect, it } from 'vitest'
import { readJson } from '../../core/lib/parse.ts'
import { type PaymentDeadline, paymentDeadline } from '../../core/orders/payment-timer-message.ts'
import { sqsDeadlines } from '../../functions/entries/adapters/send.sqs.ts'
import type { Sqs } from '../../functions/entries/adapters/sqs.ts'
import { startFaultProxy } from '../../local/faults/fault-proxy.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { receiveAll, startQueues, type TestQueues } from './cloud.ts'
import { refusingSqs } from './fakes/refusing-sqs.ts'

const now = 1_000_000

function timer(shopper: number, at: number, orders = 2): PaymentDeadline {
  const orderIds = Array.from({ length: orders }, (_, order) => orderIdOf(saleIdOf('sale-of-timers'), shopper, order))
  return { orderIds, at }
}

async function timersIn(queues: TestQueues): Promise<PaymentDeadline[]> {
  return (await receiveAll(queues)).map((body) => {
    const read = readJson(paymentDeadline, body)
    if (!read.ok) throw new Error(read.detail)
    return read.value
  })
}

describe('payment deadlines in SQS', () => {
  it('are all stored once their sender got its answer, however many they are, and none if none are (O8)', async () => {
    const queues = await startQueues()
    const timers = Array.from({ length: 23 }, (_, shopper) => timer(shopper, now))
    const deadlines = sqsDeadlines(queues.sqs, queues.queueUrl)
    for (const some of [timers, []]) await deadlines.schedule(some, now)
    const received = await timersIn(queues)
    expect(received).toHaveLength(23)
    expect(received).toEqual(expect.arrayContaining(timers))
    await queues.stop()
  })

  it('arrive when their time is over and not before (O8)', async () => {
    const queues = await startQueues()
    const deadlines = sqsDeadlines(queues.sqs, queues.queueUrl)
    const startedAt = Date.now()
    await deadlines.schedule([timer(1, startedAt + 900)], startedAt)
    await expect.poll(() => receiveAll(queues)).toHaveLength(1)
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(900)
    await queues.stop()
  })

  it.each([
    ['in whole seconds, rounded up', now + 1_001, 2],
    ['at once when their time is over', now - 5_000, 0],
    ['by 15 minutes when that is not enough', now + 86_400_000, 900],
  ])('are delayed %s (O8)', async (_how, at, seconds) => {
    const queues = await startQueues()
    const inputs: unknown[] = []
    const sqs: Sqs = (command) => {
      inputs.push(command.input)
      return queues.sqs(command)
    }
    await sqsDeadlines(sqs, queues.queueUrl).schedule([timer(1, at, 100)], now)
    expect(inputs).toMatchObject([{ Entries: [{ DelaySeconds: seconds }] }])
    await queues.stop()
  })

  it('reject when SQS rejects them (I6)', async () => {
    const deadlines = sqsDeadlines(refusingSqs, 'https://queue.example/timers')
    await expect(deadlines.schedule([timer(1, now)], now)).rejects.toThrow('InternalError')
  })

  it('reject when SQS does not answer (I6)', async () => {
    const queues = await startQueues()
    const proxy = await startFaultProxy({ targetPort: Number(new URL(queues.queueUrl).port) })
    const sqs = queues.sqsAt(`http://127.0.0.1:${proxy.port}`)
    const deadlines = sqsDeadlines(sqs, queues.queueUrl)
    proxy.set({ mode: 'blackhole' })
    await expect(deadlines.schedule([timer(1, now)], now)).rejects.toThrow()
    await proxy.stop()
    await queues.stop()
  })
})
