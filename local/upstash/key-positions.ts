/**
 * The key positions of commands. Redis knows them too (COMMAND GETKEYS), but that takes a round trip per command and
 * does not work inside a script. A command missing here is rejected where its keys must be known.
 */

/**
 * `first:last:step:countAt`, positions among the arguments from 1; last -1 = to the end; countAt 0
 * = no count.
 */
const shapes: Record<string, string> = {
  '0:0:1:0': 'PING ECHO TIME PUBLISH',
  '1:1:1:0':
    'GET SET SETNX SETEX PSETEX GETSET GETDEL GETEX APPEND STRLEN GETRANGE SUBSTR SETRANGE INCR DECR INCRBY ' +
    'DECRBY INCRBYFLOAT SETBIT GETBIT BITCOUNT BITPOS BITFIELD BITFIELD_RO TYPE TTL PTTL EXPIRE PEXPIRE ' +
    'EXPIREAT PEXPIREAT EXPIRETIME PEXPIRETIME PERSIST DUMP RESTORE HGET HSET HSETNX HMGET HMSET HGETALL HDEL ' +
    'HEXISTS HLEN HKEYS HVALS HSTRLEN HINCRBY HINCRBYFLOAT HSCAN HRANDFIELD HEXPIRE HPEXPIRE HEXPIREAT ' +
    'HPEXPIREAT HTTL HPTTL HPERSIST HEXPIRETIME HPEXPIRETIME LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LLEN LRANGE ' +
    'LINDEX LSET LREM LTRIM LINSERT LPOS SADD SREM SCARD SISMEMBER SMISMEMBER SMEMBERS SPOP SRANDMEMBER SSCAN ' +
    'ZADD ZREM ZCARD ZCOUNT ZLEXCOUNT ZSCORE ZMSCORE ZINCRBY ZRANK ZREVRANK ZRANGE ZREVRANGE ZRANGEBYSCORE ' +
    'ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX ZPOPMIN ' +
    'ZPOPMAX ZRANDMEMBER ZSCAN PFADD GEOADD GEODIST GEOHASH GEOPOS GEOSEARCH XADD XLEN XRANGE XREVRANGE XDEL ' +
    'XTRIM XACK XCLAIM XAUTOCLAIM XPENDING',
  '2:2:1:0': 'OBJECT XGROUP XINFO',
  '1:2:1:0': 'RENAME RENAMENX COPY RPOPLPUSH LMOVE SMOVE ZRANGESTORE GEOSEARCHSTORE LCS',
  '1:-1:1:0': 'DEL UNLINK EXISTS TOUCH MGET SINTER SUNION SDIFF SINTERSTORE SUNIONSTORE SDIFFSTORE PFCOUNT PFMERGE',
  '1:-1:2:0': 'MSET MSETNX',
  '2:-1:1:0': 'BITOP',
  '0:0:1:1': 'SINTERCARD ZUNION ZINTER ZDIFF ZINTERCARD LMPOP ZMPOP',
  '0:0:1:2': 'EVAL EVALSHA',
  '1:1:1:2': 'ZUNIONSTORE ZINTERSTORE ZDIFFSTORE',
}

const shapeOf = new Map(
  Object.entries(shapes).flatMap(([shape, commands]) =>
    commands.split(' ').map((command): [string, string] => [command, shape]),
  ),
)

/** The table as one text for Lua, ` GET=1:1:1:0 SET=…`: a script searches it without building a table. */
export const keyShapeText = ` ${[...shapeOf].map(([command, shape]) => `${command}=${shape}`).join(' ')} `

/** Returns the keys of a command; undefined when the command is unknown or malformed. */
export function keysOf(command: readonly string[]): string[] | undefined {
  const shape = shapeOf.get((command[0] ?? '').toUpperCase())
  if (shape === undefined) return undefined
  const [first = 0, last = 0, step = 1, countAt = 0] = shape.split(':').map(Number)
  const keys: string[] = []
  const take = (from: number, to: number, by: number): boolean => {
    for (let at = from; at <= to; at += by) {
      const key = command[at]
      if (key === undefined) return false
      keys.push(key)
    }
    return true
  }
  if (first > 0 && !take(first, last === -1 ? command.length - 1 : last, step)) return undefined
  if (countAt > 0) {
    const count = Number(command[countAt])
    if (!Number.isSafeInteger(count) || count < 0) return undefined
    if (!take(countAt + 1, countAt + count, 1)) return undefined
  }
  return keys
}
