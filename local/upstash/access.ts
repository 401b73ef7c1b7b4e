/** Access control: finds the token of a request, and checks which commands and keys it may use. */
import { hash, timingSafeEqual } from 'node:crypto'
import { keysOf } from './key-positions.ts'
import { RedisError } from './resp.ts'

/**
 * A token and the rules of its user; without `rules` it may use every key, and all commands that do not change the
 * service itself.
 *
 * Unlike Redis, this does not check the commands inside a script.
 */
export type Token = { token: string; rules?: readonly string[] }

const digest = (text: string) => hash('sha256', text, 'buffer')

/**
 * Returns a function from the Authorization header to the index of its token, -1 when there is none. It compares the
 * hashes of all tokens in constant time, so that timing reveals nothing.
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

/** Commands that change or block the shared connection; the REST API does not have them either. */
const unavailable = new Set(
  (
    'AUTH BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN CLIENT DISCARD EXEC HELLO MONITOR MULTI ' +
    'PSUBSCRIBE PSYNC PUNSUBSCRIBE QUIT REPLICAOF RESET SELECT SHUTDOWN SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE SYNC ' +
    'UNSUBSCRIBE UNWATCH WAIT WAITAOF WATCH'
  ).split(' '),
)

/** Harmless commands without keys. */
const harmless = new Set(['ECHO', 'PING', 'TIME'])

/** Returns the error for a command that a token may not send, or undefined. */
export type Guard = (command: readonly string[]) => RedisError | undefined

/**
 * Creates the guard of a user.
 * @throws TypeError for a rule that Upstash rejects
 */
export function createGuard(rules: readonly string[] | undefined): Guard {
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

/**
 * Rules of `ACL SETUSER` that Upstash supports, a subset of Redis: no read-only or write-only patterns, no selectors,
 * no subcommands, and no passwords except tokens of `ACL GENTOKEN`
 * (https://upstash.com/docs/redis/commands/server/acl-setuser). `keys` match the whole key. `commands` are lower case;
 * undefined stands for all.
 */
type Rights = { keys: readonly RegExp[]; commands: ReadonlySet<string> | undefined }

const command = /^\+([a-z]+)$/
const pattern = /^~([^?[\]\\]+)$/

/**
 * Applies `rules` from left to right and returns the rights of the user.
 * @throws TypeError for a rule that Upstash rejects, or that is unknown here
 */
function aclRights(rules: readonly string[]): Rights {
  const keys: RegExp[] = []
  let commands: Set<string> | undefined = new Set()
  for (const rule of rules) {
    const name = command.exec(rule)?.[1]
    const glob = pattern.exec(rule)?.[1]
    if (glob !== undefined) keys.push(matcher(glob))
    else if (name !== undefined) commands?.add(name)
    else if (rule === '-@all') commands = new Set()
    else if (rule === '+@all') commands = undefined
    else throw new TypeError(`${rule} is not a rule that this proxy and Upstash both know`)
  }
  return { keys, commands }
}

/** Compiles a glob: `*` matches any text, every other character itself. */
function matcher(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
}
