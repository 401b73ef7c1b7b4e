import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derSignature } from '../../edge/memory/tokens.ts'

/** A number in DER, from its value. */
function derOf(bytes: Uint8Array): Buffer {
  const digits = BigInt(`0x${Buffer.from(bytes).toString('hex')}`).toString(16)
  const even = digits.padStart(digits.length + (digits.length % 2), '0')
  const number = Buffer.from(/^[89a-f]/.test(even) ? `00${even}` : even, 'hex')
  return Buffer.concat([Buffer.of(0x02, number.length), number])
}

describe('an ES256 signature in DER', () => {
  const byte = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 0xff }))
  const number = fc
    .tuple(fc.integer({ min: 0, max: 32 }), fc.array(byte, { minLength: 32, maxLength: 32 }))
    .map(([zeros, bytes]) => Uint8Array.from(bytes.fill(0, 0, zeros)))

  it('has both numbers in their shortest form, without a sign', () => {
    fc.assert(
      fc.property(number, number, (r, s) => {
        const numbers = Buffer.concat([derOf(r), derOf(s)])
        const expected = Buffer.concat([Buffer.of(0x30, numbers.length), numbers])
        expect(derSignature(Buffer.concat([r, s]))).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
