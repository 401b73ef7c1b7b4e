/** Creates the SDK's client. Every SDK default that matters is wrong for a sale. */
import { Redis, type Requester, type UpstashRequest, type UpstashResponse } from '@upstash/redis'
import type { Command, Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'
import { openPost } from './post.ts'
import { NoReply, openTransport } from './transport.ts'

export type RedisAddress = { url: string; token: string; timeoutMs: number }

/**
 * Reads many keys in one request. A lost reply leaves no outcome unknown, because nothing is written; the SDK's
 * automatic pipelining, which would gather everything, stays off.
 */
export type Pipelined = {
  /** The reply to each HMGET of `reads`, or its error. @throws when no reply came; TypeError for another command */
  pipeline(reads: readonly Command[]): Promise<unknown[]>
}

/** Sends one command per request, or several reads in one. */
export type RedisClient = Commander & Pipelined

/** Receives the duration of each request in milliseconds, successful or not. */
export type OnDuration = (milliseconds: number) => void

/** Returns a client for the Upstash REST address `url`; a call that takes longer than `timeoutMs` is rejected. */
export function connectRedis(address: RedisAddress, onDuration?: OnDuration): RedisClient {
  const redis = new RedisOver(requesterOf(address, onDuration))
  return { exec: (args) => redis.exec<unknown>(args), pipeline: (reads) => sendPipeline(redis.pipeline(), reads) }
}

/** The SDK's client over a requester of ours. */
class RedisOver extends Redis {
  constructor(requester: Requester) {
    super({
      // Nothing is sent there: the requester has address and token.
      ...{ url: 'https://unused.invalid', token: 'unused' },
      // A lost reply must leave one outcome unknown, not those of all callers of the same tick.
      enableAutoPipelining: false,
      // Ids that look like numbers stay text.
      automaticDeserialization: false,
      // All reads that matter happen inside scripts, on the primary.
      readYourWrites: false,
      enableTelemetry: false,
    })
    this.client = requester
  }
}

/** One try for each request: only reserve.lua distinguishes a lost reply from a lost request, so callers retry. */
function requesterOf({ url, token, timeoutMs }: RedisAddress, onDuration?: OnDuration): Requester {
  const transport = openTransport(openPost(url), token)

  async function ask(path: string, body: unknown) {
    const startedAt = performance.now()
    try {
      return await transport(path, body, timeoutMs)
    } finally {
      // Lambda may freeze a function with a request under way, for hours. That is not Redis latency,
      // and no caller waits longer than `timeoutMs`.
      onDuration?.(Math.min(performance.now() - startedAt, timeoutMs))
    }
  }

  return {
    async request<Result>({ path = [], body }: UpstashRequest) {
      const answer = await ask(`/${path.join('/')}`, body)
      if (typeof answer !== 'object' || answer === null) throw new NoReply('no result')
      if (!Array.isArray(answer) && !('result' in answer)) throw new NoReply('no result')
      return answer as UpstashResponse<Result>
    },
  }
}

/** Sends `reads` as one request of `pipeline`, an empty one. */
async function sendPipeline(pipeline: ReturnType<Redis['pipeline']>, reads: readonly Command[]): Promise<unknown[]> {
  for (const [name, key = '', ...fields] of reads) {
    if (name !== 'HMGET') throw new TypeError(`${name} is sent alone`)
    pipeline.hmget(key, ...fields)
  }
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true })
  return replies.map(({ result, error }) => (error === undefined ? result : new RedisReplyError(error)))
}
