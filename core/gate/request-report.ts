/**
 * What a message says of the request that it is from: the consumer reports it to the gate once the
 * order or the claim is in the table, many in one call. The gate expires an admission by itself, so
 * a message without this, sent again from the outbox, only keeps a place for some seconds longer.
 */
import * as z from 'zod/mini'
import { whole } from '../lib/parse.ts'

const count = whole(0, Number.MAX_SAFE_INTEGER)

/**
 * `second` is the epoch second in which the gate counts the request's admission. `booked` are the
 * units booked afterwards, in that revision of the stock; both are absent for an unlimited stock.
 */
export const admitted = z.strictObject(
  { second: count, booked: z.optional(count), stockRevision: z.optional(count) },
  'must be an object',
)

export type Admitted = z.infer<typeof admitted>
