import { describe, expect, it } from 'vitest'
import { newOrder, rejectedOrder, toRejected } from '../../../functions/orders/new-order.ts'
import { countedCoupons } from '../../../proof/simulation/parts/coupons.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../redis/support.ts'

const sale = aSale({ price: 250, paymentWindowSeconds: 60 })
const reservation = {
  orderId: orderIdOf(sale.saleId, 1, 1),
  saleId: sale.saleId,
  shopperId: shopperIdOf(1),
  quantity: 2,
  reservedAt: 5_000,
}
const reserved = { at: 5_000, what: 'reserved', status: 'reserved' }

describe('a rejected order', () => {
  it.each([250, 0])('has no earlier status, at a price of %d', (price) => {
    expect(rejectedOrder(reservation, { ...sale, price }, 'undeliverable', 6_000)).toMatchObject({
      status: 'rejected',
      reason: 'undeliverable',
      history: [reserved, { at: 6_000, what: 'rejected', status: 'rejected' }],
    })
  })

  it('has no coupon code, whether it was created or became rejected', () => {
    const coupons = { ...sale, kind: 'coupon', price: 0 } as const
    const written = newOrder(reservation, coupons, 6_000, countedCoupons())
    for (const order of [
      rejectedOrder(reservation, coupons, 'undeliverable', 6_000),
      toRejected(written, 'over-cap'),
    ]) {
      expect(order.status).toBe('rejected')
      expect(order).not.toHaveProperty('coupons')
    }
  })
})
