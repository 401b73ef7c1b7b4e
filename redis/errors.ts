/**
 * The two ways in which asking Redis can go wrong. The SDK puts the whole command, with every id in it, into
 * its messages, so neither error keeps one as message or cause: what Redis was asked never reaches a log.
 */
import { errors } from '@upstash/redis'

/** Redis could not be asked, or its answer was lost; what was asked may have been done. Safe to ask again. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable'
}

/** Redis answered with something this code does not expect: a fault of ours, never of a shopper. */
export class UnexpectedReply extends Error {
  override name = 'UnexpectedReply'
}

/** Error codes with which a healthy request meets a Redis that cannot serve it at the moment. */
const passing = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY']

/** `ERR` comes from Redis and from what stands in front of it; these words say that what we sent was wrong. */
const aboutRequest = /\b(?:script|user_script|command|arguments?|syntax|integer|range)\b/i

/** The code an error reply of Redis begins with, such as `NOSCRIPT` or `ERR`; undefined for any other error. */
export function redisErrorCode(error: unknown): string | undefined {
  if (!(error instanceof errors.UpstashError)) return undefined
  return /^[A-Z]+(?= )/.exec(error.message)?.[0]
}

/** What `error`, thrown by the SDK for `command` (its name only), is to us. */
export function wrapError(command: string, error: unknown): RedisUnavailable | UnexpectedReply {
  const code = redisErrorCode(error)
  if (code === undefined) return new RedisUnavailable(`Redis did not answer ${command}: ${reasonOf(error)}`)
  const ours = code === 'ERR' ? aboutRequest.test(withoutCommand(error)) : !passing.includes(code)
  return ours
    ? new UnexpectedReply(`Redis refused ${command} with ${code}`)
    : new RedisUnavailable(`Redis cannot serve ${command}: ${code}`)
}

/** The SDK appends the whole command to the text of an error; only what stands before it is the server's. */
function withoutCommand(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message.split(', command was: ')[0] ?? ''
}

/** The kind of failure in one word: `TimeoutError`, `ECONNREFUSED`, `UpstashJSONParseError`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : error.name
}
