import { describe, expect, it } from 'vitest'
import { cancelReasons, orderStatuses, rejectReasons } from '../../core/order.ts'
import { readCountdown, readOrder, readOrders, readPointer, readProblem } from '../../static/client/wire.ts'

const pointer = {
  saleId: 'mug',
  version: 3,
  phase: 'open',
  startsAt: 1,
  endsAt: 2,
  nextStartsAt: 3,
  src: '/sales/mug/countdown.3.js',
  remaining: 4,
}

describe('what the page believes', () => {
  it('is a whole pointer or none', () => {
    expect(readPointer(pointer)).toEqual(pointer)
    expect(readPointer({ ...pointer, nextStartsAt: null })?.nextStartsAt).toBeNull()
    const { nextStartsAt: _, ...old } = pointer
    const wrong = [{ phase: 'opened' }, { remaining: '4' }, { nextStartsAt: '3' }]
    for (const broken of [null, [], 'x', old, ...wrong.map((change) => ({ ...pointer, ...change }))]) {
      expect(readPointer(broken)).toBeUndefined()
    }
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
    const early = { saleId: 'mug', version: 1, started: false, startsAt: 1, endsAt: 2 }
    expect(readCountdown(early)).toEqual(early)
    expect(readCountdown({ ...early, started: true, startToken: 'abc' })?.startToken).toBe('abc')
    expect(readCountdown({ ...early, started: 'yes' })).toBeUndefined()
  })

  it('is a problem only if there are words for its code', () => {
    expect(readProblem({ code: 'sold-out', detail: 'd', remaining: 0 })).toEqual({
      code: 'sold-out',
      detail: 'd',
      remaining: 0,
    })
    expect(readProblem({ code: 'toString' })).toBeUndefined()
    expect(readProblem('<html>')).toBeUndefined()
  })

  it('is an order whose numbers are numbers', () => {
    const order = {
      orderId: `mug-${'a'.repeat(26)}`,
      saleId: 'mug',
      quantity: 1,
      amount: 10,
      currency: 'EUR',
      status: 'reserved',
      reservedAt: 5,
      payBy: null,
      history: [{ at: 5, what: 'reserved', status: 'reserved' }],
    }
    expect(readOrder(order)).toEqual(order)
    expect(readOrder({ ...order, status: 'lost' })).toBeUndefined()
    expect(readOrders({ orders: [order, { ...order, amount: '10' }] })).toEqual([order])
    expect(readOrders([order])).toBeUndefined()
    for (const status of orderStatuses) expect(readOrder({ ...order, status })?.status).toBe(status)
    for (const reason of [...rejectReasons, ...cancelReasons]) {
      expect(readOrder({ ...order, reason })).toEqual({ ...order, reason })
    }
    expect(readOrder({ ...order, payment: 'failed' })).toEqual({ ...order, payment: 'failed' })
  })

  it('is an order without what a newer shop tells beside it', () => {
    const order = {
      ...{ orderId: `mug-${'a'.repeat(26)}`, saleId: 'mug', quantity: 1, amount: 10, currency: 'EUR' },
      ...{ status: 'cancelled', reservedAt: 5, payBy: 9 },
    }
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
