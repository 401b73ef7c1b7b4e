/** The stock and its outbox in Redis, as `reserve` needs them. */

import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Redis } from '../../redis/client.ts'
import { acknowledge } from '../../redis/outbox.ts'
import { type Reservation, reserve, reserveTogether } from '../../redis/reserve.ts'
import type { Claim, Outbox, Stock } from '../reserve/reserve.ts'
import { coalesce } from './coalesce.ts'

/** One HDEL takes this many ids at most, so that no single command holds Redis up. */
const maxAcknowledged = 100
const maxWaitMs = 4

/** So many scripts in one request; each is short, and between two of them Redis serves whoever else waits. */
const maxClaims = 32

/**
 * A stock whose claims share a request when they arrive together. An environment of Lambda serves one request
 * at a time, so there every claim travels alone; a host that serves many saves a round trip for each.
 */
export function redisStock(redis: Redis): Stock {
  const take = coalesce<Claim, Reservation>({
    maxItems: maxClaims,
    maxWaitMs: 2,
    send: async (claims) => {
      const [only, ...others] = claims
      return only !== undefined && others.length === 0
        ? [await reserve(redis, only)]
        : reserveTogether(redis, claims)
    },
  })
  return { take }
}

/** An outbox that acknowledges what was sent together with one HDEL per sale. */
export function redisOutbox(redis: Redis): Outbox {
  const bySale = new Map<SaleId, (orderId: OrderId) => Promise<void>>()
  const acknowledgeOf = (saleId: SaleId) =>
    coalesce<OrderId, void>({
      maxItems: maxAcknowledged,
      maxWaitMs,
      send: async (orderIds) => {
        await acknowledge(redis, saleId, orderIds)
        return orderIds.map(() => undefined)
      },
    })
  return {
    acknowledge(saleId, orderId) {
      const known = bySale.get(saleId) ?? acknowledgeOf(saleId)
      bySale.set(saleId, known)
      return known(orderId)
    },
  }
}
