/** One command to Redis and one reply, with our errors instead of the SDK's. */
import { wrapError } from './errors.ts'

/** A command as Redis reads it: its name and its arguments. */
export type Command = [name: string, ...args: string[]]

/** Whatever can send one command: the client, or a shared trip of it (together.ts). Rejects as the SDK does. */
export type Commander = { exec(args: Command): Promise<unknown> }

/**
 * Sends `args` as one request and gives the reply as Redis sent it: text, integer, null, or arrays of these.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function command(redis: Commander, args: Command): Promise<unknown> {
  try {
    return await redis.exec(args)
  } catch (error) {
    throw wrapError(args[0], error)
  }
}
