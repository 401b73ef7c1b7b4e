/** The load of `peers`, as text of HTTP requests; `load-host.ts` sends it in a process of its own. */
import * as z from 'zod/mini'
import { startHost } from '../../../local/process/rpc.ts'

/**
 * `requests` as text, each from another shopper; `wanted` is the pattern of every answer, its status and body. Each of
 * `connections` sends its next request when the one before was answered, and all must be answered within `withinMs`.
 */
export const clicks = z.object({
  port: z.number(),
  connections: z.number(),
  requests: z.array(z.string()),
  wanted: z.string(),
  withinMs: z.number(),
})

/** What a system has its shoppers send. */
export type Clicks = Pick<z.infer<typeof clicks>, 'port' | 'requests' | 'wanted'>

/** `startedAt` is epoch ms of the first request, `seconds` from there to the last answer. */
const clicked = z.object({ startedAt: z.number(), seconds: z.number(), p50Ms: z.number(), p99Ms: z.number() })

export type Clicked = z.infer<typeof clicked>

export type LoadProcess = {
  /** @throws when an answer is not the wanted one, or not all came in time */
  click(clicks: Clicks, how: { connections: number; withinMs: number }): Promise<Clicked>
  stop(): Promise<void>
}

/** One process for all clicks, so that its code is compiled when they count. */
export function startLoad(): LoadProcess {
  const host = startHost(new URL('./load-host.ts', import.meta.url).href, 'inherit', (why) =>
    console.error(`the load has ended: ${why}`),
  )
  return {
    click: (what, how) => host.call('click', { ...what, ...how }, clicked),
    stop: () => host.stop(1000),
  }
}
