/**
 * A shop's brand: name, colours, links and texts on its pages and emails. Every part is optional: the default name is
 * “Shop” (商店), the default colours are those of `static/styles/tokens.css`.
 */
import * as z from 'zod/mini'
import { accentContrast, minContrast, type Scheme, surfaces } from './contrast.ts'
import { defaultLanguages, type Language, maxLanguages } from './language.ts'
import { whole } from './lib/parse.ts'
import { languageTag, line } from './lib/text.ts'
import { isEmailAddress } from './people/contact.ts'
import { uploadedPicture } from './sale/pictures.ts'

export const maxBrandName = 60
export const maxTagline = 160
export const maxLegalLinks = 6
export const maxLinkLabel = 40
export const maxBrandAddress = 300
export const maxSellerText = 200

const languageRequired = 'must have a text for at least one language, such as en'

/** Returns the schema of a text by language, in at least one language. */
const inLanguages = (max: number) =>
  z.record(languageTag(), line(max), languageRequired).check(
    z.refine((text) => languagesIn(text).length > 0, languageRequired),
    z.refine((text) => languagesIn(text).length <= maxLanguages, `must have at most ${maxLanguages} languages`),
  )

export type BrandText = Readonly<Record<Language, string>>

export const languagesIn = (text: BrandText): Language[] =>
  Object.keys(text).filter((language) => text[language] !== undefined)

/** Returns the text in `language`, or in its first language. */
export function brandTextIn(text: BrandText, language: Language): string {
  return text[language] ?? text[languagesIn(text)[0] ?? ''] ?? ''
}

/**
 * Returns the languages that a shop offers, its own first. If the brand names none, they are the only
 * language of all its texts, or else the default languages.
 */
export function offeredLanguages({
  languages,
  tagline,
  links = [],
}: Pick<Brand, 'languages' | 'tagline'> & {
  links?: readonly { label: BrandText }[] | undefined
}): readonly Language[] {
  if (languages !== undefined) return languages
  const texts = [...(tagline === undefined ? [] : [tagline]), ...links.map(({ label }) => label)]
  const usedLanguages = [...new Set(texts.flatMap(languagesIn))]
  return usedLanguages.length === 1 ? usedLanguages : defaultLanguages
}

/** True when `text` is `#rrggbb`. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Returns the schema of an accent colour with enough contrast to the page, to cards and to the text on it. */
const accent = (scheme: Scheme) =>
  z.string('must be a string').check(
    z.refine(isColour, { error: 'must be a colour such as #bf3617', abort: true }),
    z.refine((colour) => accentContrast(colour, scheme) >= minContrast, {
      error: ({ input }) =>
        `has a contrast of ${accentContrast(String(input), scheme)}:1 with the page (${surfaces[scheme][0]}), a card (${surfaces[scheme][1]}) or the text on it; it must have at least ${minContrast}:1`,
    }),
  )

/** True for an https address or a path on this site. */
const isLink = (text: string): boolean =>
  text.length <= maxBrandAddress && /^(?:https:\/\/[^\s"'<>/][^\s"'<>]*|\/(?!\/)[A-Za-z0-9_./-]*)$/.test(text)

/** True for an email address or an https address. */
const isSupportAddress = (text: string): boolean =>
  text.length <= maxBrandAddress && (isEmailAddress(text) || (isLink(text) && !text.startsWith('/')))

const address = (is: (text: string) => boolean, message: string) =>
  z.string('must be a string').check(z.refine(is, message))

/** The selling company, as receipts and emails name it. `taxId` is its VAT number or similar. */
const seller = z.strictObject(
  {
    name: line(maxSellerText),
    address: line(maxSellerText),
    email: address(isEmailAddress, 'must be an email address'),
    phone: line(maxSellerText),
    taxId: z.optional(line(maxSellerText)),
  },
  'must be an object with name, address, email and phone',
)

export const brand = z.strictObject(
  {
    name: z.optional(line(maxBrandName)),
    logo: z.optional(address((src) => uploadedPicture(src) !== undefined, 'must be the src of an uploaded picture')),
    colours: z.optional(
      z.strictObject({ light: accent('light'), dark: accent('dark') }, 'must be an object with light and dark'),
    ),
    links: z.optional(
      z
        .array(
          z.strictObject(
            {
              label: inLanguages(maxLinkLabel),
              href: address(isLink, 'must be an https address or a path of this shop'),
            },
            'must be an object with label and href',
          ),
          'must be an array',
        )
        .check(z.maxLength(maxLegalLinks, `must have at most ${maxLegalLinks} links`)),
    ),
    support: z.optional(address(isSupportAddress, 'must be an email address or an https address')),
    tagline: z.optional(inLanguages(maxTagline)),
    seller: z.optional(seller),
    languages: z.optional(
      z.array(languageTag(), 'must be an array of language tags').check(
        z.minLength(1, 'must have at least one language'),
        z.maxLength(maxLanguages, `must have at most ${maxLanguages} languages`),
        z.refine((all) => new Set(all).size === all.length, 'must name each language once'),
      ),
    ),
  },
  'must be an object',
)

/**
 * `logo` is the `src` of an uploaded picture (`core/sale/pictures.ts`). `colours` are the accents for light and dark, as
 * `#rrggbb`. `languages` are those of the pages, the shop's own first.
 */
export type Brand = z.infer<typeof brand>

/** `revision` is 0 before the first save. A save sends the revision that it changes. */
export const brandRecord = z.strictObject(
  { revision: whole(0, Number.MAX_SAFE_INTEGER), brand },
  'must be a JSON object with revision and brand',
)

export type BrandRecord = z.infer<typeof brandRecord>

/** Returns the address behind the support link. */
export const supportHref = (support: string): string => (support.startsWith('https://') ? support : `mailto:${support}`)
