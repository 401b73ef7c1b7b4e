/** What clients accept as answers of `/api/control`. */
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../../core/api/control-answers.ts'
import { type Operation, pathFor, readAnswer } from '../../../core/api/operation.ts'
import { defaultThrottle } from '../../../core/sale/sale.ts'
import { orderIdOf, saleIdOf } from '../../redis/support.ts'
import { aLive, rain, sale } from './live-answer.ts'

const isAnswer = (operation: Operation, body: unknown) => readAnswer(operation, body).ok
const isSale = (body: unknown) => isAnswer(controlApi.getSale, body)
const isLive = (body: unknown) => isAnswer(controlApi.getLive, body)

describe('an answer of the control API', () => {
  it('keeps the members that a newer version of the API added', () => {
    const newer = { ...sale, colour: 'blue' }
    expect(readAnswer(controlApi.getSale, newer)).toEqual({ ok: true, value: newer })
  })

  it('names the member that is missing', () => {
    const { drift, ...rest } = aLive
    expect(readAnswer(controlApi.getLive, rest)).toMatchObject({ ok: false, field: 'drift' })
  })
})

describe('a sale', () => {
  it.each([
    ['goods', sale],
    ['coupons without an end', { ...sale, kind: 'coupon', price: 0 }],
    ['coupons', { ...sale, kind: 'coupon', price: 0, coupons: { validUntil: 3 } }],
    ['red packets', rain],
  ])('may be one of %s', (_name, of) => {
    expect(isSale(of)).toBe(true)
  })

  it.each(Object.keys(sale))('is none without its %s, or with an object in its place', (name) => {
    expect(isSale({ ...sale, [name]: undefined })).toBe(false)
    expect(isSale({ ...sale, [name]: { unknown: 1 } })).toBe(false)
  })

  it('is none of red packets without packets, nor of anything else with some (P1)', () => {
    expect(isSale({ ...rain, packets: undefined })).toBe(false)
    expect(isSale({ ...rain, packets: { count: 100 } })).toBe(false)
    expect(isSale({ ...rain, kind: 'goods' })).toBe(false)
    expect(isSale({ ...rain, kind: 'lottery' })).toBe(false)
  })

  it('is none with a window or a throttle that cannot be read (R4, R7)', () => {
    expect(isSale({ ...sale, windows: [...sale.windows, { startsAt: 3, endsAt: 4 }] })).toBe(false)
    expect(isSale({ ...sale, throttle: { ...defaultThrottle, perIp: { limit: 1 } } })).toBe(false)
    expect(isSale({ ...sale, challenge: 'riddle' })).toBe(false)
  })
})

describe('live numbers', () => {
  it('need a sale, a phase and the counts of orders', () => {
    expect(isLive(aLive)).toBe(true)
    expect(isLive({ ...aLive, orders: { sold: 38 } })).toBe(false)
    expect(isLive({ ...aLive, sale: { saleId: 'mug' } })).toBe(false)
    expect(isLive({ ...aLive, phase: 'asleep' })).toBe(false)
    expect(isLive('<html>')).toBe(false)
  })
})

describe('the block list (R8)', () => {
  const entry = { kind: 'ip', value: '203.0.113.0/24', who: 'mia', when: 1_700_000_000_000 }
  const isList = (...entries: unknown[]) => isAnswer(controlApi.listBlocks, { entries })

  it('has shoppers and ranges', () => {
    expect(isList(entry, { ...entry, kind: 'shopper', value: 'ann|1@example.org' })).toBe(true)
  })

  it.each(Object.keys(entry))('has no entry without its %s', (name) => {
    expect(isList({ ...entry, [name]: undefined })).toBe(false)
  })

  it('has no entry that could lead a call to another path', () => {
    expect(isList({ ...entry, value: '203.0.113.0/24/../../sales' })).toBe(false)
    expect(isList({ ...entry, kind: 'shopper', value: '../../sales' })).toBe(false)
    expect(isList({ ...entry, kind: 'sales' })).toBe(false)
  })

  it('addresses an entry by its kind and value', () => {
    expect(pathFor(controlApi.block, { kind: 'ip', value: '203.0.113.0/24' })).toBe(
      '/api/control/blocklist/ip/203.0.113.0/24',
    )
    expect(pathFor(controlApi.block, { kind: 'ip', value: '2001:db8::/32' })).toBe(
      '/api/control/blocklist/ip/2001:db8::/32',
    )
  })
})

describe('the results of repairs', () => {
  it('have an unknown difference as null', () => {
    const found = { state: 'in-step', resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0, released: 1, holds: null }
    expect(isAnswer(controlApi.reconcile, { ...found, drift: 3 })).toBe(true)
    expect(isAnswer(controlApi.reconcile, { ...found, drift: null })).toBe(true)
    expect(isAnswer(controlApi.reconcile, 'done')).toBe(false)
  })

  it('of a refund have the status of the order', () => {
    const refunded = { orderId: orderIdOf(saleIdOf('mug'), 1, 1), saleId: 'mug', refund: null }
    expect(isAnswer(controlApi.refund, { ...refunded, status: 'refund-due' })).toBe(true)
    expect(isAnswer(controlApi.refund, { ...refunded, status: 'gone' })).toBe(false)
  })
})
