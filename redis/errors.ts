/**
 * The two errors of Redis calls. Messages of services and clients contain the whole command with every id, so these errors
 * copy neither message nor cause, and no command reaches a log.
 */

/** Redis is unavailable or its reply was lost. The command may have run. Safe to retry. */
export class RedisUnavailable extends Error {
  override name = 'RedisUnavailable'
}

/** An unexpected reply: a bug, never an error of a shopper. */
export class UnexpectedReply extends Error {
  override name = 'UnexpectedReply'
}

/** Thrown by clients for an error reply, with the server's text. `wrapError` converts it. */
export class RedisReplyError extends Error {
  override name = 'RedisReplyError'

  /** Cuts `answer` at `, command was: `, which would repeat the command. */
  constructor(answer: string) {
    super(answer.split(', command was: ')[0])
  }
}

/** Error codes of a Redis that temporarily cannot serve valid requests. */
const transientCodes = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY']

/** Both Redis and proxies answer `ERR`. These words identify an invalid request. */
const aboutRequest = /\b(?:script|user_script|command|arguments?|syntax|integer|range)\b/i

/** Returns the code of an error reply, such as `NOSCRIPT` or `ERR`; undefined for any other error. */
export function redisErrorCode(error: unknown): string | undefined {
  return error instanceof RedisReplyError ? /^[A-Z]+(?= )/.exec(error.message)?.[0] : undefined
}

/** Converts an error of a client; `command` is the name of the command only. */
export function wrapError(command: string, error: unknown): RedisUnavailable | UnexpectedReply {
  const code = redisErrorCode(error)
  if (code === undefined) return new RedisUnavailable(`Redis did not answer ${command}: ${reasonOf(error)}`)
  const isOurs =
    code === 'ERR' ? aboutRequest.test(error instanceof Error ? error.message : '') : !transientCodes.includes(code)
  return isOurs
    ? new UnexpectedReply(`Redis refused ${command} with ${code}`)
    : new RedisUnavailable(`Redis cannot serve ${command}: ${code}`)
}

/** Returns the kind of an error as one word: `TimeoutError`, `ECONNREFUSED`, `UpstashJSONParseError`. */
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
