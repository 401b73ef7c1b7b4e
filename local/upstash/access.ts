/** Who may do what: which token a request carries, and which commands and keys that token reaches. */
import { hash, timingSafeEqual } from 'node:crypto'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/** A token, and the key prefixes it is limited to; without `allow` it reaches every key. */
export type Token = { token: string; allow?: readonly string[] }

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

/** The error that answers a command this token may not send, or undefined when it may. */
export function refusal(
  command: readonly string[],
  allow: readonly string[] | undefined,
): RedisError | undefined {
  const name = (command[0] ?? '').toUpperCase()
  if (unavailable.has(name)) {
    return new RedisError(`ERR Command is not available: '${command[0]}'`)
  }
  if (allow === undefined) return undefined
  if (name === 'SCRIPT' && ['LOAD', 'EXISTS'].includes((command[1] ?? '').toUpperCase())) return undefined
  const keys = keysOf(command)
  if (keys === undefined) {
    return new RedisError(`NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`)
  }
  const reaches = (key: string) => allow.some((prefix) => key.startsWith(prefix))
  return keys.every(reaches)
    ? undefined
    : new RedisError('NOPERM this user has no permissions to access one of the keys used as arguments')
}
