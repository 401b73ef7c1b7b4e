import { describe, expect, it } from 'vitest'
import { orderStatuses } from '../../../core/orders/order.ts'
import { isAwaited } from '../../../core/orders/order-poll.ts'
import { isPayable, stageOf, stageShown } from '../../../core/orders/order-stage.ts'
import { orderWith, told, toldCoupons } from '../../static/orders/order.ts'

const { payBy } = told
const stage = (change: Record<string, unknown>, now = payBy - 1) => stageOf(orderWith(change), now)

describe('the stage of an order for its shopper', () => {
  it('is its status, once it does not wait for money (O8)', () => {
    for (const status of orderStatuses.filter((each) => each !== 'awaiting-payment')) {
      expect(stage({ status }, payBy + 1)).toBe(status)
    }
  })

  it('is about its payment when it was cancelled while one was in progress (O8)', () => {
    expect(stage({ status: 'cancelled', payment: 'started' }, payBy + 1)).toBe('cancelled-paying')
    for (const payment of ['failed', 'succeeded']) {
      expect(stage({ status: 'cancelled', payment }, payBy + 1)).toBe('cancelled')
    }
  })

  it('is the state of the payment while there is time for it (O8)', () => {
    expect(stage({})).toBe('to-pay')
    expect(stage({ payment: 'started' })).toBe('paying')
    expect(stage({ payment: 'failed' })).toBe('pay-again')
  })

  it('is expired at the very end of the time to pay, unless a payment is in progress (O8)', () => {
    expect(stage({}, payBy)).toBe('late')
    expect(stage({ payment: 'failed' }, payBy)).toBe('late')
    expect(stage({ payment: 'started' }, payBy)).toBe('overtime')
  })

  it('is expired coupons from the very end of their validity, and never before', () => {
    const validUntil = 901_000
    const [before, after] = [validUntil - 1, validUntil].map((now) => stageOf(orderWith(toldCoupons), now))
    expect([before, after]).toEqual(['fulfilled', 'expired'])
    expect(stageOf(orderWith({ ...toldCoupons, status: 'cancelled' }), validUntil)).toBe('cancelled')
    expect(stageOf(orderWith({ ...toldCoupons, validUntil: undefined }), 9e15)).toBe('fulfilled')
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
