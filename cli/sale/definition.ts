/**
 * The definition of a sale at the command line: a file with the fields of the API, and options for the fields that people
 * type. Both are validated as the API does, so that the error names every fault at once.
 */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { textOfFile } from '../../core/lib/file-text.ts'
import { detailsOfFaults } from '../../core/lib/parse.ts'
import { isTimeZone } from '../../core/lib/text.ts'
import { isCurrency, minorDigits } from '../../core/money.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { type Sale, type SaleEdit, saleDefinition, saleEdit } from '../../core/sale/sale.ts'
import { readTime } from './time.ts'

/** The options of `create` and `edit`, by their names without dashes. */
export type DefinitionFlags = {
  title?: string
  description?: string
  picture?: string
  price?: string
  currency?: string
  stock?: string
  total?: string
  starts?: string
  ends?: string
  limit?: string
  origins?: string
}

export const definitionOptions: readonly Option[] = [
  new Option('--title <text>', 'title'),
  new Option('--description <text>', 'description on the page'),
  new Option('--picture <picture>', 'https URL or site path, a space, and what the picture shows in words'),
  new Option('--price <amount>', 'price per unit, such as 0.10'),
  new Option('--currency <code>', 'ISO 4217 code, such as CNY'),
  new Option('--stock <units>', 'units in stock, -1 for unlimited; red packets: how many'),
  new Option('--total <amount>', 'red packets: total amount, such as 5000.00'),
  new Option(
    '--starts <time>',
    'start time: +90s, +5m, or ISO 8601 with an offset, or without one in the time zone of the sale',
  ),
  new Option('--ends <time>', 'end time: +2h, or ISO 8601 like the start'),
  new Option('--limit <units>', 'limit per person (default for a new sale: 1)'),
  new Option('--origins <origins>', 'pages of other sites that may sell it, with commas between them'),
]

type Fields = Record<string, unknown>

/**
 * Returns the definition of a new sale from a file, options or both. Defaults: goods, and one unit for each shopper.
 * @throws RangeError that names every fault
 */
export function newDefinition(
  file: string | undefined,
  flags: DefinitionFlags & { id?: string; kind?: string },
  now: number,
): Fields {
  const { id, kind, ...options } = flags
  const given = file === undefined ? {} : readFields(file)
  const named = { ...(id !== undefined && { saleId: id }), ...(kind !== undefined && { kind }) }
  const fields = { kind: 'goods', limitPerShopper: 1, maxPerOrder: 1, ...given, ...named }
  return validated(saleDefinition, { ...fields, ...fieldsOf(options, fields, now) })
}

/**
 * Returns the change of `sale` from a file, options or both.
 * @throws RangeError that names every fault
 */
export function saleEditFrom(file: string | undefined, flags: DefinitionFlags, sale: Sale, now: number): SaleEdit {
  const given = file === undefined ? {} : readFields(file)
  return validated(saleEdit, { ...given, ...fieldsOf(flags, { ...sale, ...given }, now) })
}

/** Validates `fields` and returns them unchanged. @throws RangeError that names every fault that the schema finds */
export function validated<F extends Fields>(schema: Parameters<typeof detailsOfFaults>[0], fields: F): F {
  const faults = detailsOfFaults(schema, fields)
  if (faults.length > 0) throw new RangeError(faults.join('\n'))
  return fields
}

/** Reads one JSON object from a file. @throws RangeError, or SyntaxError when the file is not JSON */
export function readFields(file: string): Fields {
  const content: unknown = JSON.parse(textOfFile(file, readFileSync(file)))
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  throw new RangeError(`${file} must contain one JSON object`)
}

/** Returns the fields that the options set. `known` has the other fields of the sale. */
function fieldsOf(flags: DefinitionFlags, known: Fields, now: number): Fields {
  const { title, description, currency = known.currency } = flags
  const amount = (text: string) => readAmount(text, typeof currency === 'string' ? currency : undefined)
  const zone = typeof known.timeZone === 'string' && isTimeZone(known.timeZone) ? known.timeZone : undefined
  const [count, total] = [readOptional(flags.stock, readWhole), readOptional(flags.total, amount)]
  const packets = known.kind === 'red-packet' && {
    ...(known.packets as object),
    ...given({ count, totalAmount: total }),
  }
  return given({
    ...{ title, description, currency: flags.currency, stock: count },
    pictures: readOptional(flags.picture, readPicture),
    price: readOptional(flags.price, amount),
    packets: count === undefined && total === undefined ? undefined : packets || undefined,
    startsAt: readOptional(flags.starts, (text) => readTime(text, now, zone)),
    endsAt: readOptional(flags.ends, (text) => readTime(text, now, zone)),
    limitPerShopper: readOptional(flags.limit, readWhole),
    allowedOrigins: readOptional(flags.origins, (text) => text.split(',').map((origin) => origin.trim())),
  })
}

/** Reads a picture such as `/assets/pictures/mug.svg A blue mug`: an address has no spaces. */
function readPicture(text: string): Fields[] {
  const [, src, alt] = /^(\S+)\s+(\S.*)$/s.exec(text) ?? []
  if (src !== undefined) return [{ src, alt }]
  throw new RangeError(
    `"${text}" is not a picture: use its address, a space, and its text, such as "/assets/pictures/mug.svg A blue mug"`,
  )
}

const readOptional = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text)

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Returns an example of that kind to edit and create; the sale lasts for an hour, a day after `now`. */
export function exampleDefinition(kind: SaleKind, now: number): Fields {
  const startsAt = now + 86_400_000
  const own = {
    goods: { title: 'Autumn mug', description: 'Ten of them.', price: 1990, stock: 10 },
    coupon: { title: 'Free tea', description: 'One pot each.', stock: 100 },
    'red-packet': { title: 'Lucky rain', description: 'One each.', packets: { count: 100, totalAmount: 50_000 } },
  }
  const limits = kind === 'red-packet' ? {} : { limitPerShopper: 1, maxPerOrder: 1 }
  const shown = { pictures: [{ src: '/assets/pictures/mug.svg', alt: 'A brown mug' }], currency: 'EUR' }
  const times = { startsAt, endsAt: startsAt + 3_600_000 }
  return { saleId: `my-${kind}`, kind, ...own[kind], ...shown, ...limits, ...times }
}

/**
 * Reads an amount in major units, such as `0.10` or `25`, as minor units of `currency`.
 * @throws RangeError for other text, and for more decimals than the currency has: nothing is rounded
 */
export function readAmount(text: string, currency: string | undefined): number {
  if (currency === undefined) throw new RangeError('an amount needs a currency: add --currency, such as CNY')
  if (!isCurrency(currency)) throw new RangeError(`"${currency}" is not an ISO 4217 code such as CNY or EUR`)
  const [, units, decimals = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? []
  if (units === undefined) throw new RangeError(`"${text}" is not an amount: use digits, such as 0.10`)
  const digits = minorDigits(currency)
  if (decimals.length > digits) {
    throw new RangeError(`"${text}" has more decimals than ${currency}, which has ${digits}`)
  }
  return Number(units + decimals.padEnd(digits, '0'))
}

export function readWhole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new RangeError(`"${text}" is not a whole number`)
  return Number(text)
}
