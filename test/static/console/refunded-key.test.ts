import { describe, expect, it } from 'vitest'
import { orderStatuses } from '../../../core/order.ts'
import { refundedKey } from '../../../static/client/console/refunded-key.ts'

describe('the words for a refund', () => {
  it('tell money on its way from an order that had none (O9)', () => {
    const words = Object.fromEntries(orderStatuses.map((status) => [status, refundedKey(status)]))
    expect(words).toMatchObject({
      cancelled: 'refund.cancelled',
      'refund-due': 'refund.due',
      refunded: 'refund.done',
      shipped: 'refund.due',
      delivered: 'refund.due',
    })
  })
})
