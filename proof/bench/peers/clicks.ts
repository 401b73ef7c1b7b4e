/** What the load of the comparison with other projects is asked, and what it answers. */
import * as z from 'zod/mini'

/** Connections of the load, and losing clicks for each order of a round: the fastest system needs half a second for them. */
export const [connections, losersPerOrder] = [64, 12]

/**
 * `requests` as text, each from another shopper; `wanted` is the pattern of every answer, its status and body. All must
 * be answered within `withinMs`.
 */
export const clicks = z.object({
  port: z.number(),
  requests: z.array(z.string()),
  wanted: z.string(),
  withinMs: z.number(),
})

/** What a system has its shoppers send. */
export type Clicks = Omit<z.infer<typeof clicks>, 'withinMs'>

/**
 * `startedAt` is epoch ms of the first request, `seconds` from there to the last answer, `loadMs` the processor time of the
 * load.
 */
export const clicked = z.object({
  startedAt: z.number(),
  seconds: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  loadMs: z.number(),
})

export type Clicked = z.infer<typeof clicked>
