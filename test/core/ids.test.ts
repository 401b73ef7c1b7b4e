import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIdempotencyKey, parseOrderId, parseSaleId, parseShopperId, saleOfOrder } from '../../core/ids.ts'

describe('ids', () => {
  it.each(['mug', 'demo-mug', 'a1b', 'x'.repeat(40)])('accepts %s as a sale id', (id) => {
    expect(parseSaleId(id)).toBe(id)
  })

  it.each(['', 'ab', 'Mug', '-mug', 'mug-', 'a b', 'a/b', 'a..b', '{mug}', 'x'.repeat(41), 7, null, undefined])(
    'refuses %s as a sale id',
    (id) => {
      expect(parseSaleId(id)).toBeUndefined()
    },
  )

  it.each(['.', '..', '', 'a b', 'x'.repeat(129)])('refuses %s as a shopper id', (id) => {
    expect(parseShopperId(id)).toBeUndefined()
  })

  it.each(['ann', '...', '.ann', 'a.n|n@x.org:1+2-_'])('accepts %s as a shopper id', (id) => {
    expect(parseShopperId(id)).toBe(id)
  })

  it('allows no brace, space or equals sign into a Redis key or list (P6)', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const id of [parseSaleId(text), parseShopperId(text), parseOrderId(text), parseIdempotencyKey(text)]) {
          if (id !== undefined) expect(id).not.toMatch(/[{}\s=#/]/)
        }
      }),
    )
  })

  it('finds the sale in an order id, with any hyphens', () => {
    const orderId = parseOrderId(`demo-mug-2-${'a'.repeat(26)}`)
    expect(orderId && saleOfOrder(orderId)).toBe('demo-mug-2')
  })

  it.each([`-${'a'.repeat(26)}`, `mug-${'a'.repeat(25)}`, `mug-${'A'.repeat(26)}`, 'mug'])(
    'refuses %s as an order id',
    (id) => {
      expect(parseOrderId(id)).toBeUndefined()
    },
  )
})
