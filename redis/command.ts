/** One command to Redis and one reply, with the errors that callers know. */
import { wrapError } from './errors.ts'

/** A command as Redis reads it: its name and its arguments. */
export type Command = [name: string, ...args: string[]]

/**
 * Sends one command: a client, or a shared request (together.ts). Rejects with RedisReplyError for
 * an error reply, and with any other error when no reply came.
 */
export type Commander = { exec(args: Command): Promise<unknown> }

/** `stock` is the exact store of units and holds, `gate` the store that the edge reads. */
export type RedisStores = { stock: Commander; gate: Commander }

/**
 * Sends `args` as one request and returns the raw reply: text, integer, null, or arrays of these.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function command(redis: Commander, args: Command): Promise<unknown> {
  try {
    return await redis.exec(args)
  } catch (error) {
    throw wrapError(args[0], error)
  }
}
