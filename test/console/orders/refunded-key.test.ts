import { describe, expect, it } from 'vitest'
import { canShip } from '../../../console/orders/ship-form.tsx'
import { refundedKey } from '../../../console/sale/effects.ts'
import { orderStatuses } from '../../../core/orders/order.ts'
import { orderNumberOf } from '../../../core/orders/order-number.ts'

const refund = { paymentId: 'pay-1', amount: 980, currency: 'EUR' }
const keysAfter = (sent: typeof refund | null) =>
  Object.fromEntries(orderStatuses.map((status) => [status, refundedKey({ status, refund: sent })]))

describe('the words for a refund', () => {
  it('tell money on its way from an order that had none (O9)', () => {
    expect(keysAfter(refund)).toMatchObject({
      cancelled: 'refund.cancelled',
      'refund-due': 'refund.due',
      refunded: 'refund.done',
      shipped: 'refund.due',
      delivered: 'refund.due',
    })
  })

  it('announce no second refund of a shipped order (I5)', () => {
    expect(keysAfter(null)).toMatchObject({ shipped: 'refund.already', delivered: 'refund.already' })
  })
})

it('the form of a shipment is there for goods that may be sent, and to correct one that was', () => {
  const isOffered = (state?: 'open' | 'won' | 'lost', order = {}) =>
    orderStatuses.filter((status) =>
      canShip({ status, orderNumber: orderNumberOf(1), ...(state && { dispute: { state } }), ...order }),
    )
  for (const state of [undefined, 'won'] as const) expect(isOffered(state)).toEqual(['paid', 'fulfilled', 'shipped'])
  for (const state of ['open', 'lost'] as const) expect(isOffered(state)).toEqual(['shipped'])
  expect(isOffered(undefined, { orderNumber: undefined })).toEqual([])
})
