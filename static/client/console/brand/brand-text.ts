/** The brand in its form: in the shape of the API, with the text of an input in the place of each value. */
import { type Brand, type BrandText, brandTextIn, offeredBy } from '../../../../core/brand.ts'
import type { Language } from '../../../../core/language.ts'
import { settingValue } from '../../../../core/sale/settings.ts'
import type { Speaker } from '../lib/kind-words.ts'
import { isSame, type Row, type TextPart, textAt } from '../lib/text-parts.ts'

/** What has words of its own in the form, in its order. */
const fields = [
  ...(['name', 'colours.light', 'colours.dark', 'languages', 'tagline', 'links', 'support'] as const),
  ...(['seller.name', 'seller.address', 'seller.email', 'seller.phone', 'seller.taxId'] as const),
] as const
export type BrandField = Exclude<(typeof fields)[number], 'links'> | 'links.label' | 'links.href'

/** `languages` are those that the shop offers, its own first: each text has an input for each of them. */
export type BrandEntry = Row & { readonly languages: readonly Language[]; readonly links: readonly Row[] }

export function entryOf(brand: Brand): BrandEntry {
  const { name, colours, support, links = [], tagline = {}, seller } = brand
  const languages = offeredBy(brand)
  return {
    ...{ name, colours, support, seller, languages },
    links: links.map(({ label, href }) => ({ label: writtenIn(label, languages), href })),
    tagline: writtenIn(tagline, languages),
  }
}

/** With one language no text is lost: it is the one that readers of that language see so far. */
const writtenIn = (text: BrandText, languages: readonly Language[]): BrandText =>
  Object.fromEntries(
    languages.map((language) => [
      language,
      languages.length === 1 ? brandTextIn(text, language) : (text[language] ?? ''),
    ]),
  )

/** The same texts, written for other languages. */
export function entryFor(entry: BrandEntry, languages: readonly Language[]): BrandEntry {
  const written = (text: TextPart | undefined) => writtenIn((filled(text) ?? {}) as BrandText, languages)
  const links = entry.links.map((link) => ({ ...link, label: written(link.label) }))
  return { ...entry, languages, links, tagline: written(entry.tagline) }
}

/** The parts with a text; undefined without any. */
function filled(part: TextPart | undefined): unknown {
  if (typeof part !== 'object') return part?.trim() || undefined
  const parts = Object.entries(part).map(([name, inner]) => [name, filled(inner)])
  const known = parts.filter(([, inner]) => inner !== undefined)
  return known.length === 0 ? undefined : Object.fromEntries(known)
}

type Filled = { tagline?: BrandText; colours?: object; seller?: object }

/** The brand that was entered, unchecked. What is empty is left out. */
export function brandOf(entry: BrandEntry, logo: string | undefined): unknown {
  const { languages, links, ...texts } = entry
  const { tagline, colours, seller, ...others } = (filled(texts) ?? {}) as Filled
  const inLanguages = {
    ...(links.length > 0 && {
      links: links.map((link) => ({
        label: (filled(link.label) ?? {}) as BrandText,
        href: textAt(link, 'href').trim(),
      })),
    }),
    ...(tagline && { tagline }),
  }
  return {
    ...others,
    ...(logo !== undefined && { logo }),
    ...(colours && { colours: { light: '', dark: '', ...colours } }),
    ...inLanguages,
    // What follows from the texts is not saved with them.
    ...(!isSame(offeredBy(inLanguages), languages) && { languages }),
    ...(seller && { seller: { name: '', address: '', email: '', phone: '', ...seller } }),
  }
}

/** What a saved brand changes, a line for each field. */
export function brandEffects(voice: Pick<Speaker, 't'>, before: BrandEntry, after: BrandEntry): string[] {
  const shown = (entry: BrandEntry, field: string) =>
    textsIn(settingValue(entry, field)).join(' · ') || voice.t('effect.empty')
  return fields
    .map((field) => ({ name: voice.t(`brand.${field}`), before: shown(before, field), after: shown(after, field) }))
    .filter((change) => change.before !== change.after)
    .map((change) => voice.t('effect.brandChange', change))
}

function textsIn(part: unknown): string[] {
  if (typeof part === 'object' && part !== null) return Object.values(part).flatMap(textsIn)
  return typeof part === 'string' && part.trim() !== '' ? [part.trim()] : []
}

/** The path of the input that fills the field of the API at that path. */
export function inputOf(path: string, { languages: [own] }: BrandEntry): string {
  if (path.startsWith('languages')) return 'languages'
  return /^links\.\d+\.label$/.test(path) ? `${path}.${own}` : path
}

/** The field of an input, whose path has the number of a row, and the language of a text. */
export const fieldOf = (path: string): BrandField =>
  path.replace(/\.\d+/, '').replace(/^(tagline|links\.label)\..*/, '$1') as BrandField
