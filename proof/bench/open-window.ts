/** An open sale as its scripts read it, and requests whose ids, token and request id are as long as in a sale. */
import { createHash } from 'node:crypto'
import { parseOrderId, parseShopperId, type SaleId } from '../../core/ids.ts'
import { defaultThrottle } from '../../core/sale/sale.ts'
import type { Purchase } from '../../redis/buy/reserve.ts'
import { type OpenWindow, packTries, packWindow, unpackWindow } from '../../redis/stock/packed-window.ts'

const benchToken = createHash('sha256').update('bench').digest('base64url')
export const benchNow = 1_790_000_000_000

const opening: OpenWindow = {
  kind: 'goods',
  flag: 'on',
  epoch: 1,
  startToken: benchToken,
  startsAt: benchNow - 1,
  endsAt: benchNow + 1,
  version: 1,
  windows: [],
  windowIndex: 0,
}

/** What reserve.lua and its caller know of a sale of goods with that limit per shopper and order. */
export function openGoods(limit: number) {
  const packedWindow = `${packWindow(opening)} ${limit} ${limit} ${packTries(defaultThrottle.perShopper)}`
  const tag = 'facts-of-bench'
  return {
    /** The fields of the stock's hash beside its counters. */
    fields: ['stockRevision', '0', 'packedWindow', packedWindow, 'tag', tag],
    known: { tag, total: 0, stockRevision: 0, window: made(unpackWindow(packedWindow)) },
  }
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
  }
}

const benchShopper = (shopper: number) => made(parseShopperId(`shopper-${String(shopper).padStart(8, '0')}`))

export function made<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the measurement made an invalid id or window')
  return value
}
