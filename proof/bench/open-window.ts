/** An open sale as reserve.lua reads it, and requests whose ids, token and request id are as long as in a sale. */
import { createHash } from 'node:crypto'
import { parseOrderId, parseShopperId, type SaleId } from '../../core/ids.ts'
import { defaultThrottle } from '../../core/sale/sale.ts'
import type { Purchase } from '../../redis/buy/reserve.ts'
import { stockDefinition } from '../../redis/stock/stock-definition.ts'

const benchToken = createHash('sha256').update('bench').digest('base64url')
export const benchNow = 1_790_000_000_000

/** The fields of the hash of a stock of goods with that limit per shopper and order, beside its counters. */
export function openGoods(limit: number): string[] {
  const definition = stockDefinition({
    kind: 'goods',
    flag: 'on',
    epoch: 1,
    startToken: benchToken,
    startsAt: benchNow - 1,
    endsAt: benchNow + 1,
    version: 1,
    windows: [],
    windowIndex: 0,
    maxPerOrder: limit,
    limitPerShopper: limit,
    throttle: defaultThrottle,
  })
  return ['stockRevision', '0', ...Object.entries(definition).flat()]
}

/** A purchase of shopper number `shopper`, with an order id that ends with 26 `letters`. */
export function benchPurchase(saleId: SaleId, shopper: number, letters: string): Omit<Purchase, 'quantity'> {
  return {
    orderId: made(parseOrderId(`${saleId}-${letters}`)),
    saleId,
    shopperId: benchShopper(shopper),
    startToken: benchToken,
    now: benchNow,
    requestId: `request-${String(shopper).padStart(8, '0').repeat(3)}`,
    byGate: true,
  }
}

const benchShopper = (shopper: number) => made(parseShopperId(`shopper-${String(shopper).padStart(8, '0')}`))

export function made<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the measurement made an invalid id')
  return value
}
