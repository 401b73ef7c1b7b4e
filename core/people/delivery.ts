/**
 * The delivery of an order: a name, a phone number and an address. The parts of an address are those of libaddressinput, so
 * that each country can have its own form. `functions/people/` applies the rules of countries, because they are too large
 * for a page.
 */
import * as z from 'zod/mini'
import { maxDeliveryText, maxPhone } from '../body-limits.ts'
import { readBy } from '../lib/parse.ts'
import { plainText } from '../lib/text.ts'
import type { OrderStatus } from '../orders/order.ts'
import { maxAddressLines } from './address-parts.ts'
import { contact } from './contact.ts'
import { isCountry } from './country.ts'

/**
 * Invisible characters that a label does not need. Joiners, variation selectors and the Mongolian vowel separator stay,
 * because they change the shape of letters. Characters that override the direction stay, so that `label` rejects them.
 */
const invisible =
  /[\u061c\u200e\u200f]|(?![\u180e\p{Join_Control}\p{Variation_Selector}\p{Bidi_Control}])\p{Default_Ignorable_Code_Point}/gu

/** Everything except compatibility ideographs: names contain them, and NFC would replace each by another character. */
const composable = /[^\uf900-\ufaff\u{2f800}-\u{2fa1f}]+/gu

/** A letter or digit, including private-use characters of older input methods and characters of a newer Unicode version. */
const letter = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{Co}\p{Cn}]/u

/**
 * Returns the schema of a text that a shipping label can show. Characters that override the direction are rejected, because
 * the label would show another text than the stored one, and so are angle brackets.
 */
const label = (maxLength: number, readAs: (text: string) => string) =>
  z
    .string('must be a string')
    .check(
      z.overwrite(readAs),
      z.maxLength(maxLength, `must have at most ${maxLength} characters`),
      z.regex(letter, 'must have a letter or a digit'),
      z.regex(
        /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\p{Bidi_Control}<>]*$/u,
        'must be plain text on one line',
      ),
    )

const text = label(maxDeliveryText, (text) =>
  text
    .replace(invisible, '')
    .trim()
    .replace(composable, (part) => part.normalize('NFC')),
)

/** Returns the ISO 3166 code in `code`, or undefined. */
export function countryIn(code: unknown): string | undefined {
  return typeof code === 'string' && isCountry(code) ? code : undefined
}

const address = {
  name: text,
  organization: z.optional(text),
  addressLines: z
    .array(text, 'must be a list')
    .check(
      z.minLength(1, 'must have a line'),
      z.maxLength(maxAddressLines, `must have at most ${maxAddressLines} lines`),
    ),
  dependentLocality: z.optional(text),
  locality: z.optional(text),
  administrativeArea: z.optional(text),
  postalCode: z.optional(label(maxDeliveryText, plainText)),
  postalCountry: readBy(countryIn, 'must be a country code such as "CN" or "DE"'),
  phone: label(maxPhone, plainText),
}

/** The stored delivery. `phone` is in E.164, such as `+493080615040`, or with an extension `+493080615040 ext. 7`. */
export const delivery = z.object(address)
export type OrderDelivery = z.infer<typeof delivery>

/** The request of the form, with the shopper's email address and the language of the page. */
export const deliveryRequest = z.strictObject(
  { ...address, email: contact.shape.email, language: contact.shape.language },
  'must be a JSON object with an address',
)
export type DeliveryRequest = z.infer<typeof deliveryRequest>

const beforeShipping: ReadonlySet<OrderStatus> = new Set(['awaiting-payment', 'paid', 'fulfilled'])

/** True while the delivery of an order in this status can be set or changed. */
export function takesDelivery(status: OrderStatus): boolean {
  return beforeShipping.has(status)
}
