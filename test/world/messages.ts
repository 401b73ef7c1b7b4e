/** Messages as the queues deliver them. */
import type { Admitted } from '../../core/gate/request-report.ts'
import type { OrderId } from '../../core/ids.ts'
import { type ClaimMessage, packetIdOf } from '../../core/packets/claim.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { QueueMessage } from '../../functions/lib/queue-consumer.ts'
import { orderIdOf, shopperIdOf } from '../redis/support.ts'

export type Asked = {
  sale: Sale
  shopper: number
  order?: number
  quantity?: number
  variant?: string
  admitted?: Admitted
}

/** The message of an order; its id names shopper and order, so failures read well. */
export function orderMessageOf(
  { sale, shopper, order = 1, variant, quantity = 1, admitted }: Asked,
  copy = '',
): QueueMessage {
  const orderId = idOf({ sale, shopper, order })
  const body = {
    orderId,
    saleId: sale.saleId,
    shopperId: shopperIdOf(shopper),
    quantity,
    variant,
    reservedAt: 5_000,
    requestId: `request-${shopper}`,
    admitted,
  }
  return { messageId: `${sale.saleId}/${shopper}.${order}${copy}`, body: JSON.stringify(body) }
}

export function idOf({ sale, shopper, order = 1 }: Asked): OrderId {
  return orderIdOf(sale.saleId, shopper, order)
}

export type Claimed = { sale: Sale; shopper: number; packet: number; amount: number; claimedAt?: number }

/** The message of a claim, as claim.lua writes it. */
export function claimOf({ sale, shopper, packet, amount, claimedAt = 5_000 }: Claimed): ClaimMessage {
  const { saleId, currency } = sale
  const shopperId = shopperIdOf(shopper)
  return { saleId, shopperId, packet, amount, currency, claimedAt, requestId: `request-${shopper}` }
}

/** That message as the queue delivers it; `copy` makes the ids of two of them differ. */
export function claimMessageOf(claimed: Claimed, copy = ''): QueueMessage {
  const messageId = `${packetIdOf(claimed.sale.saleId, claimed.packet)} ${claimed.shopper}${copy}`
  return { messageId, body: JSON.stringify(claimOf(claimed)) }
}

/** `count` shoppers, each with the packet before their own number, which holds as much as their number says. */
export function crowdOf(sale: Sale, count: number, from = 1): QueueMessage[] {
  return Array.from({ length: count }, (_, at) => {
    const shopper = from + at
    return claimMessageOf({ sale, shopper, packet: shopper - 1, amount: shopper })
  })
}
