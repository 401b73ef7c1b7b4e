/**
 * The two ways in which asking Redis can go wrong. Services and clients put the whole command, with every id in it, into
 * their messages, so neither error keeps one as message or cause: what Redis was asked never reaches a log.
 */

/** Redis could not be asked, or its answer was lost; what was asked may have been done. Safe to ask again. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable'
}

/** Redis answered with something this code does not expect: a fault of ours, never of a shopper. */
export class UnexpectedReply extends Error {
  override name = 'UnexpectedReply'
}

/** What a client throws for an error reply, with the server's words; `wrapError` makes one of the other two of it. */
export class RedisReplyError extends Error {
  override name = 'RedisReplyError'

  /** `answer` as the service gave it; from `, command was: ` on it repeats what it was asked. */
  constructor(answer: string) {
    super(answer.split(', command was: ')[0])
  }
}

/** Error codes with which a healthy request meets a Redis that cannot serve it at the moment. */
const passing = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY']

/** `ERR` comes from Redis and from what stands in front of it; these words say that what we sent was wrong. */
const aboutRequest = /\b(?:script|user_script|command|arguments?|syntax|integer|range)\b/i

/** The code an error reply of Redis begins with, such as `NOSCRIPT` or `ERR`; undefined for any other error. */
export function redisErrorCode(error: unknown): string | undefined {
  return error instanceof RedisReplyError ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined
}

/** What `error`, thrown by a client for `command` (its name only), is to us. */
export function wrapError(command: string, error: unknown): RedisUnavailable | UnexpectedReply {
  const code = redisErrorCode(error)
  if (code === undefined) return new RedisUnavailable(`Redis did not answer ${command}: ${reasonOf(error)}`)
  const ours = code === 'ERR' ? aboutRequest.test(wordsOf(error)) : !passing.includes(code)
  return ours
    ? new UnexpectedReply(`Redis refused ${command} with ${code}`)
    : new RedisUnavailable(`Redis cannot serve ${command}: ${code}`)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/** The kind of failure in one word: `TimeoutError`, `ECONNREFUSED`, `UpstashJSONParseError`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : error.name
}
