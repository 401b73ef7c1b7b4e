/** What may be broken on purpose, and for how long: the body of `POST /local/faults`. */
import * as z from 'zod/mini'
import { whole } from '../core/parse.ts'

export const faultTargets = ['redis', 'sqs', 'dynamodb', 'origin'] as const

/**
 * `down` refuses and cuts connections, `slow` delays replies, `lost-reply` lets the request through and cuts
 * the connection instead of replying, `blackhole` swallows everything. `forMs` ends the fault by itself, `rate`
 * (0 to 1) says how many of the exchanges it hits.
 */
export const faultSettings = z.strictObject(
  {
    mode: z.enum(['down', 'slow', 'lost-reply', 'blackhole'], 'must be down, slow, lost-reply or blackhole'),
    forMs: z.optional(whole(1, 3_600_000)),
    rate: z.optional(
      z.number('must be a number').check(z.gte(0, 'must be at least 0'), z.lte(1, 'must be at most 1')),
    ),
  },
  'must be an object',
)

export const faultRequest = z.extend(faultSettings, {
  target: z.enum(faultTargets, 'must be redis, sqs, dynamodb or origin'),
})

export type FaultTarget = (typeof faultTargets)[number]
export type FaultSettings = z.infer<typeof faultSettings>
export type Fault = z.infer<typeof faultRequest>
