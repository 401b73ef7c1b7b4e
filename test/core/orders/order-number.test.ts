import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderNumberOf, parseOrderNumber, spacedNumber } from '../../../core/orders/order-number.ts'

const counts = fc.oneof(fc.nat(2_000_000_000), fc.constantFrom(0, 1, 89_999_999, 90_000_000, 989_999_999, 990_000_000))

describe('the number of an order', () => {
  it('is another one for every count, and none shows its neighbour', () => {
    const near = Array.from({ length: 20_000 }, (_, count) => orderNumberOf(count))
    const longer = Array.from({ length: 20_000 }, (_, count) => orderNumberOf(89_990_000 + count))
    expect(new Set([...near, ...longer]).size).toBe(40_000)
    expect(near.every((number) => /^[1-9]\d{8}$/.test(number))).toBe(true)
    expect(longer.at(-1)).toMatch(/^[1-9]\d{9}$/)
    expect(near.filter((number, at) => Math.abs(Number(number) - Number(near[at + 1])) < 1000)).toEqual([])
  })

  it('is read as people write it', () => {
    const number = orderNumberOf(7)
    expect(spacedNumber(number)).toMatch(/^\d{3}\u00a0\d{3}\u00a0\d{3}$/)
    for (const text of [
      number,
      spacedNumber(number),
      ` #${number}`,
      `\u202a${number}\u202c`,
      number.replace('1', '１'),
      number.replace(/(...)/g, '$1-'),
      number.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
    ])
      expect(parseOrderNumber(text)).toBe(number)
    for (const text of ['', '12345678', '0'.repeat(9), `${number}1`, 'mug', 123_456_789, undefined])
      expect(parseOrderNumber(text)).toBeUndefined()
  })

  it('is refused with any one digit wrong', () => {
    fc.assert(
      fc.property(counts, fc.nat(20), fc.integer({ min: 1, max: 9 }), (count, at, by) => {
        const number = orderNumberOf(count)
        expect(parseOrderNumber(number)).toBe(number)
        const place = at % number.length
        const digit = (Number(number[place]) + by) % 10
        expect(parseOrderNumber(`${number.slice(0, place)}${digit}${number.slice(place + 1)}`)).toBeUndefined()
      }),
    )
  })

  it('is refused with two neighbours exchanged', () => {
    fc.assert(
      fc.property(counts, fc.nat(20), (count, place) => {
        const number = orderNumberOf(count)
        const at = place % (number.length - 1)
        fc.pre(number[at] !== number[at + 1])
        const exchanged = `${number.slice(0, at)}${number[at + 1]}${number[at]}${number.slice(at + 2)}`
        expect(parseOrderNumber(exchanged)).toBeUndefined()
      }),
    )
  })
})
