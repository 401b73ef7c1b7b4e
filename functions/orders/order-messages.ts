/** Turns a batch of messages into entries; all messages of one order make one entry. */
import type { OrderId } from '../../core/ids.ts'
import { readJson } from '../../core/lib/parse.ts'
import { type OrderMessage, orderMessage } from '../../core/orders/order-message.ts'
import { isVariantOf } from '../../core/sale/variants.ts'
import type { Offer } from '../lib/offer.ts'
import { type Made, type ParsePorts, parseBatch } from '../lib/parse-batch.ts'
import type { QueueMessage } from '../lib/reject-to-dlq.ts'
import type { OrderEntry } from '../table/orders/order-entry.ts'
import { type DrawCoupons, newOrder, rejected } from './new-order.ts'

export type BatchPorts = ParsePorts & { drawCoupons: DrawCoupons }

/**
 * Unreadable messages go to the dead-letter queue; `putAside` and `comeAgain` as for `parseBatch`.
 * Waits for no sale after `deadline`.
 */
export async function readMessages(
  ports: BatchPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<{ entries: OrderEntry[]; putAside: OrderMessage[]; comeAgain: string[] }> {
  const reading = {
    parse: (body: string) => readJson(orderMessage, body),
    make: (message: OrderMessage, offer: Offer, now: number) => entryOf(ports, message, offer, now),
  }
  const { read, ...rest } = await parseBatch(ports, messages, reading, deadline)
  const entries = new Map<OrderId, OrderEntry>()
  for (const { source, value } of read) {
    const { orderId } = value.order
    const before = entries.get(orderId)
    // A message that was sent again from the outbox says nothing of its request.
    const admitted = before?.admitted ?? value.admitted
    entries.set(orderId, {
      ...value,
      admitted,
      messageIds: [...(before?.messageIds ?? []), source.messageId],
    })
  }
  return { entries: [...entries.values()], ...rest }
}

function entryOf(
  { drawCoupons }: Pick<BatchPorts, 'drawCoupons'>,
  message: OrderMessage,
  offer: Offer,
  now: number,
): Made<Omit<OrderEntry, 'messageIds'>> {
  const { saleId, quantity } = message
  if (offer.kind === 'red-packet') return { ok: false, detail: `${saleId} has red packets and takes no orders` }
  if (!isVariantOf(offer.variants, message.variant)) {
    return { ok: false, detail: `the units are not of a variant of ${saleId}` }
  }
  try {
    const order = newOrder(message, offer, now, drawCoupons)
    const limit = offer.limitPerShopper
    const isOver = quantity > limit
    return {
      ok: true,
      value: {
        order: isOver ? rejected(order, 'over-limit') : order,
        limit,
        capped: offer.stock !== -1,
        admitted: message.admitted,
      },
    }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, detail: error.message }
    throw error
  }
}
