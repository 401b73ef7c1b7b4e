/** Tests the cost of an order, exact to the minor unit. */
import { describe, expect, it } from 'vitest'
import { deliveryCostOf, orderBillOf } from '../../../core/orders/bill.ts'

const waiting = { amount: 3980, status: 'awaiting-payment' } as const

describe('the cost of delivery', () => {
  const delivery = { countries: ['DE', 'CH'], costs: { DE: 490, CH: 1200 }, freeAbove: 5000 }

  it('is that of the country, and unknown without one', () => {
    expect([
      deliveryCostOf(4999, delivery, 'DE'),
      deliveryCostOf(4999, delivery, 'CH'),
      deliveryCostOf(4999, delivery, undefined),
    ]).toEqual([490, 1200, null])
  })

  it('is nothing from the amount on that is delivered free, and where the sale charges nothing', () => {
    expect([
      deliveryCostOf(5000, delivery, undefined),
      deliveryCostOf(1, { countries: ['DE'] }, 'DE'),
      deliveryCostOf(1, undefined, undefined),
    ]).toEqual([0, 0, 0])
  })
})

describe('a bill', () => {
  const delivery = { countries: ['DE', 'CH'], costs: { DE: 490, CH: 1200 } }

  it('is there only where the sale charges for delivery, and something is paid', () => {
    expect(orderBillOf(waiting, {}, 'DE')).toBeUndefined()
    expect(orderBillOf(waiting, { delivery: { countries: ['DE'] } }, 'DE')).toBeUndefined()
    expect(orderBillOf({ ...waiting, amount: 0 }, { delivery }, 'DE')).toBeUndefined()
  })

  it('follows the country until a payment is started, and keeps then what is paid', () => {
    const all = { delivery }
    expect(orderBillOf(waiting, all, undefined)).toMatchObject({ delivery: null, total: 3980 })
    expect(orderBillOf(waiting, all, 'CH')).toEqual({ goods: 3980, delivery: 1200, total: 5180 })
    const payment = { paymentId: 'x.1', attempt: 1, startedAt: 1, state: 'started' } as const
    const started = { ...waiting, amount: 4470, deliveryCost: 490, payment }
    expect(orderBillOf(started, all, 'CH')).toMatchObject({ goods: 3980, delivery: 490, total: 4470 })
    const failed = { ...started, payment: { ...payment, state: 'failed' as const } }
    expect(orderBillOf(failed, all, 'CH')).toMatchObject({ goods: 3980, delivery: 1200, total: 5180 })
  })
})
