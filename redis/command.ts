/** One command to Redis and one reply, with our errors instead of the SDK's. */
import type { Redis } from '@upstash/redis'
import { wrapError } from './errors.ts'

/**
 * Sends `args` as one request and gives the reply as Redis sent it: text, integer, null, or arrays of these.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function command(redis: Redis, args: [name: string, ...string[]]): Promise<unknown> {
  try {
    return await redis.exec<unknown>(args)
  } catch (error) {
    throw wrapError(args[0], error)
  }
}
