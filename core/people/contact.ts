/** How to reach a shopper. */
import * as z from 'zod/mini'
import { maxEmail } from '../body-limits.ts'
import { languageTag, plainText } from '../lib/text.ts'
import { urlIn } from '../lib/url-in.ts'

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+"

/** Addresses of RFC 5321 without quotes, at a domain of at least two labels, which may be in punycode. */
const pattern = new RegExp(
  `^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?\\.)+(?:[a-z]{2,63}|xn--[a-z\\d-]{1,58}[a-z\\d])$`,
  'i',
)

/** Returns the address as mail servers take it: with its domain in ASCII. */
function asciiAddress(text: string): string {
  const [, person, domain] = /^([^@]+)@([\p{L}\p{M}\p{N}.-]+)$/u.exec(text) ?? []
  if (domain === undefined || /^[a-z\d.-]*$/i.test(domain)) return text
  return `${person}@${urlIn(`https://${domain}`)?.hostname ?? domain}`
}

/** An e-mail address as a person types or pastes it. */
const emailAddress = z.string('must be a string').check(
  z.overwrite((text) => asciiAddress(plainText(text))),
  z.maxLength(maxEmail, `must have at most ${maxEmail} characters`),
  z.regex(pattern, 'must be an e-mail address, such as name@example.com'),
)

/** Returns the e-mail address that was typed; undefined for another text. */
export const readEmail = (text: string): string | undefined => z.safeParse(emailAddress, text).data

/** True when `text` is an e-mail address as it is. */
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
 * `language` is that of the page on which the address was given. `verified`: the issuer of the sign-in has verified
 * that the address is the shopper's. `unsubscribed`: no e-mails except those about the shopper's own orders.
 */
export type Contact = z.infer<typeof contact>
