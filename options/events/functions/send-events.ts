/**
 * Sends the due events of endpoints. One invocation at a time sends to an endpoint, so that a slow one delays only its own
 * events. Pending events change only after the answer, so an interrupted function sends an event again.
 */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import type { QueueMessage } from '../../../functions/lib/queue-consumer.ts'
import { errorFacts } from '../../../functions/lib/telemetry.ts'
import { afterTry, isDelivered, type PendingEvents } from '../core/pending-events.ts'
import type { CollectPorts } from './collect-events.ts'
import { type PostEventPorts, postEvent } from './post-event.ts'
import {
  changePending,
  dueSubjects,
  endpoints,
  leaseEndpoint,
  nextDueAt,
  readPending,
  releaseEndpoint,
  type StoredEndpoint,
  type StoredPending,
} from './table.ts'

export type SendEventsPorts = PostEventPorts &
  CollectPorts & {
    /** From 0 to 1. */
    random: () => number
  }

/** Number of concurrent posts to one endpoint. */
const concurrency = 20

/** Maximum number of orders and sales in one read of the list of due events. */
const pageSize = 200

/** Time from the deadline to the end of a lease, ms: longer than a last post with the writes after it. */
const leaseMarginMs = 15_000

/** Delay of the message for an endpoint to which another function is sending. */
const repeatSeconds = 5

/** Maximum delay of a message in SQS, ms. `reconcile` finds events that are due later. */
const maxDelayMs = 900_000

/** Minimum wait, ms: the list lags a moment, and may still have events that were just sent. */
const minWaitMs = 1000

/** The message that an endpoint has due events. */
const endpointMessage = z.object({ endpointId: z.string(), isRepeat: z.optional(z.boolean()) })

/** Sends the due events, and returns the ids of messages to redeliver. Starts no post after `deadline` (epoch ms). Drops an unreadable message. */
export async function sendEvents(
  ports: SendEventsPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const wakeups = messages.flatMap(({ body, messageId }) => {
    const read = readJson(endpointMessage, body)
    return read.ok ? [{ messageId, ...read.value }] : []
  })
  const byEndpoint = Map.groupBy(wakeups, ({ endpointId }) => endpointId)
  const all = await endpoints.all(ports.table)
  const failed: string[] = []
  await Promise.all(
    [...byEndpoint].map(async ([endpointId, received]) => {
      const endpoint = all.find(({ id }) => id === endpointId)
      if (endpoint === undefined || endpoint.disabledBy !== undefined) return
      try {
        await runEndpoint(
          ports,
          endpoint,
          received.every(({ isRepeat }) => isRepeat === true),
          deadline,
        )
      } catch (error) {
        ports.log.warn('events not sent yet', { endpoint: endpoint.name, ...errorFacts(error) })
        failed.push(...received.map(({ messageId }) => messageId))
      }
    }),
  )
  return failed
}

async function runEndpoint(
  ports: SendEventsPorts,
  endpoint: StoredEndpoint,
  isRepeat: boolean,
  deadline: number,
): Promise<void> {
  const { table, wakeSender, clock } = ports
  const until = Math.max(deadline, clock()) + leaseMarginMs
  if (!(await leaseEndpoint(table, endpoint.id, clock(), until))) {
    // The other function may have read the list before the newest events were on it.
    if (!isRepeat) await wakeSender(endpoint.id, repeatSeconds, true)
    return
  }
  let isEnabled = true
  try {
    isEnabled = await sendDue(ports, endpoint, deadline)
  } finally {
    await releaseEndpoint(table, endpoint.id, until)
  }
  const nextAt = isEnabled ? await nextDueAt(table, endpoint.id) : undefined
  if (nextAt === undefined) return
  const waitMs = Math.max(minWaitMs, nextAt - clock())
  if (waitMs < maxDelayMs) await wakeSender(endpoint.id, Math.ceil(waitMs / 1000))
}

/** Sends all due events of an endpoint; false when it has answered 410. */
async function sendDue(ports: SendEventsPorts, endpoint: StoredEndpoint, deadline: number): Promise<boolean> {
  const { table, clock, log } = ports
  const run: EndpointRun = { endpoint, deadline, tried: 0, isGone: false }
  for (;;) {
    const due = [...(await dueSubjects(table, endpoint.id, clock(), pageSize))]
    if (due.length === 0) return true
    const before = run.tried
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (!run.isGone && clock() < deadline) {
          const subject = due.shift()
          if (subject === undefined) return
          await sendSubject(ports, run, subject)
        }
      }),
    )
    if (run.isGone) {
      log.warn('endpoint answered 410 and is disabled', { endpoint: endpoint.name })
      await endpoints.note(table, endpoint, { disabledBy: 'gone' })
      return false
    }
    // The list lags behind what was just written.
    if (clock() >= deadline || run.tried === before) return true
  }
}

type EndpointRun = {
  endpoint: StoredEndpoint
  deadline: number
  tried: number
  isGone: boolean
}

/** Sends the events of one order or sale until one fails. Events that are added meanwhile wake the endpoint again. */
async function sendSubject(ports: SendEventsPorts, run: EndpointRun, subject: string): Promise<void> {
  const { table, clock, meter, log } = ports
  const { endpoint, deadline } = run
  let stored: StoredPending = await readPending(table, endpoint.id, subject)
  let isDeliverable = true
  while (isDeliverable && !run.isGone && clock() < deadline) {
    const event = stored.pending?.events[0]
    if (stored.pending === undefined || event === undefined || stored.pending.nextAt > clock()) return
    run.tried += 1
    const answer = await postEvent(ports, endpoint, event)
    isDeliverable = isDelivered(answer)
    meter.count(isDeliverable ? 'EventsSent' : 'EventsFailed')
    if ('status' in answer && answer.status === 410) run.isGone = true
    const share = ports.random()
    const after = (pending: PendingEvents | undefined, now: number) =>
      // The first event differs if an earlier write succeeded and its answer was lost.
      pending?.events[0]?.id === event.id ? afterTry(pending, answer, now, share) : undefined
    const { finished, ...left } = await changePending(ports, endpoint.id, subject, after, stored)
    stored = left
    if (finished?.state !== 'dead') continue
    meter.count('EventsDead')
    log.error('event given up', { endpoint: endpoint.name, eventId: event.id, ...answer })
  }
}
