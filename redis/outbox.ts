/** The outbox: messages of reservations that are not yet known to be in the queue (O4, O5). */
import { type OrderId, parseOrderId, type SaleId } from '../core/ids.ts'
import type { Redis } from './client.ts'
import { type Commander, command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { stockKeys } from './keys.ts'
import { integer, list, pairs, text } from './reply.ts'

/** `body` is the order message as JSON, byte for byte as it is sent. */
export type PendingMessage = { orderId: OrderId; body: string }

/** `cursor` continues the walk; undefined when it is complete. */
export type PendingPage = { messages: PendingMessage[]; cursor: string | undefined }

/**
 * Removes the messages of `orderIds`, which are known to be in the queue. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function acknowledge(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
): Promise<void> {
  if (orderIds.length === 0) return
  await command(redis, ['HDEL', stockKeys(saleId).outbox, ...orderIds])
}

/**
 * One page of the outbox, about `count` messages. A walk sees every message that is there from its beginning
 * to its end; one may be seen twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function pendingMessages(
  redis: Redis,
  saleId: SaleId,
  { cursor = '0', count }: { cursor?: string; count: number },
): Promise<PendingPage> {
  const { outbox } = stockKeys(saleId)
  const reply = await command(redis, ['HSCAN', outbox, cursor, 'COUNT', String(count)])
  const [next, found] = list(reply, 'outbox page')
  const messages = pairs(found, 'outbox page').map(([id, body]) => {
    const orderId = parseOrderId(id)
    if (orderId === undefined) throw new UnexpectedReply('the outbox holds a message without an order id')
    return { orderId, body }
  })
  const after = text(next, 'cursor')
  return { messages, cursor: after === '0' ? undefined : after }
}

/**
 * How many messages wait.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function outboxSize(redis: Redis, saleId: SaleId): Promise<number> {
  return integer(await command(redis, ['HLEN', stockKeys(saleId).outbox]), 'outbox size')
}
