/**
 * Commands of one moment to Redis in one request. An environment of Lambda serves one request at a time, so there every
 * command travels alone; a host that serves many saves a round trip for each that waits.
 */
import type { RedisClient } from '../../redis/client.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { sendTogether } from '../../redis/together.ts'
import { coalesce } from '../lib/coalesce.ts'

/** Commands in one request. Each is short, and Redis serves other clients between two of them. */
const maxCommands = 64

/** Longest wait for company while another request is on its way. */
const maxWaitMs = 4

export function gatherCommands(redis: RedisClient): Commander {
  return {
    exec: coalesce<Command, unknown>({
      maxItems: maxCommands,
      maxWaitMs,
      send: (commands) => {
        const [only, ...others] = commands
        const isAlone = only !== undefined && others.length === 0
        return isAlone ? redis.exec(only).then((reply) => [reply]) : sendTogether(redis, commands)
      },
    }),
  }
}
