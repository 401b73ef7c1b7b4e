/** The brand of the shop at the command line. */
import type { Command } from 'commander'
import {
  type Brand,
  type BrandRecord,
  type BrandText,
  legalPurposes,
  type Seller,
  shopName,
} from '../../core/brand.ts'
import { languages } from '../../core/language.ts'
import type { Context } from './context.ts'

type BrandFlags = {
  name?: string
  light?: string
  dark?: string
  logo?: string
  support?: string
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
    .option('--tagline <english|chinese>', 'line at the foot of every page; one of the two may be empty')
    .option(
      '--link <english|chinese|address|purpose...>',
      'legal links, all of them; one of the two labels may be empty, and the purpose left out',
    )
    .option(
      '--seller <name|address|email|phone|taxId>',
      'the company that sells; the last part may be left out',
    )
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
function changed(brand: Brand, { light, dark, tagline, link, seller, ...rest }: BrandFlags): Brand {
  return {
    ...brand,
    ...rest,
    ...((light !== undefined || dark !== undefined) && { colours: coloursOf(brand, light, dark) }),
    ...(tagline !== undefined && { tagline: taglineOf(tagline) }),
    ...(link !== undefined && { links: link.map(linkOf) }),
    ...(seller !== undefined && { seller: sellerOf(seller) }),
  }
}

function coloursOf({ colours }: Brand, light = colours?.light, dark = colours?.dark) {
  if (light !== undefined && dark !== undefined) return { light, dark }
  throw new RangeError('a brand needs both colours: give --light and --dark')
}

function taglineOf(text: string) {
  const [en, chinese, ...more] = text.split('|').map((part) => part.trim())
  if (en !== undefined && chinese !== undefined && more.length === 0) return brandText(en, chinese)
  throw new RangeError(`"${text}" is not a tagline: use english|chinese`)
}

function linkOf(text: string) {
  const [en, chinese, href, purpose, ...more] = text.split('|').map((part) => part.trim())
  const known = legalPurposes.find((one) => one === purpose)
  const isWhole = more.length === 0 && known === purpose
  if (en !== undefined && chinese !== undefined && href !== undefined && isWhole) {
    return { label: brandText(en, chinese), href, ...(known && { for: known }) }
  }
  throw new RangeError(
    `"${text}" is not a link: use english|chinese|address, and if need be |${legalPurposes.join(' or |')}`,
  )
}

function sellerOf(text: string): Seller {
  const [name, address, email, phone, taxId, ...more] = text.split('|').map((part) => part.trim())
  if (name && address && email && phone && more.length === 0)
    return { name, address, email, phone, ...(taxId && { taxId }) }
  throw new RangeError(
    `"${text}" is not a seller: use name|address|email|phone, or name|address|email|phone|taxId`,
  )
}

const brandText = (en: string, chinese: string): BrandText => ({
  ...(en !== '' && { en }),
  ...(chinese !== '' && { 'zh-CN': chinese }),
})

/** The text as the options take it, its languages separated by `|`. */
const textLine = (text: BrandText) => languages.map((language) => text[language] ?? '').join(' | ')

function brandLines({ revision, brand }: BrandRecord): string {
  const { logo, colours, links = [], support, tagline, seller } = brand
  return [
    `${shopName(brand, 'en')} (revision ${revision})`,
    ...(logo === undefined ? [] : [`logo     ${logo}`]),
    ...(colours === undefined ? [] : [`colours  ${colours.light} on light, ${colours.dark} on dark screens`]),
    ...(tagline === undefined ? [] : [`tagline  ${textLine(tagline)}`]),
    ...links.map(
      ({ label, href, for: purpose }) =>
        `link     ${textLine(label)} | ${href}${purpose === undefined ? '' : ` | ${purpose}`}`,
    ),
    ...(seller === undefined ? [] : [`seller   ${Object.values(seller).join(' | ')}`]),
    ...(support === undefined ? [] : [`support  ${support}`]),
  ].join('\n')
}
