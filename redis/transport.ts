/** Requests to the Upstash REST API. */
import { RedisReplyError } from './errors.ts'
import type { Post } from './post.ts'

/**
 * Sends `body` as JSON to `path`, once, and resolves with the answer. After a rejection the request may have arrived.
 * @throws RedisReplyError for an error that the service answered to the whole request; another error, after `timeoutMs` a
 *   TimeoutError, when there was no usable answer
 */
export type Transport = (path: string, body: unknown, timeoutMs: number) => Promise<unknown>

/** Returns a transport that posts with `token` to a REST address. */
export function openTransport(post: Post, token: string): Transport {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (path, body, timeoutMs) => {
    const answer = await post(path, headers, JSON.stringify(body), timeoutMs)
    return readAnswer(answer.status, answer.body)
  }
}

function readAnswer(status: number, body: string): unknown {
  // From a gateway in front of Redis, or from an unavailable Redis.
  if (status >= 500) throw new NoReply(`HTTP ${status}`)
  const answer: unknown = JSON.parse(body)
  const refusal = errorIn(answer)
  if (refusal !== undefined) throw refusal
  if (status >= 300) throw new NoReply(`HTTP ${status}`)
  return answer
}

/** Returns the error in the answer to a request or to one of its commands; undefined without one. */
export function errorIn(answer: unknown): RedisReplyError | undefined {
  const isError = typeof answer === 'object' && answer !== null && 'error' in answer
  return isError && typeof answer.error === 'string' ? new RedisReplyError(answer.error) : undefined
}

/** The service answered without a result from Redis. */
export class NoReply extends Error {
  override name = 'NoReply'
}
