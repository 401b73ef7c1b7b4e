import { describe, expect, it } from 'vitest'
import { orderStatuses } from '../../../core/orders/order.ts'
import { isAwaited } from '../../../core/orders/order-poll.ts'
import { isPayable, stageOf, stageShown } from '../../../core/orders/order-stage.ts'
import { couponOrderJson, orderJson, orderWith } from '../../static/orders/order.ts'

const { payBy } = orderJson
const stage = (change: Record<string, unknown>, now = payBy - 1) => stageOf(orderWith(change), now)

describe('the stage of an order for its shopper', () => {
  it('is its status, once it does not wait for money (O8)', () => {
    for (const status of orderStatuses.filter((each) => each !== 'awaiting-payment')) {
      expect(stage({ status }, payBy + 1)).toBe(status)
    }
  })

  const cancelled = (payment: string) => ({ status: 'cancelled', payment })
  const coupons = { ...couponOrderJson, validUntil: 901_000 }
  it.each([
    ['cancelled-paying', 'cancelled while a payment was in progress (O8)', cancelled('started'), payBy + 1],
    ['cancelled', 'cancelled after a payment that failed (O8)', cancelled('failed'), payBy + 1],
    ['cancelled', 'cancelled after its payment (O8)', cancelled('succeeded'), payBy + 1],
    ['to-pay', 'in its time to pay (O8)', {}, payBy - 1],
    ['paying', 'being paid (O8)', { payment: 'started' }, payBy - 1],
    ['pay-again', 'in its time to pay after a payment that failed (O8)', { payment: 'failed' }, payBy - 1],
    ['late', 'at the very end of its time to pay (O8)', {}, payBy],
    ['late', 'at that end after a payment that failed (O8)', { payment: 'failed' }, payBy],
    ['overtime', 'at that end while it is paid (O8)', { payment: 'started' }, payBy],
    ['fulfilled', 'with coupons that are valid', coupons, 900_999],
    ['expired', 'with coupons at the very end of their validity', coupons, 901_000],
    ['cancelled', 'with coupons, which was cancelled', { ...coupons, status: 'cancelled' }, 901_000],
    ['fulfilled', 'with coupons that never expire', { ...coupons, validUntil: undefined }, 9e15],
  ])('is %s for an order %s', (expected, _, change, now) => {
    expect(stage(change, now)).toBe(expected)
  })

  it('is that of a payment that is checked, without a way to pay or cancel, for a shopper who comes back from it (O8)', () => {
    for (const reached of ['paying', 'overtime'] as const) {
      expect(stageShown(reached, true)).toBe('checking')
      expect(stageShown(reached, false)).toBe(reached)
    }
    for (const known of ['paid', 'pay-again', 'to-pay', 'cancelled-paying'] as const) {
      expect(stageShown(known, true)).toBe(known)
    }
    expect(isPayable('checking')).toBe(false)
    expect(isAwaited('checking')).toBe(true)
  })

  it('offers to pay and to cancel only what can still be paid', () => {
    const stages = [
      ...(['to-pay', 'paying', 'overtime', 'pay-again', 'late', 'expired', 'cancelled-paying'] as const),
      ...orderStatuses,
    ]
    const payable = stages.filter((each) => each !== 'awaiting-payment' && isPayable(each))
    expect(payable).toEqual(['to-pay', 'paying', 'overtime', 'pay-again'])
  })
})
