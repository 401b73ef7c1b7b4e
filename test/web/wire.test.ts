import { describe, expect, it } from 'vitest'
import { parseWallet, readCountdown, readOrder, readOrders, readPointer, readTap } from '../../web/wire.ts'

const pointer = {
  saleId: 'mug',
  version: 3,
  at: 7,
  phase: 'open',
  startsAt: 1,
  endsAt: 2,
  nextStartsAt: 3,
  src: '/sales/mug/countdown.3.js',
  remaining: 4,
}

const anOrder = {
  ...{ orderId: `mug-${'a'.repeat(26)}`, saleId: 'mug', quantity: 1, amount: 10, currency: 'EUR' },
  ...{ status: 'reserved', reservedAt: 5, payBy: null, history: [] },
}

describe('what the page believes', () => {
  it('is a whole pointer or none', () => {
    expect(readPointer(pointer)).toEqual(pointer)
    expect(readPointer({ ...pointer, nextStartsAt: null })?.nextStartsAt).toBeNull()
    const { nextStartsAt: _, ...old } = pointer
    const { at: _at, ...untimed } = pointer
    const wrong = [{ phase: 'opened' }, { remaining: '4' }, { nextStartsAt: '3' }]
    for (const broken of [null, [], 'x', old, untimed, ...wrong.map((change) => ({ ...pointer, ...change }))]) {
      expect(readPointer(broken)).toBeUndefined()
    }
  })

  it('is what a pointer says of the variants, without what are no numbers (N1)', () => {
    const variants = { s: 4, m: 0 }
    expect(readPointer({ ...pointer, variants })).toEqual({ ...pointer, variants })
    expect(readPointer({ ...pointer, variants: { ...variants, l: '3' } })).toEqual({ ...pointer, variants })
    expect(readPointer({ ...pointer, variants: [4] })).toEqual(pointer)
  })

  it('never runs a script from outside the folder of its own sale (C6)', () => {
    for (const src of [
      'https://evil.example/countdown.3.js',
      '/sales/other/countdown.3.js',
      '/sales/mug/countdown.2.js',
    ]) {
      expect(readPointer({ ...pointer, src })).toBeUndefined()
    }
  })

  it('is a countdown with or without a start token', () => {
    const published = { saleId: 'mug', version: 1, started: false, startsAt: 1, endsAt: 2 }
    const early = { ...published, requirePass: 'on', spreadSeconds: 30, earlyMinutes: 10 }
    expect(readCountdown(early)).toEqual(early)
    // A countdown of an older publisher stays public.
    const usual = { requirePass: 'on', spreadSeconds: 0, earlyMinutes: 0 }
    expect(readCountdown(published)).toEqual({ ...published, ...usual })
    expect(readCountdown({ ...early, started: true, startToken: 'abc' })?.startToken).toBe('abc')
    expect(readCountdown({ ...early, started: 'yes' })).toBeUndefined()
  })

  it('is an order whose numbers are numbers', () => {
    const order = { ...anOrder, history: [{ at: 5, what: 'reserved', status: 'reserved' }] }
    expect(readOrder(order)).toEqual(order)
    expect(readOrder({ ...order, status: 'lost' })).toBeUndefined()
    expect(readOrders({ orders: [order, { ...order, amount: '10' }] })).toEqual([order])
    expect(readOrders([order])).toBeUndefined()
  })

  it('is an order with the variant of its units (N1)', () => {
    const order = { ...anOrder, status: 'paid' }
    expect(readOrder({ ...order, variant: 's' })).toEqual({ ...order, variant: 's' })
    expect(readOrder({ ...order, variant: { s: 2 } })).toEqual(order)
  })

  it('is an order with the codes that are codes, and with bounds that are times', () => {
    const order = { ...anOrder, status: 'fulfilled' }
    const coupons = ['0123456789ABCDEFGHJK', 'ZYXWVTSRQPNMKJHGFEDC']
    const given = { ...order, coupons, validFrom: 5, validUntil: 9 }
    expect(readOrder(given)).toEqual(given)
    expect(readOrder({ ...given, coupons: ['x', 7, coupons[1]] })?.coupons).toEqual([coupons[1]])
    expect(readOrder({ ...given, validFrom: '5', validUntil: null })).toEqual({ ...order, coupons })
    expect(readOrder({ ...given, coupons: 'x' })).toEqual(order)
  })

  it('reads how an order was shipped, and nothing that could be markup or a formula (S2)', () => {
    const order = { ...anOrder, status: 'shipped' }
    const shipment = { carrier: '顺丰速运', tracking: 'SF 1' }
    expect(readOrder({ ...order, shipment })).toEqual({ ...order, shipment })
    const noNumber = { ...order, shipment: { carrier: 'DHL' } }
    expect(readOrder({ ...order, shipment: { carrier: 'DHL', tracking: '<b>' } })).toEqual(noNumber)
    for (const wrong of [null, 'DHL', { carrier: '=1+1', tracking: '1' }]) {
      expect(readOrder({ ...order, shipment: wrong })).toEqual(order)
    }
  })

  it('is an order without what a newer shop tells beside it', () => {
    const { history: _, ...order } = { ...anOrder, status: 'cancelled' }
    const known = { at: 5, what: 'written', status: 'awaiting-payment' }
    const odd = [
      { at: '5', what: 'x', status: 'paid' },
      { at: 5, status: 'paid' },
      { at: 5, what: 'x', status: 'y' },
    ]
    const read = readOrder({ ...order, reason: 'bored', payment: 'pending', history: [known, ...odd] })
    expect(read).toEqual({ ...order, history: [known] })
    expect(readOrder(order)).toEqual({ ...order, history: [] })
  })
})

describe('what the page believes of packets (P2)', () => {
  const packet = { packetId: 'rain-p7', amount: 1221, currency: 'CNY' }
  const credit = { saleId: 'rain', ...packet, claimedAt: 5, creditedAt: 9, balance: 1221 }

  it('is no packet without its money', () => {
    for (const broken of [null, {}, { ...packet, amount: '1221' }, { ...packet, currency: 'yuan' }]) {
      expect(readTap(broken)).toBeUndefined()
    }
  })

  it('is a wallet with the entries that can be read', () => {
    const balances = [{ currency: 'CNY', amount: 1221 }]
    const odd = [null, { ...credit, saleId: '../x' }, { ...credit, claimedAt: null }, { ...credit, currency: 7 }]
    expect(parseWallet({ balances: [...balances, { currency: 'CNY' }], credits: [...odd, credit] })).toEqual({
      balances,
      credits: [credit],
    })
  })

  it('is no wallet without both lists', () => {
    for (const broken of [undefined, [], {}, { balances: [] }, { balances: [], credits: {} }]) {
      expect(parseWallet(broken)).toBeUndefined()
    }
  })
})
