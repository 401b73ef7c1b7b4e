import { describe, expect, it } from 'vitest'
import { parseBuyRequest, readBuyRequest } from '../../core/buy-request.ts'
import { orderMessage } from '../../core/order-message.ts'
import { parse } from '../../core/parse.ts'
import { defaultThrottle, saleDefinition, saleEdit } from '../../core/sale.ts'

const token = 'x'.repeat(43)

describe('a buy request', () => {
  it('is a quantity and a start token', () => {
    expect(parseBuyRequest({ quantity: 1, startToken: token })).toMatchObject({ ok: true })
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
    expect(parseBuyRequest({ quantity, startToken: token })).toMatchObject({ ok: false, field: 'quantity' })
  })

  it.each([[''], ['short'], [7], [undefined], [`${token}!`]])(
    'names startToken when it is %s',
    (startToken) => {
      expect(parseBuyRequest({ quantity: 1, startToken })).toMatchObject({ ok: false, field: 'startToken' })
    },
  )

  it('may carry a solved challenge, and has none unless it does (R5)', () => {
    const purchase = { quantity: 1, startToken: token }
    const solved = { ...purchase, challenge: btoa('{"number":7}') }
    expect(parseBuyRequest(solved)).toEqual({ ok: true, value: solved })
    expect(parseBuyRequest(purchase)).toEqual({ ok: true, value: purchase })
  })

  it.each([[''], [7], [null], [{}], ['a b'], ['x'.repeat(1801)]])(
    'names challenge when it is %j',
    (challenge) => {
      const answer = parseBuyRequest({ quantity: 1, startToken: token, challenge })
      expect(answer).toEqual({ ok: false, field: 'challenge', detail: 'challenge is not a solved challenge' })
    },
  )

  it.each([0, 1001, '1'])('says what a quantity of %j must be', (quantity) => {
    const answer = parseBuyRequest({ quantity, startToken: token })
    expect(answer).toMatchObject({ detail: 'quantity must be a whole number from 1 to 1000' })
  })

  it('is read from JSON, as text or as bytes in UTF-8', () => {
    const json = JSON.stringify({ quantity: 2, startToken: token })
    const purchase = { ok: true, value: { quantity: 2, startToken: token } }
    expect(readBuyRequest(json)).toEqual(purchase)
    expect(readBuyRequest(new TextEncoder().encode(json))).toEqual(purchase)
    for (const broken of ['', '{', Uint8Array.of(0xff, 0xfe)]) {
      expect(readBuyRequest(broken)).toEqual({ ok: false, field: 'body', detail: 'body must be JSON' })
    }
  })

  it('reads no field from a prototype', () => {
    const text = `{"quantity":1,"startToken":"${token}","__proto__":{"challenge":"x"}}`
    expect(readBuyRequest(text)).toMatchObject({ ok: false, field: '__proto__' })
    expect(parseBuyRequest(JSON.parse('{"__proto__":{}}'))).toMatchObject({ ok: false, field: 'quantity' })
  })

  it('names an unknown field', () => {
    const answer = parseBuyRequest({ quantity: 1, startToken: token, price: 0 })
    expect(answer).toEqual({ ok: false, field: 'price', detail: 'price is not a known field' })
  })

  it.each([[null], [[]], ['{}'], [1]])('names the body when it is %s', (body) => {
    expect(parseBuyRequest(body)).toMatchObject({ ok: false, field: 'body' })
  })
})

const definition = {
  saleId: 'demo-mug',
  kind: 'goods',
  title: 'Mug',
  description: 'A mug.',
  pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
  price: 10,
  currency: 'CNY',
  stock: 10,
  limitPerShopper: 2,
  maxPerOrder: 1,
  startsAt: 1000,
  endsAt: 2000,
}

