/**
 * The process of the Lambda functions in the background: the queues' consumers and the schedule. In
 * the cloud they have machines of their own; here they may run at a lower priority than the functions
 * that shoppers wait for.
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

/** An event source runs at least two invocations at a time. */
function limitsOf(name: QueueName) {
  const { batchSize, windowSeconds } = consumptions[name]
  return { size: batchSize, windowMs: windowSeconds * 1000, concurrency: 2 }
}

const schedules = new Map<string, Pick<LocalSchedule, 'run'>>()
const host = startLambdaHost({ start, runSchedule })

async function start(params: unknown): Promise<null> {
  const settings = workersSettings.parse(params)
  const { dist, environment, scheduled, woken, stream, readers, waking, ...queues } = settings
  if (settings.lowerPriority) void lowerPriority(console.error)
  const load = host.prepare(dist, environment)
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
    // A run may last as long as a scheduled one, so it is abandoned as well.
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
  // The canary runs on demand only: its schedule would fill every log, and there is no one to
  // alarm.
  schedules.set('canary', { run: (payload) => invoke(canary, payload) })
  return null
}

/**
 * The direct URL of the queue, without fault proxy: receiving is the platform's work, and the
 * emulated queue delivers messages to a long poll whose connection was cut, where they stay hidden
 * for a minute.
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

/** Directly too: reading the stream is the platform's work. */
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
