/** The outbox: messages of reservations that may not be in the table yet (O4, O5). */
import { type OrderId, parseOrderId, type SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import type { OrderMessage } from '../../core/orders/order-message.ts'
import { batchesOf, inOneArgument } from '../batch.ts'
import { type Commander, command, type Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { hashPages } from '../hash-pages.ts'
import { orderSuffix, stockKeys } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import { groupByShard, shardsOf } from '../shards.ts'
import claimSource from './claim-due.lua'
import { type OutboxEntry, parseEntry } from './outbox-entry.ts'

const claimDueScript = defineScript('claim-due', claimSource)
const claimDueCodes = { claimed: 1 } as const

export type PendingMessage = OutboxEntry & { orderId: OrderId }

/** Removes messages of `orders` that are in the table. Safe to repeat. @throws RedisUnavailable, UnexpectedReply */
export async function acknowledgeOrders(stocks: Stocks, saleId: SaleId, orders: readonly FinalOrder[]): Promise<void> {
  const shards = await groupByShard(stocks, saleId, orders)
  const inShard = ([shard, some]: [Commander, readonly FinalOrder[]]) =>
    acknowledge(
      shard,
      saleId,
      some.map(({ orderId }) => orderId),
    )
  await Promise.all([...shards].map(inShard))
}

/**
 * Removes messages of orders in one shard.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function acknowledge(redis: Commander, saleId: SaleId, orderIds: readonly OrderId[]): Promise<void> {
  if (orderIds.length === 0) return
  await command(redis, ['HDEL', stockKeys(saleId, redis.shard).outbox, ...orderIds.map(orderSuffix)])
}

/**
 * Writes lost messages again. Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function restoreMessages(
  stocks: Stocks,
  saleId: SaleId,
  messages: readonly OrderMessage[],
): Promise<void> {
  for (const [shard, some] of await groupByShard(stocks, saleId, messages)) {
    const { outbox } = stockKeys(saleId, shard.shard)
    for (const batch of batchesOf(some)) {
      const fields = batch.flatMap((message) => [orderSuffix(message.orderId), JSON.stringify(message)])
      await command(shard, ['HSET', outbox, ...fields])
    }
  }
}

/** A page then has about 30 kB. */
export const messagesPerPage = 100

/** Yields all messages of the outbox, about `count` per page, some twice. @throws RedisUnavailable, UnexpectedReply */
export async function* outboxPages(
  stocks: Stocks,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly PendingMessage[]> {
  for (const redis of await shardsOf(stocks, saleId)) {
    const { outbox } = stockKeys(saleId, redis.shard)
    for await (const page of hashPages(redis, outbox, count, 'outbox'))
      yield page.map((entry) => readPending(saleId, entry))
  }
}

function readPending(saleId: SaleId, [word, entry]: [string, string]): PendingMessage {
  const orderId = parseOrderId(`${saleId}-${word}`)
  if (orderId === undefined) throw new UnexpectedReply('the outbox holds a message without an order id')
  return { orderId, ...parseEntry(entry) }
}

/**
 * Records that the queue rejected `messages`, which were claimed at `now` (epoch ms), so that the next run resends them. A
 * message that left the outbox meanwhile is written again, which is harmless: the writer finds its order in the table.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function recordRefused(
  redis: Commander,
  saleId: SaleId,
  messages: readonly Omit<PendingMessage, 'sentAt' | 'isRefused'>[],
  now: number,
): Promise<void> {
  if (messages.length === 0) return
  const entries = messages.flatMap(({ orderId, body, sends }) => [
    orderSuffix(orderId),
    `{"sends":${sends},"sentAt":${now},"isRefused":true,"message":${body}}`,
  ])
  await command(redis, ['HSET', stockKeys(saleId, redis.shard).outbox, ...entries])
}

/** `now` is epoch ms; the last resend must be at least `minAgeMs` ago. */
type DueTime = { now: number; minAgeMs: number }

/**
 * Claims those of `orderIds` (at most `maxOrdersPerCall`) that were not resent within `minAgeMs` before `now` (epoch ms).
 * Resolves with the number of resends of each, including this one; a missing message was acknowledged or claimed by
 * another sender. The caller decides how old a message must be for its first resend.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function claimDue(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
  { now, minAgeMs }: DueTime,
): Promise<Map<OrderId, number>> {
  const args = [String(now), String(minAgeMs), inOneArgument(orderIds.map(orderSuffix))]
  const { outbox, stock } = stockKeys(saleId, redis.shard)
  const [code, ...claims] = await claimDueScript.run(redis, [outbox, stock], args)
  kindOf(claimDueCodes, code, 'claim-due')
  const counts = orderIds.map((orderId, at) => [orderId, integer(claims[at], 'sends')] as const)
  return new Map(counts.filter(([, sends]) => sends > 0))
}

/**
 * Claims due messages like `claimDue`, for any number of orders.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function claimAllDue(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
  time: DueTime,
): Promise<ReadonlyMap<OrderId, number>> {
  const claimed = new Map<OrderId, number>()
  for (const batch of batchesOf(orderIds)) {
    const counts = await claimDue(redis, saleId, batch, time)
    for (const [orderId, sends] of counts) claimed.set(orderId, sends)
  }
  return claimed
}

/**
 * Counts the messages in the outbox.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function outboxSize(stocks: Stocks, saleId: SaleId): Promise<number> {
  const sizes = (await shardsOf(stocks, saleId)).map(async (redis) =>
    integer(await command(redis, ['HLEN', stockKeys(saleId, redis.shard).outbox]), 'outbox size'),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
