/** Creates the SDK's client, with settings that suit a sale instead of its defaults. */
import { Redis, type Requester, type UpstashRequest, type UpstashResponse } from '@upstash/redis'
import type { Command, Commander } from './command.ts'
import { RedisReplyError } from './errors.ts'
import { openPost } from './post.ts'
import { NoReply, openTransport } from './transport.ts'

export type RedisAddress = { url: string; token: string; timeoutMs: number }

/**
 * Reads many keys in one request. A lost reply is harmless, because nothing is written. The SDK's automatic pipelining stays
 * off, because it would also combine writes.
 */
export type Pipelined = {
  /** Resolves with the reply to each HMGET, or its error. @throws when no reply arrived; TypeError for another command */
  pipeline(reads: readonly Command[]): Promise<unknown[]>
}

/** Sends one command per request, or several reads in one. */
export type RedisClient = Commander & Pipelined

/** Receives the duration of each request in milliseconds, successful or not. */
export type OnDuration = (milliseconds: number) => void

/** Returns a client for the Upstash REST address `url`. Calls time out after `timeoutMs`. */
export function connectRedis(address: RedisAddress, onDuration?: OnDuration): RedisClient {
  const redis = new RedisOver(requesterOf(address, onDuration))
  return { exec: (args) => redis.exec<unknown>(args), pipeline: (reads) => sendPipeline(redis.pipeline(), reads) }
}

/** The SDK's client with a custom requester. */
class RedisOver extends Redis {
  constructor(requester: Requester) {
    super({
      // Not used: the requester has address and token.
      ...{ url: 'https://unused.invalid', token: 'unused' },
      // With it, a lost reply would leave the outcomes of all callers of the same tick unknown.
      enableAutoPipelining: false,
      // Ids that look like numbers must stay text.
      automaticDeserialization: false,
      // Critical reads happen inside scripts, on the primary.
      readYourWrites: false,
      enableTelemetry: false,
    })
    this.client = requester
  }
}

/** Sends each request once. Callers retry, because only they know whether a command is safe to repeat. */
function requesterOf({ url, token, timeoutMs }: RedisAddress, onDuration?: OnDuration): Requester {
  const transport = openTransport(openPost(url), token)

  async function ask(path: string, body: unknown) {
    const startedAt = performance.now()
    try {
      return await transport(path, body, timeoutMs)
    } finally {
      // Lambda may freeze a function for hours during a request. That is not latency of Redis, and no
      // caller waits longer than `timeoutMs`.
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

/** Sends `reads` as one request with an empty `pipeline`. */
async function sendPipeline(pipeline: ReturnType<Redis['pipeline']>, reads: readonly Command[]): Promise<unknown[]> {
  for (const [name, key = '', ...fields] of reads) {
    if (name !== 'HMGET') throw new TypeError(`${name} is sent alone`)
    pipeline.hmget(key, ...fields)
  }
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true })
  return replies.map(({ result, error }) => (error === undefined ? result : new RedisReplyError(error)))
}
