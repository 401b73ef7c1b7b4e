/** The settings of an event endpoint, its view in the console, and the views of its deliveries. */
import * as z from 'zod/mini'
import { parseSaleId } from '../../../core/ids.ts'
import { readBy, whole } from '../../../core/lib/parse.ts'
import { maxAddress, secureAddress } from '../../../core/lib/secure-address.ts'
import { eventTypes } from './names.ts'

/** A limit, because every event is written for each endpoint. */
export const maxEndpoints = 9

/** Limit of the secrets that sign at the same time: the new one and those replaced within a day. */
export const maxSecrets = 4

/** Prefix of the address of an EventBridge bus; the name of the bus follows. */
export const busScheme = 'eventbridge:'

/** How long the former secret signs beside the new one. */
export const rotationMs = 24 * 3_600_000

const maxSales = 50

export const endpointName = z
  .string('must be a string')
  .check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits or hyphens, a letter first'))

/** Without `types` it receives all events, without `sales` those of all sales. */
export const endpointInput = z.strictObject(
  {
    url: z.union(
      [secureAddress, z.string().check(z.startsWith(busScheme), z.maxLength(maxAddress))],
      'must be an https address',
    ),
    types: z.optional(
      z
        .array(z.enum(eventTypes, `must be one of ${eventTypes.join(', ')}`), 'must be a list')
        .check(z.minLength(1, 'must not be empty')),
    ),
    sales: z.optional(
      z
        .array(readBy(parseSaleId, 'must be a sale id'), 'must be a list')
        .check(z.minLength(1, 'must not be empty'), z.maxLength(maxSales, `must be at most ${maxSales}`)),
    ),
    enabled: z.optional(z.boolean('must be true or false')),
  },
  'must be a JSON object with url',
)
export type EndpointInput = z.infer<typeof endpointInput>

/**
 * `state`: `gone` was disabled by its own answer 410. `formerSecretUntil`: until then a former secret signs, too.
 * Times are epoch ms.
 */
export const endpointView = z.object({
  name: z.string(),
  url: z.string(),
  types: z.nullable(z.readonly(z.array(z.string()))),
  sales: z.nullable(z.readonly(z.array(z.string()))),
  state: z.enum(['enabled', 'disabled', 'gone']),
  savedAt: z.number(),
  formerSecretUntil: z.nullable(z.number()),
})
export type EndpointView = z.infer<typeof endpointView>

/** `secret` is shown once, for a new endpoint or after a rotation. It is null for a bus, for which nothing is signed. */
export const savedEndpoint = z.object({ endpoint: endpointView, secret: z.nullable(z.string()) })
export type SavedEndpoint = z.infer<typeof savedEndpoint>

/**
 * `state`: `waiting` for its first try or, with `nextAt`, for the next one. `at` is when the event happened, `finishedAt`
 * when it was delivered or given up. Times are epoch ms.
 */
export const eventDelivery = z.object({
  eventId: z.string(),
  type: z.string(),
  at: z.number(),
  state: z.enum(['waiting', 'delivered', 'dead']),
  tries: z.number(),
  status: z.nullable(z.number()),
  failure: z.nullable(z.string()),
  nextAt: z.nullable(z.number()),
  finishedAt: z.nullable(z.number()),
})
export type EventDelivery = z.infer<typeof eventDelivery>

/** Identifies a finished delivery by its event and the time when it was finished. */
export const finishedDelivery = z.strictObject(
  { eventId: z.string('must be a string'), finishedAt: whole(0, Number.MAX_SAFE_INTEGER) },
  'must be a JSON object with eventId and finishedAt',
)

/** The answer of the endpoint to a test event. */
export const testAnswer = z.object({
  delivered: z.boolean(),
  status: z.nullable(z.number()),
  failure: z.nullable(z.string()),
})
