/** An order that a marketer makes for a shopper (N1). */
import { describe, expect, it } from 'vitest'
import { readOrderLine, wrongKey } from '../../../../static/client/console/orders/reserve-line.ts'

const read = (units: Record<string, string>, hasVariants: boolean, shopperId = ' ann ') =>
  readOrderLine({ shopperId, units }, hasVariants)

describe('an order by hand', () => {
  it('has a quantity, or units of variants in a sale that has some', () => {
    expect(read({ quantity: ' 2 ' }, false)).toEqual({ ok: true, line: { shopperId: 'ann', quantity: 2 } })
    const line = { shopperId: 'ann', basket: { s: 2, l: 1 } }
    expect(read({ s: '2', m: '', l: '1' }, true)).toEqual({ ok: true, line })
  })

  it('has the currency that is chosen in a sale with several prices', () => {
    const typed = { shopperId: 'ann', units: { quantity: '1' }, currency: 'USD' }
    const line = { shopperId: 'ann', quantity: 1, currency: 'USD' }
    expect(readOrderLine(typed, false)).toEqual({ ok: true, line })
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

  it.each([
    ['lines.0.shopperId', 'reserve.noShopper'],
    ['lines.0.quantity', 'reserve.wrong.quantity'],
    ['basket', 'reserve.wrong.basket'],
    ['currency', 'reserve.wrong.currency'],
    ['lines.0.key', undefined],
    [undefined, undefined],
  ])('that the shop refuses names the field %s in words', (field, key) => {
    expect(wrongKey(field)).toBe(key)
  })
})
