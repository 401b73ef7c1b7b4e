/** Creates the SDK's client. Every SDK default that matters is wrong for a sale. */
import { errors, Redis } from '@upstash/redis'
import type { Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'

export type RedisAddress = { url: string; token: string; timeoutMs: number }

/** Sends one command per request; `pipeline`, for together.ts, collects several in one. */
export type RedisClient = Commander & { pipeline: () => Pipeline }

export type Pipeline = ReturnType<Redis['pipeline']>

/** Receives the duration of each request in milliseconds, successful or not. */
export type Took = (milliseconds: number) => void

/**
 * A client for the Upstash REST address `url`; a call that takes longer than `timeoutMs` is
 * rejected.
 */
export function connectRedis({ url, token, timeoutMs }: RedisAddress, took?: Took): RedisClient {
  const redis = new Redis({
    url,
    token,
    // One try only. The client cannot distinguish a request that never arrived from a lost reply;
    // reserve.lua can, so the retry belongs to the caller. `retry: false` would still try twice.
    retry: { retries: 0 },
    // As a function the deadline is new for each call and rejects. A plain signal that fires makes
    // the SDK invent a reply with status 200.
    signal: () => AbortSignal.timeout(timeoutMs),
    // A lost reply must leave one outcome unknown, not those of all callers of the same tick.
    enableAutoPipelining: false,
    // Ids that look like numbers stay text.
    automaticDeserialization: false,
    // All reads that matter happen inside scripts, on the primary.
    readYourWrites: false,
    enableTelemetry: false,
  })
  if (took !== undefined) reportTimes(redis, timeoutMs, took)
  return {
    exec: (args) => redis.exec<unknown>(args).catch(throwOurs),
    pipeline: () => redis.pipeline(),
  }
}

/**
 * Lambda may freeze a function with a request under way, for hours. That is not Redis latency, and
 * no caller waits longer than `timeoutMs`.
 */
function reportTimes(redis: Redis, timeoutMs: number, took: Took): void {
  redis.use(async (request, next) => {
    const askedAt = performance.now()
    try {
      return await next(request)
    } finally {
      took(Math.min(performance.now() - askedAt, timeoutMs))
    }
  })
}

/** @throws RedisReplyError for an SDK error that contains Redis's reply; rethrows any other */
export function throwOurs(error: unknown): never {
  const answered = error instanceof errors.UpstashError && !(error instanceof errors.UpstashJSONParseError)
  throw answered ? new RedisReplyError(error.message) : error
}
