/** Runs a Lua script by its hash, and sends the text only when Redis does not know it (S3). */
import { createHash } from 'node:crypto'
import type { CommandSender } from './command.ts'
import { redisErrorCode, UnexpectedReply, wrapError } from './errors.ts'

export type Script = {
  name: string
  source: string
  /** Loads the text, so that the next call finds it. Safe to repeat. @throws as `run` does */
  load(redis: CommandSender): Promise<void>
  /** @throws RedisUnavailable, UnexpectedReply */
  run(redis: CommandSender, keys: string[], args: string[]): Promise<unknown[]>
  /** The same for a script whose reply need not be an array. @throws as `run` does */
  call(redis: CommandSender, keys: string[], args: string[]): Promise<unknown>
  /** The same by its text, in one round trip also where Redis does not know it. @throws as `run` does */
  runText(redis: CommandSender, keys: string[], args: string[]): Promise<unknown[]>
}

/**
 * The script `name`. Redis drops scripts when it restarts or fails over, so NOSCRIPT is answered
 * with one EVAL, which also caches it again. The SDK's own helper looks for "noscript" anywhere in a
 * message that quotes the command: a request id could make it run twice.
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
