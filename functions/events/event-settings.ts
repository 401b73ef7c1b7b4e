/** What the environment of a function must have that sends events. */
import * as z from 'zod/mini'
import { address } from '../lib/env.ts'
import { sealerKeys } from '../lib/sealer.ts'

/** `PUBLIC_ADDRESSES` is for one machine, whose receivers have no public address. */
export const eventVariables = {
  EVENTS_QUEUE_URL: address,
  EVENT_KEYS: sealerKeys,
  PUBLIC_ADDRESSES: z.optional(z.literal('any')),
}
