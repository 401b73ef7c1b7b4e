/** The outbox: messages of reservations that are not yet known to be in the queue (O4, O5). */
import { type OrderId, parseOrderId, type SaleId } from '../core/ids.ts'
import { sortableTime } from '../core/sortable-time.ts'
import { batchesOf, inOneArgument } from './batch.ts'
import claimSource from './claim-due.lua'
import { type Commander, command } from './command.ts'
import { UnexpectedReply } from './errors.ts'
import { hashPages } from './hash-pages.ts'
import { stockKeys } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'

const claimDueScript = defineScript('claim-due', claimSource)
export const claimDueCodes = { claimed: 1 } as const

/**
 * `body` is the order message as JSON, byte for byte as it is sent. `sends` counts how often it was
 * claimed for a resend, 0 after the reservation's own send; `sentAt` is the last resend, epoch ms.
 */
export type PendingMessage = { orderId: OrderId; body: string; sends: number; sentAt: number | undefined }

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

/** A page of so many messages is some 30 kB. */
export const messagesPerPage = 100

/**
 * Every message that exists during the whole scan, about `count` in a page; one may appear twice.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function* outboxPages(
  redis: Commander,
  saleId: SaleId,
  count: number,
): AsyncGenerator<readonly PendingMessage[]> {
  const { outbox } = stockKeys(saleId)
  for await (const page of hashPages(redis, outbox, count, 'outbox')) yield page.map(readPending)
}

function readPending([id, entry]: [string, string]): PendingMessage {
  const orderId = parseOrderId(id)
  if (orderId === undefined) throw new UnexpectedReply('the outbox holds a message without an order id')
  return { orderId, ...parseEntry(entry) }
}

/** The message as reserve.lua wrote it, or prefixed with `<sends> <sent at> ` by claim-due.lua. */
function parseEntry(entry: string): Omit<PendingMessage, 'orderId'> {
  const [, sends, sentAt, body] = /^(\d+) (\d+) (.*)$/s.exec(entry) ?? []
  if (body === undefined) return { body: entry, sends: 0, sentAt: undefined }
  return { body, sends: integer(sends, 'sends'), sentAt: integer(sentAt, 'sentAt') }
}

/**
 * Marks those of `orderIds` (at most `maxOrdersPerCall`) that were not resent within `minAgeMs`
 * before `now` (epoch ms) as sent now. Each answers with its count of sends, this one included; a
 * missing one was acknowledged or claimed by another sender. The caller decides how old a message
 * must be for its first resend.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function claimDue(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
  now: number,
  minAgeMs: number,
): Promise<Map<OrderId, number>> {
  const args = [sortableTime(now), String(minAgeMs), inOneArgument(orderIds, ' ')]
  const { outbox, stock } = stockKeys(saleId)
  const [code, ...sends] = await claimDueScript.run(redis, [outbox, stock], args)
  kindOf(claimDueCodes, code, 'claim-due')
  const counts = orderIds.map((orderId, at) => [orderId, integer(sends[at], 'sends')] as const)
  return new Map(counts.filter(([, count]) => count > 0))
}

/**
 * The same for any number of orders.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function takeAllDue(
  redis: Commander,
  saleId: SaleId,
  orderIds: readonly OrderId[],
  now: number,
  minAgeMs: number,
): Promise<ReadonlyMap<OrderId, number>> {
  const claimed = new Map<OrderId, number>()
  for (const batch of batchesOf(orderIds)) {
    const counts = await claimDue(redis, saleId, batch, now, minAgeMs)
    for (const [orderId, sends] of counts) claimed.set(orderId, sends)
  }
  return claimed
}

/**
 * How many messages wait.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function outboxSize(redis: Commander, saleId: SaleId): Promise<number> {
  return integer(await command(redis, ['HLEN', stockKeys(saleId).outbox]), 'outbox size')
}
