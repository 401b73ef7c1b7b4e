/**
 * How fast the writer empties a full queue: messages of reservations are delayed until all of them
 * are sent, then become visible at once. Queue, functions and table are those of the whole local
 * system, on the same machine.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { startStep } from '../../cli/progress.ts'
import type { SaleId } from '../../core/ids.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import type { Stack } from '../../local/stack.ts'
import { connectRedis } from '../../redis/client.ts'
import { command } from '../../redis/command.ts'
import { stockKeys, wordOfOrder } from '../../redis/keys.ts'
import { openGoodsSale } from '../rush/open-sale.ts'
import { atLeast, type Measurement } from './harness.ts'
import { benchPurchase, benchSale } from './open-window.ts'
import { marketerOf, withOwnSystem, withoutSchedule } from './own-system.ts'
import { addTimes, type Between, type Costs, costLines, costPerOrder, readProcessorTime } from './processor-time.ts'
import type { System } from './system.ts'

const orders = 20_000
const warmUpOrders = 6000
/** Written last, to find how much of each process's time is deployed code. */
const sampledOrders = 6000
const targetPerSecond = 5000

/** Messages in one SendMessageBatch, and batches in flight while the queue fills. */
const perRequest = 10
const senders = 8
const pollMs = 200
const patienceMs = 120_000

export async function measureWriter(): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    // Warm-up: the first orders run code that is not compiled yet.
    await drain(stack, system, warmUpOrders)
    const drained = await drain(stack, system, orders)
    const sampling = await stack.sampleWork()
    await drain(stack, system, sampledOrders)
    return summary(drained, costPerOrder(addTimes([drained]), orders, await sampling.stop()))
  }, withoutSchedule)
}

type Drained = {
  seconds: number
  transactions: number
  refused: number
} & Between

/** Fills the queue with `count` orders of one new sale and waits until each of them is written. */
async function drain(stack: Stack, system: System, count: number): Promise<Drained> {
  const control = await marketerOf(system)
  const { saleId } = await openGoodsSale(system.url, control, { stock: count, quantity: 1, limitPerShopper: 1 })
  const counted = await transactionsSoFar(stack)
  const visibleAt = await fillQueue(stack, saleId, count)
  await sleep(visibleAt - Date.now())
  const startedAt = performance.now()
  const before = readProcessorTime()
  const step = startStep('writing', count)
  for (;;) {
    const { sold } = (await control.getLive({ saleId })).orders
    step.to(sold)
    if (sold === count) break
    if (performance.now() - startedAt > patienceMs) throw new Error(`${sold} of ${count} orders were written`)
    await sleep(pollMs)
  }
  const seconds = (performance.now() - startedAt) / 1000
  step.end()
  const after = readProcessorTime()
  // The writer's counts are written once a second.
  await sleep(1500)
  const { written, refused } = await transactionsSoFar(stack)
  return { seconds, before, after, transactions: written - counted.written, refused: refused - counted.refused }
}

/**
 * Sends every message with a delay that ends for all of them at the same time, which is returned
 * (epoch ms).
 */
async function fillQueue(stack: Stack, sale: string, count: number): Promise<number> {
  const { sqs, redis } = (await stack.parts()).parts
  const { endpoint, queues } = sqs
  const saleId = benchSale(sale)
  const stock = connectRedis({ url: redis.restUrl, token: redis.restToken, timeoutMs: 10_000 })
  const fillMs = 5000 + count
  const visibleAt = Date.now() + fillMs
  const step = startStep('filling the queue', count)
  let next = 0
  const send = async (): Promise<void> => {
    while (next < count) {
      const first = next
      next += perRequest
      const DelaySeconds = Math.ceil((visibleAt - Date.now()) / 1000)
      const messages = Array.from({ length: Math.min(perRequest, count - first) }, (_, i) =>
        messageOf(saleId, first + i),
      )
      // As `reserve` leaves them: a writer sees by the outbox that more messages wait.
      const entries = messages.flatMap((message) => [wordOfOrder(message.orderId), JSON.stringify(message)])
      await command(stock, ['HSET', stockKeys(saleId).outbox, ...entries])
      const Entries = messages.map((message, i) => ({
        Id: String(i),
        DelaySeconds,
        MessageBody: JSON.stringify(message),
      }))
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessageBatch' },
        body: JSON.stringify({ QueueUrl: queues.orders.queue, Entries }),
      })
      if (!answer.ok) throw new Error(`the queue answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
      step.to(Math.min(next, count))
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
  step.end()
  if (Date.now() > visibleAt) throw new Error('the queue was not full before its first message was visible')
  return visibleAt
}

function messageOf(saleId: SaleId, number: number): OrderMessage {
  const { orderId, shopperId, requestId } = benchPurchase(saleId, number)
  return { orderId, saleId, shopperId, quantity: 1, reservedAt: Date.now(), requestId }
}

const counts = z.looseObject({
  TransactionsWritten: z.optional(z.number()),
  TransactionsRefused: z.optional(z.number()),
})

/** The writer's own counts, from the metric lines in its log. */
async function transactionsSoFar(stack: Stack): Promise<{ written: number; refused: number }> {
  const log = await readFile(join(stack.logDir, 'workers.log'), 'utf8')
  const lines = log.split('\n').filter((line) => line.startsWith('{"_aws"'))
  const all = lines.map((line) => counts.parse(JSON.parse(line)))
  const sum = (values: (number | undefined)[]) => values.reduce((total: number, n) => total + (n ?? 0), 0)
  return {
    written: sum(all.map((line) => line.TransactionsWritten)),
    refused: sum(all.map((line) => line.TransactionsRefused)),
  }
}

function summary({ seconds, transactions, refused }: Drained, costs: Costs): Measurement {
  const rate = orders / seconds
  return {
    name: 'writer',
    lines: [
      atLeast(`orders written/s from a full queue of ${orders}`, rate, targetPerSecond, { digits: 0 }),
      { what: 'orders per transaction', value: (orders / transactions).toFixed(1) },
      { what: 'transactions retried after a conflict', value: String(refused) },
      ...costLines(costs),
    ],
  }
}
