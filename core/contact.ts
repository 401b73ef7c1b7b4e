/** How to reach a shopper. */
import * as z from 'zod/mini'
import { languages } from './language.ts'

/** RFC 5321 allows 254 characters in a path. */
const maxEmailLength = 254

export const contact = z.strictObject(
  {
    email: z
      .string('must be a string')
      .check(
        z.maxLength(maxEmailLength, `must have at most ${maxEmailLength} characters`),
        z.email('must be an e-mail address'),
      ),
    language: z.enum(languages, `must be one of ${languages.join(', ')}`),
    unsubscribed: z.optional(z.literal(true, 'must be true or absent')),
  },
  'must be a JSON object',
)

/**
 * `language` is that of the page on which the address was given. `unsubscribed`: no e-mails except those
 * about the shopper's own orders.
 */
export type Contact = z.infer<typeof contact>
