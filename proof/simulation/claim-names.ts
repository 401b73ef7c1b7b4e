/** The names of claims, as Redis, its outbox, the table and the queue have them. */
import { readJson } from '../../core/lib/parse.ts'
import type { Order } from '../../core/orders/order.ts'
import { orderMessage } from '../../core/orders/order-message.ts'
import { holdPages } from '../../redis/orders/holds.ts'
import { outboxPages } from '../../redis/orders/outbox.ts'
import { claimName } from './packet-record.ts'
import type { World } from './world.ts'

/** More claims than a simulated sale ever has. */
const pageSize = 1000

export async function claimsInRedis({ stocks, saleId }: World): Promise<string[]> {
  const names: string[] = []
  for await (const page of holdPages(stocks, saleId, pageSize)) names.push(...namesOf(page))
  return names
}

export async function claimsInOutbox({ stocks, saleId }: World): Promise<string[]> {
  const names: string[] = []
  for await (const page of outboxPages(stocks, saleId, pageSize)) {
    names.push(...claimsInMessages(page.map(({ body }) => body)))
  }
  return names
}

/** Claims with an order, one that was rejected included. */
export function claimsInTable({ truth, saleId }: World): string[] {
  return namesOf(truth.orders(saleId))
}

/** Claims in messages; invalid messages are skipped. */
export function claimsInMessages(bodies: readonly string[]): string[] {
  return bodies.flatMap((body) => {
    const message = readJson(orderMessage, body)
    return message.ok ? namesOf([message.value]) : []
  })
}

export function namesOf(orders: readonly Pick<Order, 'shopperId' | 'packet'>[]): string[] {
  return orders.flatMap(({ shopperId, packet }) =>
    packet === undefined ? [] : [claimName({ shopperId, packet: packet.number })],
  )
}
