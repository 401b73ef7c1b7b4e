/** Access rules: which token a request carries, and which commands and keys that token may use. */
import { hash, timingSafeEqual } from 'node:crypto'
import { aclRights } from './acl-rules.ts'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/**
 * A token, and the rules of its user; without `rules` it may use every key, and all commands that
 * do not change the service itself.
 *
 * Redis also requires the right to the commands inside a script; this is not checked here.
 */
export type Token = { token: string; rules?: readonly string[] }

const digest = (text: string) => hash('sha256', text, 'buffer')

/**
 * A function from the Authorization header to the index of its token, -1 when there is none. All
 * tokens are compared, by their hashes and in constant time, so the delay reveals nothing about
 * them.
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

/**
 * Commands that change or block the one connection that all requests share; the REST API does not
 * have them either.
 */
const unavailable = new Set(
  (
    'AUTH BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT DISCARD EXEC HELLO MONITOR MULTI ' +
    'PSUBSCRIBE PSYNC PUNSUBSCRIBE QUIT REPLICAOF RESET SELECT SHUTDOWN SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SYNC ' +
    'UNSUBSCRIBE UNWATCH WAIT WAITAOF WATCH'
  ).split(' '),
)

/** Harmless commands without keys. */
const harmless = new Set(['ECHO', 'PING', 'TIME'])

/** The error for a command that a token may not send, or undefined when it may. */
export type Guard = (command: readonly string[]) => RedisError | undefined

/**
 * The guard of a user.
 * @throws TypeError for a rule that Upstash rejects
 */
export function guardOf(rules: readonly string[] | undefined): Guard {
  const rights = rules && aclRights(rules)
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
