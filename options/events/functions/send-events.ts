/**
 * Sends the events of endpoints that are due. One function at a time sends to an endpoint, so that a slow one holds up
 * its own events alone. What is pending changes only after the answer: a function that ends early sends again.
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

/** Posts to one endpoint at once. */
const concurrency = 20

/** The most orders and sales that are read at once from the list of what is due. */
const pageSize = 200

/** How long a lease outlasts the deadline, ms: longer than a last post with the writes after it. */
const leaseMarginMs = 15_000

/** The delay of a message for an endpoint to which another function is sending. */
const repeatSeconds = 5

/** The longest delay of a message in SQS, ms. `reconcile` finds events that are due later. */
const maxDelayMs = 900_000

/** The shortest wait, ms: the list lags a moment, and may still show what was just sent. */
const minWaitMs = 1000

/** The message that an endpoint has events to be sent. */
const endpointMessage = z.object({ endpointId: z.string(), isRepeat: z.optional(z.boolean()) })

/** The ids of messages to redeliver. Begins no post after `deadline` (epoch ms). Drops an unreadable message. */
export async function sendEvents(
  ports: SendEventsPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const asked = messages.flatMap(({ body, messageId }) => {
    const read = readJson(endpointMessage, body)
    return read.ok ? [{ messageId, ...read.value }] : []
  })
  const byEndpoint = Map.groupBy(asked, ({ endpointId }) => endpointId)
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
    // The other may have looked at the list before the newest events were on it.
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

/** False when the endpoint has answered 410. */
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

/** Sends the events of one order or sale until one fails. What is added meanwhile wakes the endpoint again. */
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
      // The answer of an earlier write was lost.
      pending?.events[0]?.id === event.id ? afterTry(pending, answer, now, share) : undefined
    const { finished, ...left } = await changePending(ports, endpoint.id, subject, after, stored)
    stored = left
    if (finished?.state !== 'dead') continue
    meter.count('EventsDead')
    log.error('event given up', { endpoint: endpoint.name, eventId: event.id, ...answer })
  }
}
