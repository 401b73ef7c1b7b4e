/**
 * Sends concurrent Redis commands in one request. A Lambda environment serves one request at a
 * time, so there every command is sent alone; a host that serves many saves round trips.
 */
import type { RedisClient } from '../../redis/client.ts'
import type { Command, Commander, Stocks } from '../../redis/command.ts'
import type { StockClient } from '../../redis/databases.ts'
import { coalesce } from '../lib/coalesce.ts'

/** Commands per request; each is short, and Redis serves other clients between two of them. */
const maxCommands = 64

/** Maximum batching delay while another request is under way. */
const maxWaitMs = 4

export function gatherCommands(redis: RedisClient): Commander
export function gatherCommands(redis: StockClient): Stocks
export function gatherCommands(redis: StockClient): Stocks {
  const gathered = {
    exec: coalesce<Command, unknown>({
      maxItems: maxCommands,
      maxWaitMs,
      send: (commands) => {
        const [only, ...others] = commands
        const isAlone = only !== undefined && others.length === 0
        return isAlone ? redis.exec(only).then((reply) => [reply]) : redis.together(commands)
      },
    }),
  }
  return redis.shardCount === undefined
    ? gathered
    : { ...gathered, shardCount: (saleId) => redis.shardCount(saleId) }
}
