/**
 * The process that stands for Lambda: the deployed bundles, unchanged, behind their function URLs, their queue
 * and their schedule. Only its environment differs from the cloud's, and only this process has it.
 */
import { startEventSource } from '../lambda/event-source.ts'
import { startFunctionUrl } from '../lambda/function-url.ts'
import type { LoadedFunction } from '../lambda/invoke.ts'
import { loadFunction } from '../lambda/load.ts'
import { type Schedule, startSchedule } from '../lambda/schedule.ts'
import type { Listening } from '../listen.ts'
import { functionTimeoutMs, type HttpFunction } from '../resources.ts'
import { type FunctionsAddresses, functionsSettings, scheduleRun } from './messages.ts'
import { serveParent } from './rpc.ts'

const reconcileEveryMs = 60_000

/**
 * 49 orders and one buyer's total each fit one DynamoDB transaction of 100 items with the sale's cap. Enough
 * receivers to fill two batches while two are being written.
 */
const ordersBatch = { limits: { size: 49, windowMs: 100, concurrency: 2 }, receivers: 16 }

const loaded: LoadedFunction[] = []
const started: { stop(): Promise<void> }[] = []
const schedules = new Map<string, Schedule>()

async function start(params: unknown): Promise<FunctionsAddresses> {
  const settings = functionsSettings.parse(params)
  Object.assign(process.env, settings.environment)
  const load = async (name: string) => {
    const fn = await loadFunction(settings.dist, name, functionTimeoutMs)
    loaded.push(fn)
    return fn
  }
  const serve = async (name: HttpFunction) => {
    const options = { signingSecret: settings.signingSecret, concurrency: 1000 }
    return keep<Listening>(await startFunctionUrl(await load(name), options, report)).url
  }
  const [reserve, orders, control, writeOrders, reconcile] = await Promise.all([
    serve('reserve'),
    serve('orders'),
    serve('control'),
    load('write-orders'),
    load('reconcile'),
  ])
  // The straight way to the queue: receiving is the platform's work, and the emulated queue hands messages to a
  // long poll whose connection was cut, where they stay hidden for a minute.
  keep(
    startEventSource(
      writeOrders,
      { ...ordersBatch, queueUrl: settings.orders.directUrl, queueArn: settings.orders.arn },
      report,
    ),
  )
  schedules.set('reconcile', keep(startSchedule(reconcile, reconcileEveryMs, report)))
  return { urls: { reserve, orders, control } }
}

async function runSchedule(params: unknown): Promise<unknown> {
  const { name, payload } = scheduleRun.parse(params)
  const schedule = schedules.get(name)
  if (schedule === undefined) throw new Error(`There is no schedule called ${name}.`)
  return schedule.run(payload)
}

/** Shopper-facing work first, then what it left in the queue: stopping loses nothing that is under way. */
async function leave(): Promise<void> {
  await Promise.all(started.map((part) => part.stop()))
}

function keep<T extends { stop(): Promise<void> }>(part: T): T {
  started.push(part)
  return part
}

function report(failure: unknown): void {
  console.error(failure)
}

async function countInvocations(): Promise<Record<string, number>> {
  return Object.fromEntries(loaded.map(({ name, invocations }) => [name, invocations]))
}

serveParent({ start, runSchedule, countInvocations }, leave)
