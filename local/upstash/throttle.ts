/**
 * Sends commands to Redis within the capacity of a database. Each command of a pipeline or
 * transaction counts, and so does each command inside a script: Upstash bills a script as "EVAL,
 * INCR, PEXPIRE" (https://upstash.com/docs/redis/sdks/ratelimit-ts/costs). Whether these inner
 * commands also count for the limit per second is not documented; the stricter reading is emulated.
 */
import type { Capacity } from './capacity.ts'
import { type RedisLink, RedisUnreachable } from './link.ts'
import type { RespReply } from './resp.ts'

/** Sends commands, and returns their replies. */
export type Sender = Pick<RedisLink, 'send'>

const statistics = ['INFO', 'stats']

/**
 * A sender for one request. It waits for capacity, unless `hasLeft`: then the request is dropped,
 * because a client that gave up must not keep the others waiting.
 * @throws RedisUnreachable
 */
export function throttled(link: Sender, capacity: Capacity, hasLeft: () => boolean): Sender {
  return {
    async send(commands) {
      const settle = await capacity.take(hasLeft)
      if (settle === undefined) throw new RedisUnreachable('the client has left')
      let ran = commands.length
      try {
        // One burst: no command of another request comes between the two statistics.
        const replies = await link.send([statistics, ...commands, statistics])
        ran = Math.max(ran, ranBetween(replies.at(0), replies.at(-1)))
        return replies.slice(1, -1)
      } finally {
        settle(ran)
      }
    },
  }
}

/** The commands between two statistics; the first of them counts itself afterwards. */
function ranBetween(before: RespReply | undefined, after: RespReply | undefined): number {
  return processed(after) - processed(before) - 1
}

/** The server's own count includes the commands inside scripts. */
function processed(reply: RespReply | undefined): number {
  return Number(/total_commands_processed:(\d+)/.exec(String(reply))?.[1] ?? 0)
}
