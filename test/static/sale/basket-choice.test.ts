import { describe, expect, it } from 'vitest'
import { maxBasketLines } from '../../../core/sale/variants.ts'
import { buyable, leftNow, provedBy, roomFor, withUnits } from '../../../static/client/sale/basket-choice.ts'

const pointer = { at: 5000, variants: { s: 1, m: 0 } }

describe('what is left of the variants (N1)', () => {
  it('is what the pointer says, and unknown before there is one', () => {
    expect(leftNow(undefined, undefined, 9000)).toEqual({})
    expect(leftNow(pointer, undefined, 9000)).toEqual({ s: 1, m: 0 })
  })

  it('is less where a newer refusal has proved it, until the next pointer', () => {
    const proved = { left: provedBy({ s: 1 }, ['s']), at: 6000 }
    expect(leftNow(pointer, proved, 6001)).toEqual({ s: 0, m: 0 })
    expect(leftNow(undefined, proved, 6001)).toEqual({ s: 0 })
    expect(leftNow({ ...pointer, at: 6001 }, proved, 6002)).toEqual({ s: 1, m: 0 })
  })

  it('is what the pointer says again after a minute, should units have returned unseen', () => {
    const proved = { left: { s: 0 }, at: 6000 }
    expect(leftNow(pointer, proved, 65_999).s).toBe(0)
    expect(leftNow(pointer, proved, 66_000).s).toBe(1)
  })

  it('is never more than the pointer says because of a refusal', () => {
    expect(leftNow(pointer, { left: provedBy({ s: 4 }, ['s']), at: 6000 }, 6001).s).toBe(1)
  })

  it('follows from a refusal for the variants that it names and that were asked for, alone', () => {
    expect(provedBy({ s: 3, m: 1 }, ['s', 'xl'])).toEqual({ s: 2 })
  })
})

describe('a choice of variants (N1)', () => {
  it('loses what is sold out, and no more than that', () => {
    expect(buyable({ s: 2, m: 1, l: 3 }, pointer.variants)).toEqual({ s: 1, l: 3 })
  })

  it('has room for what is left, within what one order may have', () => {
    expect(roomFor('s', {}, pointer.variants, 4)).toBe(1)
    expect(roomFor('m', {}, pointer.variants, 4)).toBe(0)
    expect(roomFor('l', { s: 1 }, pointer.variants, 4)).toBe(3)
    expect(roomFor('l', { s: 1, l: 3 }, pointer.variants, 4)).toBe(3)
  })

  it('has no room for another variant beside as many as an order may have', () => {
    const full = Object.fromEntries(Array.from({ length: maxBasketLines }, (_, i) => [`v${i}`, 1]))
    expect(roomFor('s', full, {}, 1000)).toBe(0)
    expect(roomFor('v0', full, {}, 1000)).toBe(1000 - maxBasketLines + 1)
  })

  it('drops a variant that none is wanted of', () => {
    expect(withUnits({ s: 1, m: 2 }, 's', 0)).toEqual({ m: 2 })
    expect(withUnits({ s: 1 }, 'm', 2)).toEqual({ s: 1, m: 2 })
  })
})
