/** Who may do what: which token a request carries, and which commands and keys that token reaches. */
import { hash, timingSafeEqual } from 'node:crypto'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/**
 * The keys a token reaches, as `ACL SETUSER` takes them: `%RW~<pattern>` to read and write, `%R~<pattern>` to read only,
 * with `*` for any text; and the commands it may send, in lower case. Without `keys` it reaches every one, without
 * `commands` it may send all that do not change the service itself
 * (https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/).
 *
 * Redis wants the right to a command of those that a script calls as well. That is not looked at here.
 */
export type Rights = { keys?: readonly string[]; commands?: readonly string[] }

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

/** What needs no more than the right to read: no script, for a script is a program. */
const reading = new Set(
  (
    'ECHO PING TIME EXISTS TYPE TTL PTTL EXPIRETIME PEXPIRETIME GET GETRANGE MGET STRLEN HEXISTS HGET HGETALL HKEYS ' +
    'HLEN HMGET HRANDFIELD HSCAN HSTRLEN HVALS LINDEX LLEN LRANGE SCARD SISMEMBER SMEMBERS SMISMEMBER SSCAN ZCARD ' +
    'ZCOUNT ZMSCORE ZRANGE ZRANK ZSCAN ZSCORE'
  ).split(' '),
)

/** The error that answers a command which a token may not send, or undefined for one that it may. */
export type Guard = (command: readonly string[]) => RedisError | undefined

/** Throws for a pattern in another form than `Rights` names. */
export function guardOf({ keys: patterns, commands }: Rights): Guard {
  const readable = patterns?.map(matcher)
  const writable = patterns?.filter((pattern) => pattern.startsWith('%RW~')).map(matcher)
  return (command) => {
    const name = (command[0] ?? '').toUpperCase()
    if (unavailable.has(name)) return new RedisError(`ERR Command is not available: '${command[0]}'`)
    if (commands?.includes(name.toLowerCase()) === false) return notPermitted(name)
    const reachable = reading.has(name) ? readable : writable
    if (reachable === undefined) return undefined
    const keys = keysOf(command)
    const isKnown = keys !== undefined && (keys.length > 0 || reading.has(name))
    if (!isKnown) return notPermitted(name)
    return keys.every((key) => reachable.some((matches) => matches.test(key)))
      ? undefined
      : new RedisError('NOPERM this user has no permissions to access one of the keys used as arguments')
  }
}

function notPermitted(name: string): RedisError {
  return new RedisError(`NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`)
}

function matcher(pattern: string): RegExp {
  const glob = /^%RW?~([^?[\]\\]+)$/.exec(pattern)?.[1]
  if (glob === undefined) throw new TypeError(`${pattern} is not a pattern of keys that this proxy knows`)
  return new RegExp(`^${glob.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
}
