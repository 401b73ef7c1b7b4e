/**
 * The process that stands for the Lambda functions nobody waits for: the queues' consumers and the schedule.
 * In the cloud they have machines of their own; here they stand back while shoppers are being answered.
 */
import { fullGroup } from '../../functions/claim-life/credit.ts'
import { fullBatch } from '../../functions/write-orders/entry.ts'
import { standBack } from '../background.ts'
import { startEventSource } from '../lambda/event-source.ts'
import type { LoadedFunction } from '../lambda/invoke.ts'
import { type Schedule, startSchedule } from '../lambda/schedule.ts'
import { batchWindowMs } from '../resources.ts'
import { startLambdaHost } from './lambda-host.ts'
import { scheduleRun, type WorkersSettings, workersSettings } from './messages.ts'

/** Each run looks after the sales until just before the next one, so that there is always one about. */
const reconcileRate = { everyMs: 60_000, input: { tendMs: 58_000 } }

/**
 * An event source as SQS offers it: at least two invocations at a time, and for batches of more than ten messages a
 * window of at least a second
 * (https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html). Receivers, of ten messages each,
 * enough for three batches.
 */
const fullBatches = (size: number) => ({
  limits: { size, windowMs: batchWindowMs, concurrency: 2 },
  receivers: Math.ceil((3 * size) / 10),
})

const ordersBatch = fullBatches(fullBatch)
const claimsBatch = fullBatches(fullGroup)

/** Few messages, each of many orders: they are taken as they come. */
const deadlinesBatch = { limits: { size: 10, windowMs: 0, concurrency: 2 }, receivers: 1 }

const schedules = new Map<string, Schedule>()
const host = startLambdaHost({ start, runSchedule })
void standBack(console.error)

async function start(params: unknown): Promise<null> {
  const { dist, environment, orders, claims, deadlines } = workersSettings.parse(params)
  const load = host.enter(dist, environment)
  const [writeOrders, creditWallets, cancelUnpaid, reconcile] = await Promise.all([
    load('write-orders'),
    load('credit-wallets'),
    load('cancel-unpaid'),
    load('reconcile'),
  ])
  // The straight way to the queue: receiving is the platform's work, and the emulated queue hands messages to a
  // long poll whose connection was cut, where they stay hidden for a minute.
  const consume = (fn: LoadedFunction, queue: WorkersSettings['orders'], batch: typeof ordersBatch) => {
    const source = { ...batch, queueUrl: queue.directUrl, queueArn: queue.arn }
    host.keep(startEventSource(fn, source, host.report))
  }
  consume(writeOrders, orders, ordersBatch)
  consume(creditWallets, claims, claimsBatch)
  consume(cancelUnpaid, deadlines, deadlinesBatch)
  schedules.set('reconcile', host.keep(startSchedule(reconcile, reconcileRate, host.report)))
  return null
}

async function runSchedule(params: unknown): Promise<unknown> {
  const { name, payload } = scheduleRun.parse(params)
  const schedule = schedules.get(name)
  if (schedule === undefined) throw new Error(`There is no schedule called ${name}.`)
  return schedule.run(payload)
}
