/** How to reach a shopper. */
import * as z from 'zod/mini'
import { maxEmail } from '../body-limits.ts'
import { languageTag } from '../lib/text.ts'

export const contact = z.strictObject(
  {
    email: z
      .string('must be a string')
      .check(z.maxLength(maxEmail, `must have at most ${maxEmail} characters`), z.email('must be an e-mail address')),
    language: languageTag(),
    verified: z.optional(z.literal(true, 'must be true or absent')),
    unsubscribed: z.optional(z.literal(true, 'must be true or absent')),
  },
  'must be a JSON object',
)

/**
 * `language` is that of the page on which the address was given. `verified`: the issuer of the sign-in
 * has verified that the address is the shopper's. `unsubscribed`: no e-mails except those about the shopper's own orders.
 */
export type Contact = z.infer<typeof contact>
