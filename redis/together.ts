/**
 * Several commands in one request, each carried out on its own and in the order given. They share one fate on the
 * network: a lost answer leaves the outcome of all of them unknown. So this is for commands that are safe to
 * repeat, and the SDK's own pipelining, which would gather everything, stays off.
 */
import { errors, type Redis } from '@upstash/redis'
import type { Command } from './command.ts'

/** The reply to each command, or its error, as the SDK would have given it alone. Throws when none came. */
export async function sendTogether(redis: Redis, commands: readonly Command[]): Promise<unknown[]> {
  const pipeline = redis.pipeline()
  for (const [name, ...args] of commands) add(pipeline, name, args)
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true })
  return replies.map(({ result, error }) => (error === undefined ? result : new errors.UpstashError(error)))
}

/** The SDK's pipeline has a method for each command and none for any; these are all that the hot path sends. */
function add(pipeline: ReturnType<Redis['pipeline']>, name: string, args: string[]): void {
  const [first = '', second = '', ...rest] = args
  const keyCount = Number(second)
  if (name === 'EVALSHA') pipeline.evalsha(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'EVAL') pipeline.eval(first, rest.slice(0, keyCount), rest.slice(keyCount))
  else if (name === 'HDEL') pipeline.hdel(first, second, ...rest)
  else throw new TypeError(`${name} cannot travel together with others`)
}
