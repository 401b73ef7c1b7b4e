/** Who may do what: which token a request carries, and which commands and keys that token reaches. */
import { hash, timingSafeEqual } from 'node:crypto'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/** The key prefixes a token is limited to (without `allow` it reaches every key), and whether it may only read. */
export type Rights = { allow?: readonly string[]; readOnly?: boolean }

export type Token = Rights & { token: string }

const digest = (text: string) => hash('sha256', text, 'buffer')

/**
 * A function from the Authorization header to the position of its token, -1 when there is none. All tokens are
 * compared, by their hashes and in constant time, so the answer's delay tells nothing about them.
 */
export function tokenFinder(tokens: readonly Token[]): (authorization: string | undefined) => number {
  const expected = tokens.map(({ token }) => digest(`Bearer ${token}`))
  return (authorization = '') => {
    const given = digest(authorization)
    let found = -1
    for (const [index, one] of expected.entries()) {
      if (timingSafeEqual(given, one)) found = index
    }
    return found
  }
}

/** Commands that change or block the one connection all requests share; the REST API has none of them either. */
const unavailable = new Set(
  (
    'AUTH BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT DISCARD EXEC HELLO MONITOR MULTI ' +
    'PSUBSCRIBE PSYNC PUNSUBSCRIBE QUIT REPLICAOF RESET SELECT SHUTDOWN SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SYNC ' +
    'UNSUBSCRIBE UNWATCH WAIT WAITAOF WATCH'
  ).split(' '),
)

/** All that a token which only reads may send: no script either, for a script is a program. */
const reading = new Set(
  (
    'ECHO PING TIME EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME GET GETRANGE MGET STRLEN HEXISTS HGET HGETALL HKEYS ' +
    'HLEN HMGET HRANDFIELD HSCAN HSTRLEN HVALS LINDEX LLEN LRANGE SCARD SISMEMBER SMEMBERS SMISMEMBER SSCAN ZCARD ' +
    'ZCOUNT ZMSCORE ZRANGE ZRANK ZSCAN ZSCORE'
  ).split(' '),
)

/** The error that answers a command this token may not send, or undefined when it may. */
export function refusal(
  command: readonly string[],
  { allow, readOnly = false }: Rights,
): RedisError | undefined {
  const name = (command[0] ?? '').toUpperCase()
  if (unavailable.has(name)) {
    return new RedisError(`ERR Command is not available: '${command[0]}'`)
  }
  if (readOnly && !reading.has(name)) return notPermitted(name)
  if (allow === undefined) return undefined
  if (name === 'SCRIPT' && ['LOAD', 'EXISTS'].includes((command[1] ?? '').toUpperCase())) return undefined
  const keys = keysOf(command)
  if (keys === undefined) return notPermitted(name)
  const reaches = (key: string) => allow.some((prefix) => key.startsWith(prefix))
  return keys.every(reaches)
    ? undefined
    : new RedisError('NOPERM this user has no permissions to access one of the keys used as arguments')
}

function notPermitted(name: string): RedisError {
  return new RedisError(`NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`)
}
