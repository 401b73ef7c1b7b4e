import { describe, expect, it } from 'vitest'
import { base32 } from '../../../core/lib/base32.ts'

const rfc4648 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const lettersOf = (text: string) => {
  const bytes = new TextEncoder().encode(text)
  return base32(bytes, Math.floor((bytes.length * 8) / 5), rfc4648)
}

describe('base32', () => {
  it('spells the test vectors of RFC 4648, as far as whole characters go', () => {
    const texts = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar']
    expect(texts.map(lettersOf)).toEqual(['M', 'MZX', 'MZXW', 'MZXW6Y', 'MZXW6YTB', 'MZXW6YTBO'])
  })

  it('takes the requested number of characters from the front', () => {
    expect(base32(new TextEncoder().encode('foobar'), 4, rfc4648)).toBe('MZXW')
  })

  it('refuses to make more characters than there are bits', () => {
    expect(() => base32(new Uint8Array(12), 20, rfc4648)).toThrow(RangeError)
    expect(base32(new Uint8Array(13), 20, rfc4648)).toBe('A'.repeat(20))
  })
})
