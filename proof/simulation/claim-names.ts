/** Reads the names of claims from Redis, its outbox, the table and the queue. */
import { readJson } from '../../core/lib/parse.ts'
import type { Order } from '../../core/orders/order.ts'
import { orderMessage } from '../../core/orders/order-message.ts'
import { holdPages } from '../../redis/orders/holds.ts'
import { outboxPages } from '../../redis/orders/outbox.ts'
import { claimName } from './packet-record.ts'
import type { World } from './world.ts'

/** More than a simulated sale has. */
const pageSize = 1000

export async function claimsInRedis({ stocks, saleId }: World): Promise<string[]> {
  const names: string[] = []
  for await (const page of holdPages(stocks, saleId, pageSize)) names.push(...claimNamesOf(page))
  return names
}

export async function claimsInOutbox({ stocks, saleId }: World): Promise<string[]> {
  const names: string[] = []
  for await (const page of outboxPages(stocks, saleId, pageSize)) {
    names.push(...claimsInMessages(page.map(({ body }) => body)))
  }
  return names
}

/** Returns claims with an order, including rejected ones. */
export function claimsInTable({ truth, saleId }: World): string[] {
  return claimNamesOf(truth.orders(saleId))
}

/** Returns the claims in messages; skips invalid ones. */
export function claimsInMessages(bodies: readonly string[]): string[] {
  return bodies.flatMap((body) => {
    const message = readJson(orderMessage, body)
    return message.ok ? claimNamesOf([message.value]) : []
  })
}

export function claimNamesOf(orders: readonly Pick<Order, 'shopperId' | 'packet'>[]): string[] {
  return orders.flatMap(({ shopperId, packet }) =>
    packet === undefined ? [] : [claimName({ shopperId, packet: packet.number })],
  )
}
