/** The load of `peers` as the text of HTTP requests; `load-host.ts` sends it from a separate process. */
import * as z from 'zod/mini'
import { startHost } from '../../../local/process/rpc.ts'

/**
 * Each of `requests` is the request of another shopper. Every answer (status and body) must match the pattern
 * `expected`. Each of `connections` sends its next request after the answer to the last one, and all must be answered
 * within `timeoutMs`.
 */
export const clicks = z.object({
  port: z.number(),
  connections: z.number(),
  requests: z.array(z.string()),
  expected: z.string(),
  timeoutMs: z.number(),
})

/** The clicks of the shoppers of one system. */
export type Clicks = Pick<z.infer<typeof clicks>, 'port' | 'requests' | 'expected'>

/** `startedAt` is epoch ms of the first request, `seconds` from there to the last answer. */
const loadResult = z.object({ startedAt: z.number(), seconds: z.number(), p50Ms: z.number(), p99Ms: z.number() })

export type LoadResult = z.infer<typeof loadResult>

export type LoadProcess = ReturnType<typeof startLoad>

/** Starts one process for all clicks, so that its code is compiled when the measured rounds begin. */
export function startLoad() {
  const host = startHost(new URL('./load-host.ts', import.meta.url).href, 'inherit', (why) =>
    console.error(`the load has ended: ${why}`),
  )
  return {
    /** @throws when an answer does not match, or not all arrive in time */
    click: (what: Clicks, how: { connections: number; timeoutMs: number }) =>
      host.call('click', { ...what, ...how }, loadResult),
    stop: () => host.stop(1000),
  }
}
