/**
 * The process of the background functions: the consumers of the queues and the schedule. They may run at a lower
 * priority than the functions that shoppers wait for.
 */
import { optionFunctionNames, optionFunctions, reconcileRate, scheduledFunctions } from '../../system/functions.ts'
import { mailConsumption, mailFilters } from '../../system/mail.ts'
import {
  consumptions,
  type QueueName,
  queueNames,
  type WakingQueueName,
  wakingQueueNames,
  wakingQueues,
} from '../../system/queues.ts'
import type { OptionFunction } from '../../system/seams.ts'
import { lowerPriority } from '../background.ts'
import { startEventSource } from '../lambda/event-source.ts'
import { invoke, type LoadedFunction } from '../lambda/invoke.ts'
import { type LocalSchedule, startSchedule } from '../lambda/schedule.ts'
import { openTableStream, startStreamSource } from '../lambda/stream-source.ts'
import { startLambdaHost } from './lambda-host.ts'
import { scheduleRun, type WorkersSettings, workersSettings } from './messages.ts'

const mailReading = { filters: mailFilters, consumption: mailConsumption }

/** Event sources of SQS have a concurrency of at least two. */
function limitsOf(name: QueueName) {
  const { batchSize, windowSeconds } = consumptions[name]
  return { size: batchSize, windowMs: windowSeconds * 1000, concurrency: 2 }
}

const schedules = new Map<string, Pick<LocalSchedule, 'run'>>()
const host = startLambdaHost({ start, runSchedule })

async function start(params: unknown): Promise<null> {
  const settings = workersSettings.parse(params)
  const { dist, environment, inspected, scheduled, woken, stream, readers, waking, ...queues } = settings
  if (settings.lowerPriority) void lowerPriority(console.error)
  const load = host.prepare({ dist, environment, inspected })
  const [reconcile, canary] = await Promise.all([
    load('reconcile'),
    load('canary'),
    readers.mail && load('mail').then((fn) => startStream(fn, stream, mailReading)),
    ...(readers.options ? optionFunctionNames : []).map(async (name) => {
      const [fn, reading] = [await load(name), optionFunctions[name]]
      if (reading !== undefined) startStream(fn, stream, reading)
      const queue = wakingQueueNames.find((one) => one === name)
      if (queue !== undefined) host.stopLater(startWakeSource(queue, fn, waking[queue]))
    }),
    ...queueNames.map(async (name) => consume(name, queues[name], await load(consumptions[name].consumer))),
  ])
  if (woken) {
    const source = startWakeSource('wake', reconcile, waking.wake)
    // A run may last as long as a scheduled one, so it is abandoned too.
    host.stopLater({ stop: async () => void source.stop() })
  }
  const { everyMinutes, input } = reconcileRate
  const rate = { everyMs: everyMinutes * 60_000, input }
  if (scheduled) schedules.set('reconcile', host.stopLater(startSchedule(reconcile, rate, host.report)))
  else {
    schedules.set('reconcile', { run: (payload = {}) => invoke(reconcile, payload) })
    await invoke(reconcile, {})
  }
  for (const [name, { local, single }] of scheduledFunctions) {
    const fn = await load(name)
    if (scheduled) schedules.set(name, host.stopLater(startSchedule(fn, local, host.report)))
    else schedules.set(name, { run: (payload) => invoke(fn, payload ?? single) })
  }
  // The canary runs on demand only: its schedule would fill every log, and there are no alarms here.
  schedules.set('canary', { run: (payload) => invoke(canary, payload) })
  return null
}

/**
 * Uses the direct URL of the queue, because receiving is the platform's work. With a fault proxy, the emulated queue
 * would deliver messages to a long poll with a broken connection, and they would stay hidden for a minute.
 */
function consume(name: QueueName, { directUrl, arn }: WorkersSettings[QueueName], fn: LoadedFunction): void {
  const source = { limits: limitsOf(name), queueUrl: directUrl, queueArn: arn }
  host.stopLater(startEventSource(fn, source, host.report))
}

function startWakeSource(name: WakingQueueName, fn: LoadedFunction, { directUrl, arn }: WorkersSettings['orders']) {
  const { batchSize, concurrency } = wakingQueues[name]
  const source = { limits: { size: batchSize, windowMs: 0, concurrency }, queueUrl: directUrl, queueArn: arn }
  return startEventSource(fn, source, host.report)
}

/** Bypasses the fault proxy, because reading the stream is the platform's work. */
function startStream(
  fn: LoadedFunction,
  { endpoint, table }: WorkersSettings['stream'],
  { filters, consumption: { batchSize, maxAgeHours } }: Pick<OptionFunction, 'filters' | 'consumption'>,
): void {
  const source = { filters, batchSize, maxAgeMs: maxAgeHours * 3_600_000, pauseMs: 250 }
  host.stopLater(startStreamSource(fn, openTableStream(endpoint, table), source, host.report))
}

async function runSchedule(params: unknown): Promise<unknown> {
  const { name, payload } = scheduleRun.parse(params)
  const schedule = schedules.get(name)
  if (schedule === undefined) throw new Error(`There is no schedule called ${name}.`)
  return schedule.run(payload)
}
