/** Messages as the queues deliver them. */
import type { OrderId } from '../../core/ids.ts'
import type { Admitted } from '../../core/orders/order-message.ts'
import type { RedPacket } from '../../core/packets/packet.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { QueueMessage } from '../../functions/lib/queue-consumer.ts'
import { claimIdOf } from '../redis/packets/rain.ts'
import { orderIdOf, shopperIdOf } from '../redis/support.ts'

export type Asked = {
  sale: Sale
  shopper: number
  order?: number
  quantity?: number
  variant?: string
  packet?: Pick<RedPacket, 'number' | 'amount'>
  admitted?: Admitted
}

/** The message of an order; its id names shopper and order, so failures read well, unless it follows from a claim. */
export function orderMessageOf(
  { sale, shopper, order = 1, variant, packet, quantity = 1, admitted }: Asked,
  copy = '',
): QueueMessage {
  const orderId = idOf({ sale, shopper, order, packet })
  const body = {
    orderId,
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity,
    variant,
    packet: packet && { ...packet, currency: sale.currency },
    reservedAt: 5_000,
    requestId: `request-${shopper}`,
    admitted,
  }
  return { messageId: `${sale.saleId}/${shopper}.${order}${copy}`, body: JSON.stringify(body) }
}

export function idOf({ sale, shopper, order = 1, packet }: Asked): OrderId {
  return packet ? claimIdOf(sale, shopper) : orderIdOf(sale.saleId, shopper, order)
}

/** `count` shoppers, each with the packet before their own number, which holds as much as their number says. */
export function crowdOf(sale: Sale, count: number, from = 1): QueueMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const shopper = from + at
    return orderMessageOf({ sale, shopper, packet: { number: shopper - 1, amount: shopper } })
  })
}
