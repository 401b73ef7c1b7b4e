/** An order that a marketer makes for a shopper (N1). */
import { describe, expect, it } from 'vitest'
import { readTypedOrder } from '../../../../static/client/console/orders/typed-order.ts'

const read = (units: Record<string, string>, hasVariants: boolean, shopperId = ' ann ') =>
  readTypedOrder({ shopperId, units }, hasVariants)

describe('an order by hand', () => {
  it('has a quantity, or units of variants in a sale that has some', () => {
    expect(read({ quantity: ' 2 ' }, false)).toEqual({ ok: true, order: { shopperId: 'ann', quantity: 2 } })
    const order = { shopperId: 'ann', basket: { s: 2, l: 1 } }
    expect(read({ s: '2', m: '', l: '1' }, true)).toEqual({ ok: true, order })
  })

  it.each([
    [{ quantity: '1' }, false, '', 'shopperId'],
    [{ quantity: '' }, false, 'ann', 'quantity'],
    [{ quantity: '1001' }, false, 'ann', 'quantity'],
    [{ s: '', m: '' }, true, 'ann', 's'],
    [{ s: '1', m: 'x' }, true, 'ann', 'm'],
    [{ s: '1', m: '-1' }, true, 'ann', 'm'],
  ])('is refused at its input: %j', (units, hasVariants, shopperId, wrong) => {
    expect(read({ ...units }, hasVariants, shopperId)).toEqual({ ok: false, wrong })
  })
})
