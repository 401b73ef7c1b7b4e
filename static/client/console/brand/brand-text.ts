/** The brand as it stands in its form: a text for each input. */
import {
  type Brand,
  type BrandText,
  brandTextIn,
  type LegalPurpose,
  languagesIn,
  legalPurposes,
  onlyLanguage,
} from '../../../../core/brand.ts'
import { type Language, languages } from '../../../../core/language.ts'
import type { brandFormMessages } from '../../../messages/console/brand.ts'
import type { Arguments } from '../../../messages/text.ts'
import type { Key } from '../lib/kind-words.ts'

const sellerInputs = ['sellerName', 'sellerAddress', 'sellerEmail', 'sellerPhone', 'sellerTaxId'] as const
const brandInputs = [
  ...['name', 'light', 'dark', 'support', 'links', 'taglineEn', 'taglineZh'],
  ...sellerInputs,
] as const
export type BrandInput = (typeof brandInputs)[number]
export type BrandTexts = Readonly<Record<BrandInput, string>>

/** The languages that the shop writes its tagline and its links in. */
export const languageChoices = ['both', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

const chosenIn = (choice: LanguageChoice): readonly Language[] => (choice === 'both' ? languages : [choice])

/** Each legal link is a line: its label in each language of the shop, its address, and what it is for, if that is known. */
const separator = '|'

/** Both, unless all texts are in the same one. */
export const languagesOfBrand = (brand: Brand): LanguageChoice => onlyLanguage(brand) ?? 'both'

export function textsOfBrand(brand: Brand): BrandTexts {
  const { name, colours, support, links = [], tagline, seller } = brand
  return {
    name: name ?? '',
    light: colours?.light ?? '',
    dark: colours?.dark ?? '',
    support: support ?? '',
    links: linesOf(links, languagesOfBrand(brand)),
    taglineEn: tagline?.en ?? '',
    taglineZh: tagline?.['zh-CN'] ?? '',
    sellerName: seller?.name ?? '',
    sellerAddress: seller?.address ?? '',
    sellerEmail: seller?.email ?? '',
    sellerPhone: seller?.phone ?? '',
    sellerTaxId: seller?.taxId ?? '',
  }
}

/** With one language no label is lost: it is the one that readers of that language see so far. */
function linesOf(links: NonNullable<Brand['links']>, choice: LanguageChoice): string {
  const labels = (label: BrandText) =>
    choice === 'both' ? languages.map((language) => label[language] ?? '') : [brandTextIn(label, choice)]
  return links
    .map(({ label, href, for: purpose }) =>
      [...labels(label), href, ...(purpose === undefined ? [] : [purpose])].join(` ${separator} `),
    )
    .join('\n')
}

/** The lines of the links, written for other languages; those that cannot be read stay as they are. */
export function linesFor(lines: string, before: LanguageChoice, after: LanguageChoice): string {
  return linesIn(lines)
    .map((line) => {
      const { href, ...link } = linkIn(line, before)
      return href === undefined ? line : linesOf([{ ...link, href }], after)
    })
    .join('\n')
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
export function brandOfTexts(texts: BrandTexts, choice: LanguageChoice, logo: string | undefined): unknown {
  const { name, light, dark, support, links, taglineEn, taglineZh } = texts
  const lines = linesIn(links)
  const taglines: Record<Language, string> = { en: taglineEn, 'zh-CN': taglineZh }
  const tagline = textOf(
    chosenIn(choice).map((language) => taglines[language]),
    choice,
  )
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(logo !== undefined && { logo }),
    ...(light.trim() + dark.trim() !== '' && { colours: { light: light.trim(), dark: dark.trim() } }),
    ...(lines.length > 0 && { links: lines.map((line) => linkIn(line, choice)) }),
    ...(support.trim() !== '' && { support: support.trim() }),
    ...(languagesIn(tagline).length > 0 && { tagline }),
    ...(sellerInputs.some((one) => texts[one].trim() !== '') && { seller: sellerOf(texts) }),
  }
}

function sellerOf(texts: BrandTexts) {
  const [name, address, email, phone, taxId] = sellerInputs.map((one) => texts[one].trim())
  return { name, address, email, phone, ...(taxId !== '' && { taxId }) }
}

const linesIn = (links: string): string[] => links.split('\n').filter((line) => line.trim() !== '')

/** What is typed for each of the chosen languages, in their order; what is empty is left out. */
function textOf(typed: readonly string[], choice: LanguageChoice): BrandText {
  const texts = chosenIn(choice).map((language, at) => [language, (typed[at] ?? '').trim()])
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

type TypedLink = { label: BrandText; href: string | undefined; for?: LegalPurpose }

/** Without an address if the line has other parts than its labels, that, and what it is for. */
function linkIn(line: string, choice: LanguageChoice): TypedLink {
  const parts = line.split(separator).map((part) => part.trim())
  const count = chosenIn(choice).length
  const purpose = legalPurposes.find((one) => one === parts[count + 1])
  const isWhole = parts.length === count + 1 || (parts.length === count + 2 && purpose !== undefined)
  return {
    label: textOf(parts.slice(0, count), choice),
    href: isWhole ? parts[count] : undefined,
    ...(purpose !== undefined && { for: purpose }),
  }
}

const inputs: Readonly<Record<string, BrandInput>> = {
  'colours.dark': 'dark',
  colours: 'light',
  'tagline.zh-CN': 'taglineZh',
  tagline: 'taglineEn',
  links: 'links',
  support: 'support',
  'seller.name': 'sellerName',
  'seller.address': 'sellerAddress',
  'seller.email': 'sellerEmail',
  'seller.phone': 'sellerPhone',
  'seller.taxId': 'sellerTaxId',
}

/** The input that fills the field of the API at that path. */
export function inputOf(path: string): BrandInput {
  return inputs[path] ?? inputs[path.split('.')[0] ?? ''] ?? 'name'
}
