/** What may be broken on purpose, how, and for how long: the body of `POST /local/faults`. */
import * as z from 'zod/mini'
import { whole } from '../core/parse.ts'

/**
 * The lines that can be broken. `redis` is the way of the functions to the stock, `gate` the way of functions and
 * edge to what the gate believes: two databases to the system, though one Redis serves both here. `origin` is the
 * way from the edge to the functions.
 */
const faultTargets = ['redis', 'gate', 'sqs', 'dynamodb', 'origin'] as const

/**
 * `down` resets connections, old and new · `slow` delays what clients send · `lost-reply` lets a request reach the
 * target, then resets the connection in place of the reply · `blackhole` accepts and never answers
 */
const faultModes = ['down', 'slow', 'lost-reply', 'blackhole'] as const

/**
 * `forMs` heals the fault by itself. `rate`, the share of exchanges it hits, is 0 to 1 and 1 when absent. `latencyMs`
 * is the delay of `slow`, 300 when absent.
 */
const faultSettings = z.strictObject(
  {
    mode: z.enum(faultModes, `must be one of ${faultModes.join(', ')}`),
    forMs: z.optional(whole(1, 3_600_000)),
    rate: z.optional(
      z.number('must be a number').check(z.gte(0, 'must be at least 0'), z.lte(1, 'must be at most 1')),
    ),
    latencyMs: z.optional(whole(1, 60_000)),
  },
  'must be an object',
)

export const faultRequest = z.extend(faultSettings, {
  target: z.enum(faultTargets, `must be one of ${faultTargets.join(', ')}`),
})

export type FaultTarget = (typeof faultTargets)[number]

/** How a line is broken. */
export type FaultSettings = z.infer<typeof faultSettings>

/** Which line, and how. */
export type Fault = z.infer<typeof faultRequest>
