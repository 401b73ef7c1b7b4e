/**
 * The two ways in which a Redis call fails. Services and clients put the whole command, with every
 * id, into their messages, so neither error has one as message or cause: no command reaches a log.
 */

/** Redis was not reached or its reply was lost; the command may have run. Safe to retry. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable'
}

/** An unexpected reply: a fault of ours, never of a shopper. */
export class UnexpectedReply extends Error {
  override name = 'UnexpectedReply'
}

/** What a client throws for an error reply, with the server's text; `wrapError` converts it. */
export class RedisReplyError extends Error {
  override name = 'RedisReplyError'

  /** `answer` as received; the part from `, command was: ` repeats the command. */
  constructor(answer: string) {
    super(answer.split(', command was: ')[0])
  }
}

/** Error codes of a Redis that cannot serve a valid request at the moment. */
const transientCodes = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY']

/** `ERR` comes from Redis and its proxies; these words mark an invalid request. */
const aboutRequest = /\b(?:script|user_script|command|arguments?|syntax|integer|range)\b/i

/** Returns the code an error reply of Redis begins with, such as `NOSCRIPT` or `ERR`; undefined for any other error. */
export function redisErrorCode(error: unknown): string | undefined {
  return error instanceof RedisReplyError ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined
}

/** Converts `error`, thrown by a client for `command` (its name only). */
export function wrapError(command: string, error: unknown): RedisUnavailable | UnexpectedReply {
  const code = redisErrorCode(error)
  if (code === undefined) return new RedisUnavailable(`Redis did not answer ${command}: ${reasonOf(error)}`)
  const isOurs = code === 'ERR' ? aboutRequest.test(wordsOf(error)) : !transientCodes.includes(code)
  return isOurs
    ? new UnexpectedReply(`Redis refused ${command} with ${code}`)
    : new RedisUnavailable(`Redis cannot serve ${command}: ${code}`)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

/** Returns the kind of failure as one word: `TimeoutError`, `ECONNREFUSED`, `UpstashJSONParseError`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : error.name
}

/** Returns the thrown value as an error. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
