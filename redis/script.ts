/** Runs a Lua script by its hash, and sends the text only if Redis has not cached it (S3). */
import { createHash } from 'node:crypto'
import type { CommandSender } from './command.ts'
import { redisErrorCode, UnexpectedReply, wrapError } from './errors.ts'

export type Script = {
  name: string
  source: string
  /** Caches the script in Redis. Safe to repeat. @throws as `run` does */
  load(redis: CommandSender): Promise<void>
  /** Runs the script by its hash. @throws RedisUnavailable, UnexpectedReply */
  run(redis: CommandSender, keys: string[], args: string[]): Promise<unknown[]>
  /** Runs a script whose reply may be no array. @throws as `run` does */
  call(redis: CommandSender, keys: string[], args: string[]): Promise<unknown>
  /** Runs the script by its text, in one round trip even if it is not cached. @throws as `run` does */
  runText(redis: CommandSender, keys: string[], args: string[]): Promise<unknown[]>
}

/**
 * Defines the script `name`. Redis drops scripts when it restarts or fails over, so NOSCRIPT is followed by one EVAL, which
 * also caches the script again. The SDK's own helper searches for "noscript" anywhere in a message that quotes the command,
 * so a request id could make it run twice.
 */
export function defineScript(name: string, source: string): Script {
  const sha = createHash('sha1').update(source).digest('hex')

  async function answered(asked: Promise<unknown>): Promise<unknown> {
    try {
      return await asked
    } catch (error) {
      throw wrapError(name, error)
    }
  }

  function arrayIn(reply: unknown): unknown[] {
    if (!Array.isArray(reply)) throw new UnexpectedReply(`${name} replied without an array`)
    return reply
  }

  const script: Script = {
    name,
    source,
    async load(redis) {
      await answered(redis.exec(['SCRIPT', 'LOAD', source]))
    },
    call(redis, keys, args) {
      const rest = [String(keys.length), ...keys, ...args]
      const asked = redis.exec(['EVALSHA', sha, ...rest]).catch((error: unknown) => {
        if (redisErrorCode(error) !== 'NOSCRIPT') throw error
        return redis.exec(['EVAL', source, ...rest])
      })
      return answered(asked)
    },
    async run(redis, keys, args) {
      return arrayIn(await script.call(redis, keys, args))
    },
    async runText(redis, keys, args) {
      return arrayIn(await answered(redis.exec(['EVAL', source, String(keys.length), ...keys, ...args])))
    },
  }
  return script
}
