/** The one place that makes a client of the SDK. Every default of it that matters is wrong for a sale. */
import { errors, Redis } from '@upstash/redis'
import type { Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'

export type RedisAddress = { url: string; token: string; timeoutMs: number }

/** Sends a command as a request of its own; `pipeline` collects several for one request, and is for together.ts. */
export type RedisClient = Commander & { pipeline: () => Pipeline }

export type Pipeline = ReturnType<Redis['pipeline']>

/** Told how long each request took, in milliseconds, whatever came of it. */
export type Took = (milliseconds: number) => void

/** A client for the Upstash REST address `url`; a call that takes longer than `timeoutMs` is rejected. */
export function connectRedis({ url, token, timeoutMs }: RedisAddress, took?: Took): RedisClient {
  const redis = new Redis({
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
  if (took !== undefined) tellTimes(redis, timeoutMs, took)
  return {
    exec: (args) => redis.exec<unknown>(args).catch(throwOurs),
    pipeline: () => redis.pipeline(),
  }
}

/**
 * A function that has answered may be frozen with a request on its way, for hours; that is no time that Redis took, and
 * nobody waits longer than `timeoutMs`.
 */
function tellTimes(redis: Redis, timeoutMs: number, took: Took): void {
  redis.use(async (request, next) => {
    const askedAt = performance.now()
    try {
      return await next(request)
    } finally {
      took(Math.min(performance.now() - askedAt, timeoutMs))
    }
  })
}

/** @throws RedisReplyError for an error of the SDK that tells what Redis answered; any other is thrown as it is */
export function throwOurs(error: unknown): never {
  const answered = error instanceof errors.UpstashError && !(error instanceof errors.UpstashJSONParseError)
  throw answered ? new RedisReplyError(error.message) : error
}
