import { describe, expect, it } from 'vitest'
import { buyRequest } from '../../core/buy-request.ts'
import { orderMessage } from '../../core/order-message.ts'
import { parse } from '../../core/parse.ts'
import { saleDefinition, saleEdit } from '../../core/sale.ts'

const token = 'x'.repeat(43)

describe('a buy request', () => {
  it('is a quantity and a start token', () => {
    expect(parse(buyRequest, { quantity: 1, startToken: token })).toMatchObject({ ok: true })
  })

  it.each([
    ['zero', 0],
    ['a negative (S2, S5)', -3],
    ['a fraction', 1.5],
    ['a huge number', 1e99],
    ['text', '1'],
    ['NaN', Number.NaN],
    ['null', null],
    ['nothing', undefined],
    ['a list', [1]],
  ])('names quantity when it is %s', (_, quantity) => {
    expect(parse(buyRequest, { quantity, startToken: token })).toMatchObject({ ok: false, field: 'quantity' })
  })

  it.each([[''], ['short'], [7], [undefined], [`${token}!`]])(
    'names startToken when it is %s',
    (startToken) => {
      expect(parse(buyRequest, { quantity: 1, startToken })).toMatchObject({ ok: false, field: 'startToken' })
    },
  )

  it('names a field it does not know', () => {
    const answer = parse(buyRequest, { quantity: 1, startToken: token, price: 0 })
    expect(answer).toEqual({ ok: false, field: 'price', detail: 'price is not a known field' })
  })

  it.each([[null], [[]], ['{}'], [1]])('names the body when it is %s', (body) => {
    expect(parse(buyRequest, body)).toMatchObject({ ok: false, field: 'body' })
  })
})

const definition = {
  saleId: 'demo-mug',
  kind: 'goods',
  title: 'Mug',
  description: 'A mug.',
  image: '/assets/pictures/mug.svg',
  price: 10,
  currency: 'CNY',
  stock: 10,
  limitPerShopper: 2,
  maxPerOrder: 1,
  startsAt: 1000,
  endsAt: 2000,
}

describe('a sale definition', () => {
  it('gets 15 minutes to pay and five requests a minute unless it says otherwise (O8, R2)', () => {
    expect(parse(saleDefinition, definition)).toMatchObject({
      ok: true,
      value: {
        paymentWindowSeconds: 900,
        paymentGraceSeconds: 120,
        throttle: { perShopper: { limit: 5, windowSeconds: 60 } },
      },
    })
  })

  it.each([
    ['saleId', { saleId: 'Demo Mug' }],
    ['kind', { kind: 'raffle' }],
    ['title', { title: '  ' }],
    ['description', { description: 7 }],
    ['image', { image: 'javascript:alert(1)' }],
    ['price', { price: -1 }],
    ['price', { price: 0.5 }],
    ['currency', { currency: 'XXZ' }],
    ['stock', { stock: -2 }],
    ['limitPerShopper', { limitPerShopper: 0 }],
    ['maxPerOrder', { maxPerOrder: 3 }],
    ['startsAt', { startsAt: '12:00' }],
    ['endsAt', { endsAt: 1000 }],
    ['paymentWindowSeconds', { paymentWindowSeconds: 0 }],
    ['paymentGraceSeconds', { paymentGraceSeconds: -1 }],
    ['throttle.perShopper.limit', { throttle: { perShopper: { limit: 0, windowSeconds: 1 } } }],
    ['color', { color: 'red' }],
  ])('names %s for %j', (field, change) => {
    expect(parse(saleDefinition, { ...definition, ...change })).toMatchObject({ ok: false, field })
  })

  it('accepts an unlimited stock, which is -1 and nothing else (S4)', () => {
    expect(parse(saleDefinition, { ...definition, stock: -1 })).toMatchObject({ ok: true })
  })

  it('lets an edit change neither the id nor the kind', () => {
    expect(parse(saleEdit, { title: 'Cup' })).toMatchObject({ ok: true })
    expect(parse(saleEdit, { saleId: 'other' })).toMatchObject({ ok: false, field: 'saleId' })
    expect(parse(saleEdit, { kind: 'goods' })).toMatchObject({ ok: false, field: 'kind' })
  })
})

describe('an order message', () => {
  const message = {
    orderId: `demo-mug-${'a'.repeat(26)}`,
    saleId: 'demo-mug',
    shopperId: 'ann',
    quantity: 1,
    epoch: 1,
    reservedAt: 1,
    requestId: 'r',
  }

  it('survives its own JSON', () => {
    expect(parse(orderMessage, JSON.parse(JSON.stringify(message)))).toEqual({ ok: true, value: message })
  })

  it.each(Object.keys(message))('is refused without %s (O7)', (field) => {
    const { [field as keyof typeof message]: _, ...rest } = message
    expect(parse(orderMessage, rest)).toMatchObject({ ok: false, field })
  })
})
