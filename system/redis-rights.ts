/**
 * What a token may touch in Redis, in rules of `ACL SETUSER` that Upstash takes: it knows `~<pattern>` only, which gives the
 * right to read and to write, so the rights of the edge are divided between two users by the commands they may send
 * (https://upstash.com/docs/redis/commands/server/acl-setuser).
 */

const only = (...commands: string[]) => ['-@all', ...commands.map((command) => `+${command}`)]

/** The functions' token of the gate's store. */
export const gateRights = ['~gate:*', '~lock:*', '+@all']

/** The edge's reader: flags and lists. */
export const readerRights = ['~gate:*', ...only('get', 'hkeys', 'hmget', 'smembers')]

/**
 * The edge's writer: what the instances of the gate agree on among themselves. Redis asks for the right to the commands in
 * scripts too. A leaked token can let no sale start, change no list and touch no stock.
 */
export const writerRights = [
  '~gate:*:admissions',
  '~gate:*:solved:*',
  ...only('eval', 'evalsha', 'get', 'set', 'hget', 'hincrby', 'hmget', 'hset'),
]
