/** Clients accept these answers of `/api/control`. */
import { describe, expect, it } from 'vitest'
import { controlApi } from '../../../core/api/control-answers.ts'
import { type Operation, pathFor, readAnswer } from '../../../core/api/operation.ts'
import { aLive, rain, sale } from './live-answer.ts'

const isAnswer = (operation: Operation, body: unknown) => readAnswer(operation, body).ok
const isSale = (body: unknown) => isAnswer(controlApi.getSale, body)

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

  it('is none of red packets without packets, nor of anything else with some (P1)', () => {
    expect(isSale({ ...rain, packets: undefined })).toBe(false)
    expect(isSale({ ...rain, packets: { count: 100 } })).toBe(false)
    expect(isSale({ ...rain, kind: 'goods' })).toBe(false)
    expect(isSale({ ...rain, kind: 'lottery' })).toBe(false)
  })
})

describe('the block list (R8)', () => {
  const entry = { kind: 'ip', value: '203.0.113.0/24', who: 'mia', when: 1_700_000_000_000 }
  const isList = (...entries: unknown[]) => isAnswer(controlApi.listBlocks, { entries })

  it('has shoppers and ranges', () => {
    expect(isList(entry, { ...entry, kind: 'shopper', value: 'ann|1@example.org' })).toBe(true)
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
