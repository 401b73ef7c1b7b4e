/** The brand of the shop at the command line. */
import type { Command } from 'commander'
import { type BrandRecord, type BrandText, brand as brandSchema, offeredBy } from '../../core/brand.ts'
import type { Context } from './context.ts'
import { checked, readFields } from './definition.ts'

export function addBrandCommand(program: Command, { reader, changer, show }: Context): void {
  program
    .command('brand [file]')
    .description('show the brand of the shop, or change the parts that a JSON file names')
    .option('--reset', 'forget what was set before')
    .action(async (file: string | undefined, { reset }: { reset?: true }) => {
      const isChange = reset === true || file !== undefined
      const client = await (isChange ? changer() : reader())
      const record = await client.brand()
      if (!isChange) return show(record, brandLines)
      const given = file === undefined ? {} : readFields(file)
      const brand = checked(brandSchema, { ...(reset !== true && record.brand), ...given })
      show(await client.changeBrand({ revision: record.revision, brand }), brandLines)
    })
}

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
