import { describe, expect, it } from 'vitest'
import { buyRequest } from '../../../core/buy/requests.ts'
import { parse, readJson } from '../../../core/lib/parse.ts'
import { orderMessage } from '../../../core/orders/order-message.ts'

const token = 'x'.repeat(43)

describe('a buy request', () => {
  const purchase = { quantity: 1, startToken: token }

  it('is a quantity and a start token, and may carry a solved challenge (R5)', () => {
    for (const value of [purchase, { ...purchase, challenge: btoa('{"number":7}') }])
      expect(parse(buyRequest, value)).toEqual({ ok: true, value })
  })

  it.each<object>([
    ...[0, -3, 1.5, 1e99, 1001, '1', Number.NaN, null, true, undefined, [1], {}].map((quantity) => ({ quantity })),
    ...['', 'short', 7, undefined, null, `${token}!`].map((startToken) => ({ startToken })),
    ...['', 7, null, {}, 'a b', 'x'.repeat(1801)].map((challenge) => ({ challenge })),
    ...[{ price: 0 }, { currency: 'USD' }, { constructor: 1 }, { shopperId: 1 }],
  ])('is refused by the name of its wrong field: %j (S2, S5)', (change) => {
    const [field] = Object.keys(change)
    expect(parse(buyRequest, { ...purchase, ...change })).toMatchObject({ ok: false, field })
  })

  it('says what a wrong field must be', () => {
    const detailOf = (change: object) => {
      const read = parse(buyRequest, { ...purchase, ...change })
      return read.ok ? undefined : read.detail
    }
    expect(detailOf({ quantity: 1001 })).toBe('quantity must be a whole number from 1 to 1000')
    expect(detailOf({ challenge: 7 })).toBe('challenge is not a solved challenge')
    expect(detailOf({ price: 0 })).toBe('price is not a known field')
  })

  it('is read from JSON, as text or as bytes in UTF-8', () => {
    const json = JSON.stringify(purchase)
    for (const read of [json, new TextEncoder().encode(json)])
      expect(readJson(buyRequest, read)).toEqual({ ok: true, value: purchase })
    for (const broken of ['', '{', 'NaN', '\u0000', '{"quantity":NaN}', '\ufeff{"quantity":1'])
      expect(readJson(buyRequest, broken)).toEqual({ ok: false, field: 'body', detail: 'body must be JSON' })
    const notText = { ok: false, field: 'body', detail: 'body must be UTF-8' }
    expect(readJson(buyRequest, Uint8Array.of(0xff, 0xfe))).toEqual(notText)
  })

  it('reads no field from a prototype', () => {
    const text = `{"quantity":1,"startToken":"${token}","__proto__":{"challenge":"x"}}`
    expect(readJson(buyRequest, text)).toMatchObject({ ok: false, field: '__proto__' })
    expect(parse(buyRequest, JSON.parse('{"__proto__":{}}'))).toMatchObject({ ok: false, field: 'quantity' })
  })

  it.each([[null], [[]], ['{}'], [1]])('names the body when it is %s', (body) => {
    expect(parse(buyRequest, body)).toMatchObject({ ok: false, field: 'body' })
  })
})

describe('an order message', () => {
  const message = {
    orderId: `demo-mug-${'a'.repeat(26)}`,
    saleId: 'demo-mug',
    shopperId: 'ann',
    quantity: 1,
    reservedAt: 1,
    requestId: 'r',
  }

  it.each(Object.keys(message))('is refused without %s (O7)', (field) => {
    const { [field as keyof typeof message]: _, ...rest } = message
    expect(parse(orderMessage, rest)).toMatchObject({ ok: false, field })
  })
})
