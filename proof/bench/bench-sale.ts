/** Builds an open sale as the Redis scripts read it, and purchases with ids and tokens of realistic length. */
import { createHash } from 'node:crypto'
import { parseOrderId, parseSaleId, parseShopperId, type SaleId } from '../../core/ids.ts'
import { type Sale, saleDefinition } from '../../core/sale/sale.ts'
import type { ReserveRequest } from '../../redis/buy/reserve.ts'

const benchToken = createHash('sha256').update('bench').digest('base64url')

type Change = { stock: number; shards?: number; limitPerShopper?: number; maxPerOrder?: number }

/** Returns an open sale of goods; a shopper may have one unit unless `change` allows more. */
export function openBenchSale(saleId: SaleId, change: Change): Sale {
  const now = Date.now()
  const definition = saleDefinition.parse({
    ...{ saleId, kind: 'goods', title: 'Bench', description: 'Bench.' },
    ...{ pictures: [{ src: '/assets/bench.svg', alt: 'The product' }], price: 1, currency: 'CNY' },
    ...{ limitPerShopper: 1, maxPerOrder: 1, startsAt: now - 60_000, endsAt: now + 3_600_000 },
    ...change,
  })
  return {
    ...definition,
    ...{ windowIndex: 0, flag: 'on', epoch: 1, startToken: benchToken, version: 1 },
    ...{ warmed: true, databases: [], createdAt: now, updatedAt: now },
  }
}

/** Returns the purchase of shopper number `shopper` with order number `order`. */
export function benchPurchase(saleId: SaleId, shopper: number, order = shopper): Omit<ReserveRequest, 'quantity'> {
  return {
    orderId: benchOrderId(saleId, order),
    saleId,
    shopperId: benchShopperId(shopper),
    startToken: benchToken,
    now: Date.now(),
    requestId: `request-${String(order).padStart(8, '0').repeat(3)}`,
    byGate: true,
  }
}

export const benchSaleId = (name: string) => valid(parseSaleId(name))

export const benchShopperId = (shopper: number) => valid(parseShopperId(`shopper-${String(shopper).padStart(8, '0')}`))

/** An order id ends with 26 letters. */
function benchOrderId(saleId: SaleId, order: number) {
  const letters = String(order).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  return valid(parseOrderId(`${saleId}-${letters.padStart(26, 'q')}`))
}

function valid<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the measurement made an invalid id')
  return value
}
