/**
 * Coupon codes. Whoever knows a code can redeem it, so codes cannot be guessed; they are easy to read aloud and to type.
 * A code has 20 characters of Crockford's base32 (https://www.crockford.com/base32.html), 100 bits. Base32 excludes I, L
 * and O, which look like digits, and U, which would make words.
 */
import type * as z from 'zod/mini'
import { base32 } from '../lib/base32.ts'
import { plainCode } from '../lib/text.ts'

/** Twenty characters without hyphens, as stored. */
export type CouponCode = string & z.core.$brand<'CouponCode'>

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 20

/** Random bytes per code: 100 bits, and four unused ones. */
export const couponBytes = /* @__PURE__ */ (() => Math.ceil((codeLength * 5) / 8))()

/**
 * Returns the code for the first 100 bits of `bytes`.
 * @throws RangeError when they are fewer
 */
export function couponOf(bytes: Uint8Array): CouponCode {
  return base32(bytes, codeLength, alphabet) as CouponCode
}

/** Formats a code in five groups of four. */
export function formatCoupon(code: CouponCode): string {
  return code.replace(/.{4}(?=.)/g, '$&-')
}

/** Returns the code in `text`, exactly as stored, or undefined. */
export function readCoupon(text: unknown): CouponCode | undefined {
  return typeof text === 'string' && isCode(text) ? (text as CouponCode) : undefined
}

function isCode(text: string): boolean {
  return text.length === codeLength && [...text].every((letter) => alphabet.includes(letter))
}

/** Returns the code in typed `text`, or undefined. Accepts lower case, O for 0, I and L for 1. */
export function parseCoupon(text: string): CouponCode | undefined {
  return readCoupon(plainCode(text).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1'))
}
