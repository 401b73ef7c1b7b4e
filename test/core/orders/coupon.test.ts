import { describe, expect, it } from 'vitest'
import {
  type CouponCode,
  couponBytes,
  couponOf,
  formatCoupon,
  parseCoupon,
  readCoupon,
} from '../../../core/orders/coupon.ts'

const bytesOf = (...first: number[]) => Uint8Array.of(...first, ...Array(couponBytes - first.length).fill(0))

function codeIn(text: string): CouponCode {
  const code = readCoupon(text)
  if (code === undefined) throw new Error(`${text} is no code`)
  return code
}

describe('the code of a coupon', () => {
  it('is 20 characters of Crockford’s alphabet: 100 bits, all of them used', () => {
    expect(couponOf(bytesOf())).toBe('0'.repeat(20))
    expect(couponOf(new Uint8Array(couponBytes).fill(255))).toBe('Z'.repeat(20))
    const flipped = new Set<string>()
    for (let bit = 0; bit < 100; bit += 1) {
      const bytes = bytesOf()
      bytes[bit >> 3] = 128 >> (bit & 7)
      flipped.add(couponOf(bytes))
    }
    expect(flipped.size).toBe(100)
    expect(flipped.has('0'.repeat(20))).toBe(false)
  })

  it('leaves out the characters that look like digits, and the one that makes words', () => {
    const characters = new Set<string>()
    for (let value = 0; value < 32; value += 1) characters.add(couponOf(bytesOf(value << 3)).charAt(0))
    expect([...characters].join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
    for (const lookAlike of 'ILOU') expect(characters.has(lookAlike)).toBe(false)
  })

  it('needs all of its random bytes', () => {
    expect(couponBytes * 8).toBeGreaterThanOrEqual(100)
    expect(() => couponOf(new Uint8Array(couponBytes - 1))).toThrow(RangeError)
  })

  it('is shown as five groups of four', () => {
    expect(formatCoupon(codeIn('0123456789ABCDEFGHJK'))).toBe('0123-4567-89AB-CDEF-GHJK')
  })
})

describe('a code that was typed', () => {
  const code = codeIn('01VR0123456789ABCDEZ')

  it('is read as it is shown', () => {
    expect(parseCoupon(formatCoupon(code))).toBe(code)
    expect(parseCoupon(code)).toBe(code)
  })

  it.each([
    ['small characters', '01vr0123456789abcdez'],
    ['spaces instead of hyphens, and around it', '  01VR 0123 4567 89AB CDEZ\n'],
    ['the dashes of a word processor', '01VR‐0123–4567—89AB‑CDEZ'],
    ['full width, and marks of direction', '\u200e０１ＶＲ－0123-4567-89AB-CDEZ\u200e'],
    ['selectors and fillers that show nothing', '01VR\ufe0f-0123-\u31644567-89AB-CDEZ\u{e0100}'],
    ['digits of another script', '٠١VR-٠١٢٣-٤٥٦٧-٨٩AB-CDEZ'],
    ['characters for the digits they look like', 'oIvrOl23456789abcdez'],
    ['the other spelling of one', 'Olvro123456789ABCDEZ'],
  ])('may have %s', (_, text) => {
    expect(parseCoupon(text)).toBe(code)
  })

  it.each([
    ['too short', '01VR0123456789ABCDE'],
    ['too long', '01VR0123456789ABCDEZ0'],
    ['with an invalid letter', '01VR0123456789ABCDEU'],
    ['with a mark that is not a dash', '01VR_0123_4567_89AB_CDEZ'],
    ['empty', ''],
  ])('is invalid when it is %s', (_, text) => {
    expect(parseCoupon(text)).toBeUndefined()
  })
})

it('a stored code has the one spelling, without any tolerance', () => {
  expect(readCoupon('0123456789ABCDEFGHJK')).toBe('0123456789ABCDEFGHJK')
  for (const other of ['0123-4567-89AB-CDEF-GHJK', '0123456789abcdefghjk', 'O123456789ABCDEFGHJK', 7, null]) {
    expect(readCoupon(other)).toBeUndefined()
  }
})
