/** The brand of the shop at the command line. */
import type { Command } from 'commander'
import { type Brand, type BrandRecord, type BrandText, offeredBy, type Seller } from '../../core/brand.ts'
import type { Language } from '../../core/language.ts'
import type { Context } from './context.ts'

type BrandFlags = {
  name?: string
  light?: string
  dark?: string
  logo?: string
  support?: string
  languages?: string
  tagline?: string
  link?: string[]
  seller?: string
  reset?: true
}

export function addBrandCommand(program: Command, { reader, changer, show }: Context): void {
  program
    .command('brand')
    .description('show the brand of the shop, or change what is given')
    .option('--name <name>', 'name of the shop')
    .option('--light <colour>', 'accent on light screens, such as #0b5a8a')
    .option('--dark <colour>', 'accent on dark screens, such as #7cc4f0')
    .option('--logo <src>', 'src of an uploaded picture')
    .option('--support <address>', 'e-mail or https address')
    .option('--languages <tags>', 'languages of the pages, the shop’s own first, such as de,en')
    .option('--tagline <texts>', 'line at the foot of every page: a text|for each language, or empty')
    .option('--link <texts|address...>', 'legal links, all of them: a label|for each language|address')
    .option('--seller <name|address|email|phone|taxId>', 'the company that sells; the last part may be left out')
    .option('--reset', 'forget what was set before')
    .action(async ({ reset, ...flags }: BrandFlags) => {
      const isChange = reset === true || Object.keys(flags).length > 0
      const client = await (isChange ? changer() : reader())
      const { revision, brand } = await client.brand()
      const base = reset === true ? {} : brand
      const record = isChange
        ? await client.changeBrand({ revision, brand: changed(base, flags) })
        : { revision, brand }
      show(record, brandLines)
    })
}

/** @throws RangeError for a text without its parts */
function changed(before: Brand, { light, dark, languages: tags, tagline, link, seller, ...rest }: BrandFlags): Brand {
  const brand = tags === undefined ? before : { ...before, languages: tags.split(',').map((tag) => tag.trim()) }
  const languages = offeredBy(brand)
  return {
    ...brand,
    ...rest,
    ...((light !== undefined || dark !== undefined) && { colours: coloursOf(brand, light, dark) }),
    ...(tagline !== undefined && {
      tagline: textOf(partsOf(tagline, languages.length, 'tagline'), languages),
    }),
    ...(link !== undefined && { links: link.map((one) => linkOf(one, languages)) }),
    ...(seller !== undefined && { seller: sellerOf(seller) }),
  }
}

function coloursOf({ colours }: Brand, light = colours?.light, dark = colours?.dark) {
  if (light !== undefined && dark !== undefined) return { light, dark }
  throw new RangeError('a brand needs both colours: give --light and --dark')
}

function linkOf(text: string, languages: readonly Language[]) {
  const parts = partsOf(text, languages.length + 1, 'link')
  return { label: textOf(parts, languages), href: parts.at(-1) ?? '' }
}

function sellerOf(text: string): Seller {
  const [name, address, email, phone, taxId, ...more] = text.split('|').map((part) => part.trim())
  if (name && address && email && phone && more.length === 0)
    return { name, address, email, phone, ...(taxId && { taxId }) }
  throw new RangeError(`"${text}" is not a seller: use name|address|email|phone, or name|address|email|phone|taxId`)
}

function partsOf(text: string, count: number, what: string): string[] {
  const parts = text.split('|').map((part) => part.trim())
  if (parts.length === count) return parts
  throw new RangeError(`"${text}" is not a ${what}: it must have ${count} parts, separated by |`)
}

const textOf = (parts: readonly string[], languages: readonly Language[]): BrandText =>
  Object.fromEntries(
    languages.map((language, at) => [language, parts[at] ?? ''] as const).filter(([, text]) => text !== ''),
  )

function brandLines({ revision, brand }: BrandRecord): string {
  const languages = offeredBy(brand)
  const textLine = (text: BrandText) => languages.map((language) => text[language] ?? '').join(' | ')
  const { logo, colours, links = [], support, tagline, seller } = brand
  return [
    `${brand.name ?? 'Shop'} (revision ${revision})`,
    `languages ${languages.join(', ')}`,
    ...(logo === undefined ? [] : [`logo     ${logo}`]),
    ...(colours === undefined ? [] : [`colours  ${colours.light} on light, ${colours.dark} on dark screens`]),
    ...(tagline === undefined ? [] : [`tagline  ${textLine(tagline)}`]),
    ...links.map(({ label, href }) => `link     ${textLine(label)} | ${href}`),
    ...(seller === undefined ? [] : [`seller   ${Object.values(seller).join(' | ')}`]),
    ...(support === undefined ? [] : [`support  ${support}`]),
  ].join('\n')
}
