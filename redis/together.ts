/**
 * Sends several commands in one request; Redis runs them in order, not as a transaction. A lost
 * reply leaves the outcome of all unknown, so this is for commands that are safe to repeat, and the
 * SDK's own pipelining, which would gather everything, stays off.
 */
import type { Redis } from '@upstash/redis'
import type { Command } from './command.ts'
import { RedisReplyError } from './errors.ts'

export type Together = {
  /**
   * The reply to each command, or its error, as the client would have given it alone.
   * @throws when no reply came
   */
  together(commands: readonly Command[]): Promise<unknown[]>
}

type Pipeline = ReturnType<Redis['pipeline']>

/** Sends `commands` as one request of `pipeline`, an empty one. */
export async function sendTogether(pipeline: Pipeline, commands: readonly Command[]): Promise<unknown[]> {
  for (const [name, ...args] of commands) add(pipeline, name, args)
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true })
  return replies.map(({ result, error }) => (error === undefined ? result : new RedisReplyError(error)))
}

/** The SDK's pipeline has one method per command; these are the commands sent together. */
function add(pipeline: Pipeline, name: string, args: string[]): void {
  const [first = '', second = '', ...rest] = args
  const keyCount = Number(second)
  if (name === 'EVALSHA') pipeline.evalsha(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'EVAL') pipeline.eval(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'HDEL') pipeline.hdel(first, second, ...rest)
  else if (name === 'HMGET') pipeline.hmget(first, second, ...rest)
  else throw new TypeError(`${name} cannot travel together with others`)
}
