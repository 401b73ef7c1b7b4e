/** Runs a Lua script by its hash, and sends the text only when Redis does not know it (S3). */
import { createHash } from 'node:crypto'
import { errors, type Redis } from '@upstash/redis'
import { redisErrorCode, UnexpectedReply, wrapError } from './errors.ts'

export type ScriptCall = { keys: string[]; args: string[] }

export type Script = {
  name: string
  source: string
  /** @throws RedisUnavailable, UnexpectedReply */
  run(redis: Redis, keys: string[], args: string[]): Promise<unknown[]>
  /**
   * Runs calls that happen at the same time in one request, in order, each atomic by itself; one reply or error
   * per call. A lost answer leaves the outcome of all of them unknown, so only scripts that are safe to repeat
   * may travel together. @throws RedisUnavailable, UnexpectedReply
   */
  runTogether(redis: Redis, calls: readonly ScriptCall[]): Promise<(unknown[] | Error)[]>
}

/**
 * The script `name`, whose `source` replies with a flat array. Redis forgets scripts when it restarts or fails
 * over, so NOSCRIPT is answered with one EVAL, which also teaches it again. The SDK's own script helper looks
 * for "noscript" anywhere in a message that quotes the command: a request id could make it run twice.
 */
export function defineScript(name: string, source: string): Script {
  const sha = createHash('sha1').update(source).digest('hex')

  const flat = (reply: unknown): unknown[] => {
    if (!Array.isArray(reply)) throw new UnexpectedReply(`${name} did not reply with an array`)
    return reply
  }

  const run = async (redis: Redis, keys: string[], args: string[]) => {
    const rest = [String(keys.length), ...keys, ...args]
    try {
      return flat(
        await redis.exec<unknown>(['EVALSHA', sha, ...rest]).catch((error: unknown) => {
          if (redisErrorCode(error) !== 'NOSCRIPT') throw error
          return redis.exec<unknown>(['EVAL', source, ...rest])
        }),
      )
    } catch (error) {
      throw error instanceof UnexpectedReply ? error : wrapError(name, error)
    }
  }

  const runTogether = async (redis: Redis, calls: readonly ScriptCall[]) => {
    const pipeline = redis.pipeline()
    for (const { keys, args } of calls) pipeline.evalsha(sha, keys, args)
    const replies = await pipeline.exec({ keepErrors: true }).catch((error: unknown) => {
      throw wrapError(name, error)
    })
    const settled = replies.map(async ({ result, error }, index) => {
      if (error === undefined) return flat(result)
      const refusal = new errors.UpstashError(error)
      const call = calls[index]
      if (redisErrorCode(refusal) === 'NOSCRIPT' && call !== undefined)
        return run(redis, call.keys, call.args)
      throw wrapError(name, refusal)
    })
    return (await Promise.allSettled(settled)).map((one) =>
      one.status === 'fulfilled' ? one.value : one.reason,
    )
  }

  return { name, source, run, runTogether }
}
