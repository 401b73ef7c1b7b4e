/** The one place that makes a Redis client. Every default of the SDK that matters is wrong for a sale. */
import { Redis } from '@upstash/redis'

export type { Redis }

export type RedisAddress = { url: string; token: string; timeoutMs: number }

/** A client for the Upstash REST address `url`; a call that takes longer than `timeoutMs` is rejected. */
export function connectRedis({ url, token, timeoutMs }: RedisAddress): Redis {
  return new Redis({
    url,
    token,
    // One try, no more. The client cannot tell a request that never arrived from a reply that never came
    // back; reserve.lua can, so the retry belongs to the caller. `retry: false` would still try twice.
    retry: { retries: 0 },
    // As a function the deadline is new for each call and rejects; a plain signal that fires makes the SDK
    // invent a reply with status 200.
    signal: () => AbortSignal.timeout(timeoutMs),
    // One lost reply must leave one outcome unknown, not those of all callers of the same tick.
    enableAutoPipelining: false,
    // Ids that look like numbers stay text.
    automaticDeserialization: false,
    // All reads that matter happen inside scripts, on the primary.
    readYourWrites: false,
    enableTelemetry: false,
  })
}
