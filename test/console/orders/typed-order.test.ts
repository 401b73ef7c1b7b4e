/** An order that a marketer makes for a shopper (N1). */
import { describe, expect, it } from 'vitest'
import { readTypedOrder } from '../../../console/orders/reserve-panel.tsx'

describe('an order by hand', () => {
  it('has a quantity, and in a sale with variants the one that is chosen', () => {
    const typed = { shopperId: '\u202aann\ufe0f ', quantity: ' 2 ', variant: undefined }
    expect(readTypedOrder(typed)).toEqual({ ok: true, order: { shopperId: 'ann', quantity: 2 } })
    const order = { shopperId: 'ann', quantity: 2, variant: 's' }
    expect(readTypedOrder({ ...typed, variant: 's' })).toEqual({ ok: true, order })
  })

  it.each([
    ['', '1', 'shopperId'],
    ['ann', '', 'quantity'],
    ['ann', '0', 'quantity'],
    ['ann', 'x', 'quantity'],
    ['ann', '1001', 'quantity'],
  ])('of %j for %j units is refused at its %s', (shopperId, quantity, wrong) => {
    expect(readTypedOrder({ shopperId, quantity, variant: 's' })).toEqual({ ok: false, wrong })
  })
})
