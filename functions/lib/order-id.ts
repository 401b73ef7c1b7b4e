/**
 * Derives an order id from sale, shopper and idempotency key, so a retry after a lost reply finds the same reservation
 * (I5). The id starts with the sale's id, so an order can be found before it is written.
 */
import { hash } from 'node:crypto'
import { type OrderId, orderIdLetters, parseOrderId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { base32 } from '../../core/lib/base32.ts'

const idLength = 26

/** Returns `<saleId>-` and 130 bits of SHA-256 over sale, shopper and `key`, in RFC 4648 base32, lower case. */
export function deriveOrderId(saleId: SaleId, shopperId: ShopperId, key: string): OrderId {
  const digest = hash('sha256', `${saleId}\n${shopperId}\n${key}`, 'buffer')
  const orderId = parseOrderId(`${saleId}-${base32(digest, idLength, orderIdLetters)}`)
  if (orderId === undefined) throw new Error('a derived order id must be a valid one')
  return orderId
}