describe('a sale definition', () => {
  it('has 15 minutes to pay and five requests a minute by default (O8, R2)', () => {
    expect(parse(saleDefinition, definition)).toMatchObject({
      ok: true,
      value: {
        paymentWindowSeconds: 900,
        paymentGraceSeconds: 120,
        throttle: { perShopper: { limit: 5, windowSeconds: 60 } },
      },
    })
  })

  it('admits a fifth more than there is, every level, without a challenge and in one window by default (G5, R5, R6, R7)', () => {
    expect(parse(saleDefinition, definition)).toMatchObject({
      ok: true,
      value: {
        admissionRatio: 1.2,
        minLevel: 0,
        challenge: 'off',
        requirePass: 'on',
        spreadSeconds: 0,
        throttle: defaultThrottle,
        windows: [],
      },
    })
  })

  it('keeps the throttles that it does not name (R2, R3, R4)', () => {
    const perIp = { limit: 9, windowSeconds: 1 }
    expect(parse(saleDefinition, { ...definition, throttle: { perIp } })).toMatchObject({
      ok: true,
      value: { throttle: { ...defaultThrottle, perIp } },
    })
  })

  it.each([1, 1.2, 1.001, 1.005, 2.675, 100])('accepts %f admissions for a unit (G5)', (admissionRatio) => {
    expect(parse(saleDefinition, { ...definition, admissionRatio })).toMatchObject({
      ok: true,
      value: { admissionRatio },
    })
  })

  it.each([
    ['saleId', { saleId: 'Demo Mug' }],
    ['kind', { kind: 'raffle' }],
    ['title', { title: '  ' }],
    ['description', { description: 7 }],
    ['pictures.0.src', { pictures: [{ src: 'javascript:alert(1)', alt: 'The product' }] }],
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
    ['throttle.perShopper.limit', { throttle: { perShopper: { limit: 1001, windowSeconds: 1 } } }],
    ['throttle.perShopper.windowSeconds', { throttle: { perShopper: { limit: 1 } } }],
    ['throttle.perIp.windowSeconds', { throttle: { perIp: { limit: 1, windowSeconds: 3601 } } }],
    ['throttle.perIp.limit', { throttle: { perIp: { limit: 1.5, windowSeconds: 1 } } }],
    ['throttle.perSale', { throttle: { perSale: { limit: 2000, windowSeconds: 1 } } }],
    ['admitPerSecond', { admitPerSecond: 0 }],
    ['admitPerSecond', { admitPerSecond: 1.5 }],
    ['admitPerSecond', { admitPerSecond: 1_000_001 }],
    ['throttle.perCountry', { throttle: { perCountry: { limit: 1, windowSeconds: 1 } } }],
    ['admissionRatio', { admissionRatio: 0.999 }],
    ['admissionRatio', { admissionRatio: 100.001 }],
    ['admissionRatio', { admissionRatio: 1.2345 }],
    ['admissionRatio', { admissionRatio: '1.2' }],
    ['admissionRatio', { admissionRatio: Number.NaN }],
    ['minLevel', { minLevel: -1 }],
    ['minLevel', { minLevel: 2.5 }],
    ['challenge', { challenge: true }],
    ['challenge', { challenge: 'captcha' }],
    ['color', { color: 'red' }],
    ['flag', { flag: 'on' }],
    ['stock', { stock: 1e99 }],
    ['stock', { stock: '10' }],
    ['currency', { currency: 'cny' }],
    ['saleId', { saleId: 'x{y}' }],
    ['title', { title: undefined }],
    ['endsAt', { endsAt: 0 }],
    ['windows', { windows: 'all day' }],
    ['paymentGraceSeconds', { paymentGraceSeconds: 3601 }],
    ['throttle.perPlanet', { throttle: { perPlanet: { limit: 5, windowSeconds: 60 } } }],
  ])('names %s for %j', (field, change) => {
    expect(parse(saleDefinition, { ...definition, ...change })).toMatchObject({ ok: false, field })
  })

  it('accepts an unlimited stock, which is -1 and nothing else (S4)', () => {
    expect(parse(saleDefinition, { ...definition, stock: -1 })).toMatchObject({ ok: true })
  })

  it('lets an edit name one throttle, and adds nothing to it (R2, R3, R4)', () => {
    const throttle = { perIp: { limit: 9, windowSeconds: 1 } }
    expect(parse(saleEdit, { throttle })).toEqual({ ok: true, value: { throttle } })
    expect(parse(saleEdit, {})).toEqual({ ok: true, value: {} })
    const half = { perIp: { limit: 9 } }
    expect(parse(saleEdit, { throttle: half })).toMatchObject({
      ok: false,
      field: 'throttle.perIp.windowSeconds',
    })
  })

  it('lets an edit change neither the id nor the kind', () => {
    expect(parse(saleEdit, { title: 'Cup' })).toMatchObject({ ok: true })
    expect(parse(saleEdit, { saleId: 'other' })).toMatchObject({ ok: false, field: 'saleId' })
    expect(parse(saleEdit, { kind: 'goods' })).toMatchObject({ ok: false, field: 'kind' })
  })
})

