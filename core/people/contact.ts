/** The email address of a shopper, and its validation. */
import * as z from 'zod/mini'
import { maxEmail } from '../body-limits.ts'
import { languageTag, plainText } from '../lib/text.ts'
import { urlIn } from '../lib/url-in.ts'

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+"

/** RFC 5321 without quotes. The domain has at least two labels, and may be in punycode. */
const pattern = new RegExp(
  `^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?\\.)+(?:[a-z]{2,63}|xn--[a-z\\d-]{1,58}[a-z\\d])$`,
  'i',
)

/** Converts the domain to ASCII, as mail servers need it. */
function asciiAddress(text: string): string {
  const [, person, domain] = /^([^@]+)@([\p{L}\p{M}\p{N}.-]+)$/u.exec(text) ?? []
  if (domain === undefined || /^[a-z\d.-]*$/i.test(domain)) return text
  return `${person}@${urlIn(`https://${domain}`)?.hostname ?? domain}`
}

/** Accepts an address that a person typed or pasted, and normalises it. */
const emailAddress = z.string('must be a string').check(
  z.overwrite((text) => asciiAddress(plainText(text))),
  z.maxLength(maxEmail, `must have at most ${maxEmail} characters`),
  z.regex(pattern, 'must be an email address, such as name@example.com'),
)

/** Returns the normalised email address in a typed text; undefined for other text. */
export const readEmail = (text: string): string | undefined => z.safeParse(emailAddress, text).data

/** True when `text` is a normalised email address. */
export const isEmailAddress = (text: string): boolean => readEmail(text) === text

export const contact = z.strictObject(
  {
    email: emailAddress,
    language: languageTag(),
    verified: z.optional(z.literal(true, 'must be true or absent')),
    unsubscribed: z.optional(z.literal(true, 'must be true or absent')),
  },
  'must be a JSON object',
)

/**
 * `language` is that of the page on which the address was entered. `verified`: the identity provider has verified the
 * address. `unsubscribed`: the shopper gets only emails about their own orders.
 */
export type Contact = z.infer<typeof contact>
