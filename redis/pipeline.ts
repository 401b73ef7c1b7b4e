/**
 * Reads many keys in one request. A lost reply leaves no outcome unknown, because nothing is written;
 * the SDK's automatic pipelining, which would gather everything, stays off.
 */
import type { Redis } from '@upstash/redis'
import type { Command } from './command.ts'
import { RedisReplyError } from './errors.ts'

export type Pipelined = {
  /** The reply to each HMGET of `reads`, or its error. @throws when no reply came; TypeError for another command */
  pipeline(reads: readonly Command[]): Promise<unknown[]>
}

/** Sends `reads` as one request of `pipeline`, an empty one. */
export async function sendPipeline(
  pipeline: ReturnType<Redis['pipeline']>,
  reads: readonly Command[],
): Promise<unknown[]> {
  for (const [name, key = '', ...fields] of reads) {
    if (name !== 'HMGET') throw new TypeError(`${name} is sent alone`)
    pipeline.hmget(key, ...fields)
  }
  const replies = await pipeline.exec<unknown[]>({ keepErrors: true })
  return replies.map(({ result, error }) => (error === undefined ? result : new RedisReplyError(error)))
}
