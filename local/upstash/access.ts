/** Who may do what: which token a request carries, and which commands and keys that token reaches. */
import { hash, timingSafeEqual } from 'node:crypto'
import { rightsOf } from './acl-rules.ts'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/**
 * A token, and the rules of its user; without `rules` it reaches every key, and may send all commands that do not change
 * the service itself.
 *
 * Redis wants the right to a command of those that a script calls as well. That is not looked at here.
 */
export type Token = { token: string; rules?: readonly string[] }

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

/** Commands that name no key and do no harm. */
const harmless = new Set(['ECHO', 'PING', 'TIME'])

/** The error that answers a command which a token may not send, or undefined for one that it may. */
export type Guard = (command: readonly string[]) => RedisError | undefined

/** Throws TypeError for a rule that Upstash refuses. */
export function guardOf(rules: readonly string[] | undefined): Guard {
  const rights = rules && rightsOf(rules)
  return (command) => {
    const name = (command[0] ?? '').toUpperCase()
    if (unavailable.has(name)) return new RedisError(`ERR Command is not available: '${command[0]}'`)
    if (rights === undefined) return undefined
    if (rights.commands?.has(name.toLowerCase()) === false) return notPermitted(name)
    const keys = keysOf(command)
    const isKnown = keys !== undefined && (keys.length > 0 || harmless.has(name))
    if (!isKnown) return notPermitted(name)
    return keys.every((key) => rights.keys.some((matches) => matches.test(key)))
      ? undefined
      : new RedisError('NOPERM this user has no permissions to access one of the keys used as arguments')
  }
}

function notPermitted(name: string): RedisError {
  return new RedisError(`NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`)
}
