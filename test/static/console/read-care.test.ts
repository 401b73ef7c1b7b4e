import { describe, expect, it } from 'vitest'
import { orderStatuses } from '../../../core/order.ts'
import {
  readChecked,
  readRecovered,
  readRedriven,
  readRefunded,
  refundedKey,
} from '../../../static/client/console/read-care.ts'

describe('what a repair answers', () => {
  it('is the difference that was found, or that nobody can tell', () => {
    expect(readChecked({ state: 'in-step', drift: 3, released: 1 })).toEqual({ drift: 3 })
    expect(readChecked({ state: 'in-step', drift: null })).toEqual({ drift: null })
    expect(readChecked('done')).toBeUndefined()
  })

  it('is numbers, all of them or none', () => {
    expect(readRecovered({ sale: {}, orders: 4, units: 7 })).toEqual({ orders: 4, units: 7 })
    expect(readRecovered({ orders: 4 })).toBeUndefined()
    expect(readRedriven({ moved: 2, left: 0 })).toEqual({ moved: 2, left: 0 })
    expect(readRedriven({ moved: '2', left: 0 })).toBeUndefined()
  })
})

describe('the words for a refund', () => {
  it('tell money on its way from an order that had none (O9)', () => {
    const words = Object.fromEntries(orderStatuses.map((status) => [status, refundedKey(status)]))
    expect(words).toMatchObject({
      cancelled: 'refund.cancelled',
      'refund-due': 'refund.due',
      refunded: 'refund.done',
    })
  })

  it('need a status that is one', () => {
    expect(readRefunded({ orderId: 'x', status: 'refund-due', refund: null })).toEqual({
      status: 'refund-due',
    })
    expect(readRefunded({ status: 'gone' })).toBeUndefined()
  })
})
