/** Units for a shopper whom no gate has let through: a marketer asks for them, or a shop that has the money of an ended order. */
import type { Sale } from '../../core/sale/sale.ts'
import { type Purchase, type Reservation, reserve } from '../../redis/buy/reserve.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { errorFacts } from '../lib/telemetry.ts'

export type ReserveWithoutGatePorts = Pick<ShopContext, 'stock' | 'clock' | 'meter' | 'log'> & {
  orderQueue: Pick<ShopContext['orderQueue'], 'sendAll'>
}

/**
 * Reserves the units and sends the message of their order; a repeat sends it again as long as it waits in the outbox.
 * `promised`: every unit of a sale by invitation is of a shopper on its list, which only the gate reads, so no other way
 * takes one (N3). Safe to repeat.
 * @throws RedisUnavailable when the outcome is unknown
 */
export async function reserveWithoutGate(
  { stock, orderQueue, clock, meter, log }: ReserveWithoutGatePorts,
  { saleId, startToken }: Sale,
  request: Omit<Purchase, 'saleId' | 'now' | 'startToken' | 'byGate'>,
): Promise<Reservation> {
  const reservation = await reserve(stock, { ...request, saleId, now: clock(), startToken: startToken ?? '' })
  const message = 'message' in reservation ? reservation.message : undefined
  if (message === undefined) return reservation
  const [error] = await orderQueue.sendAll([message]).catch((failure: unknown) => [failure])
  if (error !== undefined) {
    meter.count('SendFailed')
    // It stays in the outbox, from which `reconcile` sends it.
    log.warn('message left in the outbox', { orderId: request.orderId, ...errorFacts(error) })
  }
  return reservation
}
