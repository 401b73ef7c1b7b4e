/** One request on its way through the funnel, and the memory of the instance that serves it. */
import type { EdgeRequest, EdgeResponse } from './cloudfront.ts'
import type { Config } from './config.ts'
import type { Flags } from './flags.ts'
import type { GateFacts } from './gate-store.ts'
import type { Route } from './routes.ts'
import type { Throttle } from './throttle.ts'
import type { Tokens } from './tokens.ts'

/** What one configuration's requests share within an instance. */
export type Memory = {
  config: Config
  flags: Flags
  tokens: Tokens
  throttle: Throttle
}

/** `now` is the time of arrival, epoch ms. `facts` are set by the check for a known sale, on buys only. */
export type Visit = {
  request: EdgeRequest
  requestId: string
  route: Route
  memory: Memory
  now: number
  facts: GateFacts | undefined
}

/** A check that memory can make: a prebuilt refusal, or undefined to go on. A promise only to ask the store. */
export type MemoryCheck = (visit: Visit) => EdgeResponse | undefined | Promise<EdgeResponse | undefined>
