/** The steps of a payment, which the simulator, the local Stripe and the fault simulation share. */
import { describe, expect, it } from 'vitest'
import {
  noRecord,
  type PaymentStep,
  paymentSteps,
  recordAfter,
} from '../../../../functions/orders/payments/payment-ledger.ts'
import { composeSimulated } from '../../../../functions/orders/payments/simulated-api.ts'
import type { PaymentRecord } from '../../../../functions/table/orders/simulated-payments.ts'
import { orderIdOf, saleIdOf } from '../../../redis/support.ts'

const now = Date.UTC(2026, 10, 22, 9)
const orderId = orderIdOf(saleIdOf('paid-sale'), 1, 1)
const paymentId = `${orderId}.1`
const wanted = { orderId, paymentId, amount: 500, currency: 'EUR', product: 'Mug', until: now, returnUrl: '/' }
const { payments: opened } = recordAfter(noRecord, paymentSteps.open(noRecord, wanted))

function openBook() {
  let record: PaymentRecord = { ...noRecord, payments: opened }
  const reported: unknown[] = []
  return {
    reported,
    take<T>(step: (record: PaymentRecord) => PaymentStep<T>): T {
      const taken = step(record)
      if (taken.payment !== undefined) record = recordAfter(record, taken)
      if (taken.report !== undefined) {
        const { type, data } = JSON.parse(composeSimulated(taken.report, now).body)
        reported.push([type, data.amount])
      }
      return taken.answer
    },
  }
}

describe('the steps of a payment', () => {
  it('report the amount that the shopper really paid, and send no more than that back', () => {
    const { take, reported } = openBook()
    const refund = (amount: number, id: string) =>
      take((record) => paymentSteps.refund(record, { ...wanted, amount }, id))
    expect(take((record) => paymentSteps.pay(record, paymentId, { paid: 501 }))).toBe(true)
    expect(refund(501, 're_1')).toBe(false)
    expect(take((record) => paymentSteps.settle(record, paymentId, 'captured'))).toBe('captured')
    expect(refund(502, 're_2')).toBe(false)
    expect([refund(501, 're_3'), refund(501, 're_3'), refund(1, 're_4')]).toEqual([true, true, false])
    expect(reported).toEqual([
      ['payment.authorised', 501],
      ['payment.succeeded', 501],
      ['refund.succeeded', 501],
    ])
  })

  it('bring money at once, which can no longer be released or withdrawn', () => {
    const { take, reported } = openBook()
    take((record) => paymentSteps.pay(record, paymentId, { atOnce: true }))
    expect(take((record) => paymentSteps.settle(record, paymentId, 'released'))).toBe('captured')
    take((record) => paymentSteps.expire(record, paymentId))
    expect(take((record) => paymentSteps.pay(record, paymentId))).toBe(false)
    expect(reported).toEqual([['payment.succeeded', 500]])
  })

  it('let a shopper pay after a decline, and not after the payment has failed for good', () => {
    const { take, reported } = openBook()
    expect(take((record) => paymentSteps.decline(record, paymentId, { ends: false }))).toBe(true)
    expect(take((record) => paymentSteps.decline(record, paymentId, { ends: true }))).toBe(true)
    expect(take((record) => paymentSteps.pay(record, paymentId))).toBe(false)
    expect(take((record) => paymentSteps.decline(record, paymentId, { ends: true }))).toBe(false)
    expect(reported).toEqual([
      ['payment.failed', 500],
      ['payment.failed', 500],
    ])
  })

  it('leave the record as it is for a payment that is unknown', () => {
    const { take, reported } = openBook()
    expect(take((record) => paymentSteps.pay(record, 'other'))).toBe(false)
    expect(take((record) => paymentSteps.settle(record, 'other', 'captured'))).toBe('released')
    expect(reported).toEqual([])
  })
})
