import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOrderId, saleOfOrder } from '../../../core/ids.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { saleIdOf, shopperIdOf } from '../../redis/support.ts'

describe('an order id', () => {
  it('is the base32 of sha256 over sale, shopper and key', () => {
    const orderId = deriveOrderId(saleIdOf('phone'), shopperIdOf(7), 'key')
    const bits = [...createHash('sha256').update('phone\nshopper-7\nkey').digest()]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
    const letters = Array.from({ length: 26 }, (_, i) =>
      'abcdefghijklmnopqrstuvwxyz234567'.charAt(Number.parseInt(bits.slice(i * 5, i * 5 + 5), 2)),
    )
    expect(orderId).toBe(`phone-${letters.join('')}`)
  })

  it('is valid, names its sale, and is the same only for the same request (I5)', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 64 }), fc.string({ maxLength: 64 }), (one, other) => {
        const sale = saleIdOf('a-sale-1')
        const id = deriveOrderId(sale, shopperIdOf(1), one)
        expect(parseOrderId(id)).toBe(id)
        expect(saleOfOrder(id)).toBe(sale)
        expect(deriveOrderId(sale, shopperIdOf(1), other) === id).toBe(one === other)
        expect(deriveOrderId(sale, shopperIdOf(2), one)).not.toBe(id)
      }),
    )
  })
})
