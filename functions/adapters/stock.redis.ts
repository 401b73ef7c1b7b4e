/**
 * The stock and its outbox in Redis, as `reserve` needs them. An environment of Lambda serves one request at a
 * time, so there every command travels alone; a host that serves many saves a round trip for each that waits.
 */
import type { RedisClient } from '../../redis/client.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { reserve } from '../../redis/reserve.ts'
import { sendTogether } from '../../redis/together.ts'
import type { Outbox, Stock } from '../reserve/reserve.ts'
import { coalesce } from './coalesce.ts'

/** So many commands in one request; each is short, and between two of them Redis serves whoever else waits. */
const maxCommands = 64

/** Longest wait for company while another request is on its way. */
const maxWaitMs = 4

/** Both ports over one client, because what they send may share a request. */
export function redisStockAndOutbox(redis: RedisClient): { stock: Stock; outbox: Outbox } {
  const commander: Commander = {
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
  return {
    stock: { take: (purchase) => reserve(commander, purchase) },
    outbox: { acknowledge: (saleId, orderId) => acknowledge(commander, saleId, [orderId]) },
  }
}
