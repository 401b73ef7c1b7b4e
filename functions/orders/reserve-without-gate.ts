/** Reserves units without the gate: for a marketer, or for a shop that has received the money of an ended order. */
import type { Sale } from '../../core/sale/sale.ts'
import { type Reservation, type ReserveRequest, reserve } from '../../redis/buy/reserve.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'

export type ReserveWithoutGatePorts = Pick<ShopContext, 'stock' | 'clock' | 'meter' | 'log'> & {
  orderQueue: Pick<ShopContext['orderQueue'], 'sendAll'>
}

/**
 * Reserves the units and sends the message of their order. A repeat sends it again while it is in the outbox. A sale by
 * invitation rejects the call: every unit belongs to a shopper on its list, which only the gate reads (N3). Repeatable.
 * @throws RedisUnavailable when the outcome is unknown
 */
export async function reserveWithoutGate(
  { stock, orderQueue, clock, meter, log }: ReserveWithoutGatePorts,
  { saleId, startToken }: Sale,
  request: Omit<ReserveRequest, 'saleId' | 'now' | 'startToken' | 'byGate'>,
): Promise<Reservation> {
  const reservation = await reserve(stock, { ...request, saleId, now: clock(), startToken: startToken ?? '' })
  const message = 'message' in reservation ? reservation.message : undefined
  if (message === undefined) return reservation
  const [error] = await orderQueue.sendAll([message]).catch((failure: unknown) => [failure])
  if (error !== undefined) {
    meter.count('SendFailed')
    // The message stays in the outbox, and `reconcile` sends it.
    log.warn('message left in the outbox', { orderId: request.orderId, ...errorFacts(error) })
  }
  return reservation
}
