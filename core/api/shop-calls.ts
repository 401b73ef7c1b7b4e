/** What the calls of a shop with a shop key have in common. */
import * as z from 'zod/mini'
import { maxReference, maxReferenceBytes } from '../orders/redemption.ts'

/** The shop's own receipt or order. */
export const reference = z.string('must be a string').check(
  z.regex(new RegExp(`^[^\\p{Cc}]{1,${maxReference}}$`, 'u'), `must be 1 to ${maxReference} characters`),
  z.refine(
    (text) => new TextEncoder().encode(text).length <= maxReferenceBytes,
    `must be at most ${maxReferenceBytes} bytes of UTF-8`,
  ),
)
