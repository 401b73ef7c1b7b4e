import { describe, expect, it } from 'vitest'
import { newOrder, rejectedOrder, toRejected } from '../../../functions/orders/new-order.ts'
import { countedCoupons, couponCodeOf, noCoupons } from '../../../proof/simulation/parts/coupons.ts'
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

describe('a new order', () => {
  it('awaits its payment, whose time begins when the order is written, not while it is queued (O8)', () => {
    expect(newOrder(reservation, sale, 90_000, noCoupons)).toEqual({
      ...reservation,
      amount: 500,
      currency: 'CNY',
      status: 'awaiting-payment',
      writtenAt: 90_000,
      payBy: 150_000,
      cancelAt: 150_000,
      history: [reserved, { at: 90_000, what: 'written', status: 'awaiting-payment' }],
    })
  })

  it('that is free is fulfilled', () => {
    expect(newOrder(reservation, { ...sale, price: 0 }, 6_000, noCoupons)).toMatchObject({
      status: 'fulfilled',
      amount: 0,
      history: [reserved, { at: 6_000, what: 'written', status: 'fulfilled' }],
    })
  })

  it.each([250, 0])('that is rejected has no earlier status, at a price of %d', (price) => {
    expect(rejectedOrder(reservation, { ...sale, price }, 'undeliverable', 6_000)).toMatchObject({
      status: 'rejected',
      reason: 'undeliverable',
      history: [reserved, { at: 6_000, what: 'rejected', status: 'rejected' }],
    })
  })

  it('rejects an amount that is not exact', () => {
    const priceless = { ...sale, price: Number.MAX_SAFE_INTEGER }
    expect(() => newOrder(reservation, priceless, 6_000, noCoupons)).toThrow(RangeError)
  })
})

describe('a new order of coupons', () => {
  const coupons = { ...sale, kind: 'coupon', price: 0 } as const

  it('is fulfilled with a code for each unit (S7)', () => {
    const order = newOrder(reservation, coupons, 6_000, countedCoupons())
    expect(order).toMatchObject({ status: 'fulfilled', amount: 0, quantity: 2 })
    expect(order.coupons).toEqual([couponCodeOf(1), couponCodeOf(2)])
  })

  it('that is rejected has no code, whether it was created or became rejected', () => {
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
