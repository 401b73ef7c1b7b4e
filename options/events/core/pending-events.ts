/**
 * The events of one order or sale that an endpoint has not received yet. They are delivered in order: the next one is sent
 * once the first was delivered or dead-lettered.
 */
import * as z from 'zod/mini'
import { type ShopEvent, shopEvent } from './event.ts'

/**
 * The pauses after failed tries of an event, ms: the schedule of the Standard Webhooks specification. When the last try
 * fails, three days and four hours after the first, the event is dead-lettered.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#retry-schedule
 */
export const retryDelaysMs: readonly number[] = [
  ...[5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600].map((s) => s * 1000),
]

/** Maximum share by which a pause varies, so that events which failed together are not retried together. */
const jitter = 0.2

/** The number of tries of an event, and the result of the last one. */
const tried = { tries: z.number(), status: z.optional(z.number()), failure: z.optional(z.string()) }

/**
 * Pending events, also in the table. `lastNumber` is the number of the last event that was added from the stream. `tries` of
 * the first event have failed; it is due at `nextAt`, epoch ms.
 */
export const pendingEvents = z.object({
  subject: z.string(),
  events: z.readonly(z.array(shopEvent)),
  lastNumber: z.number(),
  nextAt: z.number(),
  ...tried,
})
export type PendingEvents = z.infer<typeof pendingEvents>

/** The answer of an endpoint: a status, or why there was none. */
export type PostAnswer = { status: number } | { failure: string }

/** A finished event. `dead`: dead-lettered after the last try. `at` is epoch ms. */
export const finishedEvent = z.object({
  event: shopEvent,
  state: z.enum(['delivered', 'dead']),
  at: z.number(),
  ...tried,
})
export type FinishedEvent = z.infer<typeof finishedEvent>

/** The new pending events, and the first of the former ones if it is finished. */
export type PendingChange = { pending: PendingEvents; finished?: FinishedEvent }

const emptyPending = (subject: string): PendingEvents => ({ subject, events: [], lastNumber: 0, tries: 0, nextAt: 0 })

/** Adds the events that were not added before; undefined when there are none. */
export function withNewEvents(
  pending: PendingEvents | undefined,
  events: readonly ShopEvent[],
  now: number,
): PendingChange | undefined {
  const [first] = events
  if (first === undefined) return undefined
  const present = pending ?? emptyPending(first.subject)
  const fresh = events.filter(({ number }) => number > present.lastNumber)
  const last = fresh.at(-1)
  return last && { pending: { ...appended(present, fresh, now), lastNumber: last.number } }
}

/** Adds an event to resend; undefined when it is already pending. */
export function withReplayed(
  pending: PendingEvents | undefined,
  event: ShopEvent,
  now: number,
): PendingChange | undefined {
  const present = pending ?? { ...emptyPending(event.subject), lastNumber: event.number }
  const isWaiting = present.events.some(({ id }) => id === event.id)
  return isWaiting ? undefined : { pending: appended(present, [event], now) }
}

function appended(present: PendingEvents, events: readonly ShopEvent[], now: number): PendingEvents {
  const isIdle = present.events.length === 0
  return { ...present, ...(isIdle && firstTry(now)), events: [...present.events, ...events] }
}

const firstTry = (now: number) => ({ tries: 0, nextAt: now, status: undefined, failure: undefined })

export const isDelivered = (answer: PostAnswer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300

/** Returns the pending events after a try of the first one, and that event if it is finished. `random` is from 0 to 1. */
export function afterTry(
  { events, ...pending }: PendingEvents,
  answer: PostAnswer,
  now: number,
  random: number,
): PendingChange {
  const [event, ...others] = events
  if (event === undefined) throw new RangeError(`nothing of ${pending.subject} is pending`)
  const tries = pending.tries + 1
  const status = 'status' in answer ? answer.status : undefined
  const failure = 'failure' in answer ? answer.failure : undefined
  const delayMs = retryDelaysMs[tries - 1]
  if (!isDelivered(answer) && delayMs !== undefined) {
    const nextAt = now + Math.round(delayMs * (1 - jitter + 2 * jitter * random))
    return { pending: { ...pending, events, tries, nextAt, status, failure } }
  }
  const state = isDelivered(answer) ? 'delivered' : 'dead'
  return {
    pending: { ...pending, events: others, ...firstTry(now) },
    finished: { event, state, tries, status, failure, at: now },
  }
}
