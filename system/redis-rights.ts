/**
 * The Redis permissions of each user, as `ACL SETUSER` rules of Upstash. Upstash only has `~<pattern>`, for reading and
 * writing, so two users of the edge differ in their commands (https://upstash.com/docs/redis/commands/server/acl-setuser).
 */

const only = (...commands: string[]) => ['-@all', ...commands.map((command) => `+${command}`)]

/** The functions' user of the gate's store. */
export const gateRights = ['~gate:*', '~lock:*', '~payments:*', '+@all']

/** The edge's reader: flags and lists. */
export const readerRights = ['~gate:*', ...only('get', 'hkeys', 'hmget', 'sismember', 'smembers', 'smismember')]

/**
 * The edge's writer: admissions, used challenges and counts of demand, shared by the instances of the gate. Redis also
 * checks the commands in scripts. A leaked token cannot start a sale, change a list or touch the stock.
 */
export const writerRights = [
  '~gate:*:admissions',
  '~gate:*:solved:*',
  '~gate:*:demand',
  ...only('eval', 'evalsha', 'get', 'set', 'hincrby', 'hmget', 'hset'),
]
