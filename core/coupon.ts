/**
 * The code of a coupon: whoever knows one can redeem it, so it must be beyond guessing, and fit to be read aloud and typed
 * by hand. It is 20 letters of Crockford's base32 (https://www.crockford.com/base32.html), which leaves out I, L, O and U:
 * the first three look like digits, the last makes words. That is 100 bits.
 */
import { base32 } from './base32.ts'

declare const brand: unique symbol

/** Twenty letters without hyphens, as they are kept. */
export type CouponCode = string & { readonly [brand]: 'CouponCode' }

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 20

const codePattern = new RegExp(`^[${alphabet}]{${codeLength}}$`)

/** Random bytes that one code takes: 100 bits, and four that are left over. */
export const couponBytes = Math.ceil((codeLength * 5) / 8)

/** The code in the first 100 bits of `bytes`. Throws RangeError when they are fewer. */
export function couponOf(bytes: Uint8Array): CouponCode {
  return base32(bytes, codeLength, alphabet) as CouponCode
}

/** Five groups of four, as people read it and find their place in it again. */
export function formatCoupon(code: CouponCode): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** The code that `text` is, letter for letter as codes are kept, or undefined. */
export function readCoupon(text: unknown): CouponCode | undefined {
  return typeof text === 'string' && codePattern.test(text) ? (text as CouponCode) : undefined
}

/**
 * The code that somebody wrote as `text`, or undefined. Forgives what the alphabet is made to forgive: small letters, the
 * letter O for a zero, I and L for a one, and spaces and dashes anywhere.
 */
export function parseCoupon(text: string): CouponCode | undefined {
  const code = text
    .replace(/[\s\p{Dash_Punctuation}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return readCoupon(code)
}
