/** The brand as it stands in its form: a text for each input. */
import { type Brand, type BrandText, brandTextIn, languagesIn, offeredBy } from '../../../../core/brand.ts'
import type { Language } from '../../../../core/language.ts'
import type { brandFormMessages } from '../../../messages/catalogues.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Key } from '../lib/kind-words.ts'

const sellerInputs = ['sellerName', 'sellerAddress', 'sellerEmail', 'sellerPhone', 'sellerTaxId'] as const
const brandInputs = ['name', 'light', 'dark', 'support', 'languages', 'links', 'tagline', ...sellerInputs] as const
export type BrandInput = (typeof brandInputs)[number]
export type BrandTexts = Readonly<Record<BrandInput, string>>

/** Each legal link is a line: its label in each language of the shop, its address, and what it is for, if that is known. */
const separator = '|'

/** The languages that are entered, the shop's own first. */
export const languagesOf = ({ languages }: Pick<BrandTexts, 'languages'>): readonly Language[] =>
  languages.split(' ').filter((language) => language !== '')

export function textsOfBrand(brand: Brand): BrandTexts {
  const { name, colours, support, links = [], tagline, seller } = brand
  const languages = offeredBy(brand)
  return {
    name: name ?? '',
    light: colours?.light ?? '',
    dark: colours?.dark ?? '',
    support: support ?? '',
    languages: languages.join(' '),
    links: links.map((link) => lineOf(link, languages)).join('\n'),
    tagline: tagline === undefined ? '' : partsOf(tagline, languages).join('\n'),
    sellerName: seller?.name ?? '',
    sellerAddress: seller?.address ?? '',
    sellerEmail: seller?.email ?? '',
    sellerPhone: seller?.phone ?? '',
    sellerTaxId: seller?.taxId ?? '',
  }
}

/** With one language no text is lost: it is the one that readers of that language see so far. */
const partsOf = (text: BrandText, languages: readonly Language[]): string[] =>
  languages.length === 1 ? [brandTextIn(text, languages[0] ?? 'en')] : languages.map((language) => text[language] ?? '')

type TypedLink = { label: BrandText; href: string }

const lineOf = ({ label, href }: TypedLink, languages: readonly Language[]) =>
  [...partsOf(label, languages), href].join(` ${separator} `)

/** The same texts, written for other languages; links that cannot be read stay as they are. */
export function textsFor(texts: BrandTexts, after: readonly Language[]): BrandTexts {
  const before = languagesOf(texts)
  const links = linesIn(texts.links).map((line) => {
    const { href, ...link } = linkIn(line, before)
    return href === undefined ? line : lineOf({ ...link, href }, after)
  })
  const tagline = textOf(texts.tagline.split('\n'), before)
  return {
    ...texts,
    languages: after.join(' '),
    links: links.join('\n'),
    tagline: languagesIn(tagline).length === 0 ? '' : partsOf(tagline, after).join('\n'),
  }
}

/** What a saved brand changes, a line for each input. */
export function brandEffects(
  voice: { t(key: Key | keyof typeof brandFormMessages, args?: Arguments): string },
  before: BrandTexts,
  after: BrandTexts,
): string[] {
  const shown = (text: string) => (text.trim() === '' ? voice.t('effect.empty') : text.trim())
  return brandInputs
    .filter((name) => before[name].trim() !== after[name].trim())
    .map((name) =>
      voice.t('effect.brandChange', {
        name: voice.t(`brand.${name}`),
        ...{ before: shown(before[name]), after: shown(after[name]) },
      }),
    )
}

/** The brand that was entered in the languages of the shop, unchecked. What is empty is left out. */
export function brandOfTexts(texts: BrandTexts, logo: string | undefined): unknown {
  const { name, light, dark, support, links, tagline } = texts
  const languages = languagesOf(texts)
  const lines = linesIn(links)
  const line = textOf(tagline.split('\n'), languages)
  const others = {
    ...(lines.length > 0 && { links: lines.map((one) => linkIn(one, languages)) }),
    ...(languagesIn(line).length > 0 && { tagline: line }),
  }
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(logo !== undefined && { logo }),
    ...(light.trim() + dark.trim() !== '' && { colours: { light: light.trim(), dark: dark.trim() } }),
    ...others,
    ...(support.trim() !== '' && { support: support.trim() }),
    // What follows from the texts is not saved with them.
    ...(offeredBy(others).join(' ') !== texts.languages && { languages }),
    ...(sellerInputs.some((one) => texts[one].trim() !== '') && { seller: sellerOf(texts) }),
  }
}

function sellerOf(texts: BrandTexts) {
  const [name, address, email, phone, taxId] = sellerInputs.map((one) => texts[one].trim())
  return { name, address, email, phone, ...(taxId !== '' && { taxId }) }
}

const linesIn = (links: string): string[] => links.split('\n').filter((line) => line.trim() !== '')

/** What is typed for each of the languages, in their order; what is empty is left out. */
function textOf(typed: readonly string[], languages: readonly Language[]): BrandText {
  const texts = languages.map((language, at) => [language, (typed[at] ?? '').trim()])
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/** Without an address if the line has other parts than its labels and that. */
function linkIn(line: string, languages: readonly Language[]): Omit<TypedLink, 'href'> & { href: string | undefined } {
  const parts = line.split(separator).map((part) => part.trim())
  const count = languages.length
  const isWhole = parts.length === count + 1
  return { label: textOf(parts.slice(0, count), languages), href: isWhole ? parts[count] : undefined }
}

const inputs: Readonly<Record<string, BrandInput>> = {
  'colours.dark': 'dark',
  colours: 'light',
  'seller.name': 'sellerName',
  'seller.address': 'sellerAddress',
  'seller.email': 'sellerEmail',
  'seller.phone': 'sellerPhone',
  'seller.taxId': 'sellerTaxId',
}

/** The input that fills the field of the API at that path. */
export function inputOf(path: string): BrandInput {
  const [field = ''] = path.split('.')
  return inputs[path] ?? inputs[field] ?? brandInputs.find((name) => name === field) ?? 'name'
}
