/**
 * The admission of a request, in the message of its order or claim. The consumer reports to the gate that it is
 * completed once the order or the claim is in the table, in one call for a batch. A message that is sent again from the
 * outbox has no such part: its admission takes a place some seconds longer, until it expires by itself.
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
