/** What a token may touch in Redis, in the words of `ACL SETUSER`: a deployment gives its users the same. */

/** The functions' token of the gate store. */
export const gateRights = ['%RW~gate:*', '%RW~lock:*'] as const

/**
 * The edge's token: it reads everything about the gate, and writes only what its instances agree on among themselves. A
 * leaked one can let no sale start, change no list and touch no stock.
 */
export const edgeRights = ['%R~gate:*', '%RW~gate:*:admissions', '%RW~gate:*:solved:*'] as const

/** All that the edge sends, and all that its scripts call: Redis asks for the right to both. */
export const edgeCommands = [
  ...['eval', 'evalsha', 'get', 'set', 'hmget', 'hkeys'],
  ...['hget', 'hset', 'hincrby'],
] as const

/** The rules that give a user nothing but these keys and commands: `ACL SETUSER <name> on ><password> <rules>`. */
export function aclRules(keys: readonly string[], commands: readonly string[]): string[] {
  return ['resetkeys', ...keys, '-@all', ...commands.map((command) => `+${command}`)]
}