describe('early access of a sale (R6)', () => {
  const { startsAt } = definition
  const long = { ...definition, endsAt: startsAt + 600_001 }

  it.each([
    { minutes: 10, minLevel: 3 },
    { minutes: 10, list: 'on' },
    { minutes: 1, minLevel: 1, list: 'on' },
  ])('may be %j', (earlyAccess) => {
    const value = { ...long, earlyAccess }
    expect(parse(saleDefinition, value)).toMatchObject({ ok: true, value })
    const coupon = { ...value, kind: 'coupon', price: 0 }
    expect(parse(saleDefinition, coupon)).toMatchObject({ ok: true })
  })

  it.each([
    ['earlyAccess.minLevel', { minutes: 10 }],
    ['earlyAccess.minutes', { minLevel: 3 }],
    ['earlyAccess.minutes', { minutes: 0, minLevel: 3 }],
    ['earlyAccess.minutes', { minutes: 1.5, minLevel: 3 }],
    ['earlyAccess.minutes', { minutes: 1441, minLevel: 3 }],
    ['earlyAccess.minutes', { minutes: 11, minLevel: 3 }],
    ['earlyAccess.minLevel', { minutes: 10, minLevel: 0 }],
    ['earlyAccess.list', { minutes: 10, list: true }],
    ['earlyAccess.until', { minutes: 10, minLevel: 3, until: 1 }],
    ['earlyAccess', true],
  ])('is refused, naming %s, for %j', (field, earlyAccess) => {
    expect(parse(saleDefinition, { ...long, earlyAccess })).toMatchObject({ ok: false, field })
  })

  it('ends before every window does (R7)', () => {
    const windows = [
      { startsAt, endsAt: startsAt + 900_000, stock: 4 },
      { startsAt: startsAt + 900_000, endsAt: startsAt + 1_500_000, stock: 6 },
    ]
    const { stock, endsAt, ...rest } = definition
    const withMinutes = (minutes: number) =>
      parse(saleDefinition, { ...rest, windows, earlyAccess: { minutes, minLevel: 3 } })
    expect(withMinutes(9)).toMatchObject({ ok: true })
    expect(withMinutes(10)).toMatchObject({ ok: false, field: 'earlyAccess.minutes' })
  })

  it('is not for red packets, which rain for all at once', () => {
    const { price, stock, limitPerShopper, maxPerOrder, ...others } = long
    const packets = { count: 5, totalAmount: 100 }
    const rain = { ...others, kind: 'red-packet', packets }
    expect(parse(saleDefinition, rain)).toMatchObject({ ok: true })
    const early = { ...rain, earlyAccess: { minutes: 5, minLevel: 1 } }
    expect(parse(saleDefinition, early)).toMatchObject({ ok: false, field: 'earlyAccess' })
  })

  it('is removed by an edit that sets it to null', () => {
    expect(parse(saleEdit, { earlyAccess: null })).toEqual({ ok: true, value: { earlyAccess: null } })
  })
})

describe('the windows of a sale (R7)', () => {
  const windows = [
    { startsAt: 1000, endsAt: 2000, stock: 4 },
    { startsAt: 2000, endsAt: 3000, stock: 6 },
  ]
  const { startsAt, endsAt, stock, ...rest } = definition

  it('say when it starts, when it ends and with how many units', () => {
    expect(parse(saleDefinition, { ...rest, windows })).toMatchObject({
      ok: true,
      value: { startsAt: 1000, endsAt: 2000, stock: 4, windows },
    })
  })

  it('are overridden by the definition’s own fields, as in a later window', () => {
    const second = { ...definition, startsAt: 2000, endsAt: 3000, stock: 10, windows }
    expect(parse(saleDefinition, second)).toMatchObject({ ok: true, value: second })
  })

  it('may be a hundred', () => {
    const days = Array.from({ length: 101 }, (_, day) => ({
      startsAt: day * 10,
      endsAt: day * 10 + 5,
      stock: 1,
    }))
    expect(parse(saleDefinition, { ...rest, windows: days.slice(0, 100) })).toMatchObject({ ok: true })
    expect(parse(saleDefinition, { ...rest, windows: days })).toEqual({
      ok: false,
      field: 'windows',
      detail: 'windows must be at most 100 windows',
    })
  })

  const [first, second] = windows
  it.each([
    ['windows', 'overlapping ones', [first, { ...second, startsAt: 1999 }]],
    ['windows', 'ones in the wrong order', [second, first]],
    ['windows', 'the same one twice', [first, first]],
    ['windows', 'one that ends before its start', [first, { ...second, endsAt: 1999 }]],
    ['windows', 'one that ends at its start', [first, { ...second, endsAt: 2000 }]],
    ['windows.1.stock', 'one without units', [first, { ...second, stock: 0 }]],
    ['windows.1.stock', 'one without an end of units', [first, { ...second, stock: -1 }]],
    ['windows.1.startsAt', 'one of nothing', [first, {}]],
    ['windows.1.price', 'one with a price of its own', [first, { ...second, price: 1 }]],
    ['windows.0', 'what is no window', [null]],
    ['windows.0', 'a list', [[]]],
    ['windows', 'what is no list', { 0: first }],
  ])('are refused, naming %s, for %s', (field, _, bad) => {
    expect(parse(saleDefinition, { ...definition, windows: bad })).toMatchObject({ ok: false, field })
  })

  it('that are empty leave a sale without stock and times', () => {
    expect(parse(saleDefinition, { ...rest, windows: [{}] })).toMatchObject({ ok: false, field: 'stock' })
    expect(parse(saleDefinition, { ...rest, windows: [] })).toMatchObject({ ok: false, field: 'stock' })
    expect(parse(saleDefinition, null)).toMatchObject({ ok: false, field: 'body' })
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
