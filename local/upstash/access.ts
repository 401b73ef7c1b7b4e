/** Access rules: which token a request carries, and which commands and keys that token may use. */
import { hash, timingSafeEqual } from 'node:crypto'
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
 * Rules of `ACL SETUSER`, as Upstash supports them, a subset of Redis: no pattern for reading or writing alone, no
 * selector, no subcommand, and no password but a token of `ACL GENTOKEN`
 * (https://upstash.com/docs/redis/commands/server/acl-setuser). `keys` match the whole key. `commands` are lower case;
 * undefined stands for all.
 */
type Rights = { keys: readonly RegExp[]; commands: ReadonlySet<string> | undefined }

const command = /^\+([a-z]+)$/
const pattern = /^~([^?[\]\\]+)$/

/**
 * The rights of a user after `rules`, applied from left to right.
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

/** `*` stands for any text, every other character for itself. */
function matcher(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
}
