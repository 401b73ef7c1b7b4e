/**
 * Several commands in one request, each carried out on its own and in the order given. They share one fate on the
 * network: a lost answer leaves the outcome of all of them unknown. So this is for commands that are safe to
 * repeat, and the SDK's own pipelining, which would gather everything, stays off.
 */
import { type Pipeline, type RedisClient, throwOurs } from './client.ts'
import type { Command } from './command.ts'
import { RedisReplyError } from './errors.ts'

/** The reply to each command, or its error, as the client would have given it alone. Throws when none came. */
export async function sendTogether(redis: RedisClient, commands: readonly Command[]): Promise<unknown[]> {
  const pipeline = redis.pipeline()
  for (const [name, ...args] of commands) add(pipeline, name, args)
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true }).catch(throwOurs)
  return replies.map(({ result, error }) => (error === undefined ? result : new RedisReplyError(error)))
}

/** The SDK's pipeline has a method for each command and none for any; these are all that are sent together. */
function add(pipeline: Pipeline, name: string, args: string[]): void {
  const [first = '', second = '', ...rest] = args
  const keyCount = Number(second)
  if (name === 'EVALSHA') pipeline.evalsha(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'EVAL') pipeline.eval(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'HDEL') pipeline.hdel(first, second, ...rest)
  else if (name === 'HMGET') pipeline.hmget(first, second, ...rest)
  else throw new TypeError(`${name} cannot travel together with others`)
}
