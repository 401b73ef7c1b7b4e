/**
 * Turns a file and flags into the fields of `/api/control`. It checks only the form of times,
 * amounts and numbers: the API checks the rest, and its answer names the field.
 */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { ofFirstWave } from '../../core/packets/packets.ts'
import { copyOf } from '../../core/sale/copy-sale.ts'
import { removable, type Sale, type SaleDefinition, stockOfVariants } from '../../core/sale/sale.ts'
import { type SettingName, settingNames, settingOf } from '../../core/sale/settings.ts'
import { basketUnits, stocksById } from '../../core/sale/variants.ts'
import { ofFirstWindow } from '../../core/sale/windows.ts'
import { readAmount } from './amount.ts'
import { readSchedule, type ScheduleFlags } from './schedule.ts'
import { settingOptions } from './setting-flags.ts'
import { readTime } from './time.ts'
import { readUnits, readVariants, variantsIn } from './variants.ts'

/**
 * The options of `create` and `edit`, by their names without dashes. Amounts are in major units of
 * the currency; a file holds the API's own fields, so its amounts are in minor units.
 */
export type DefinitionFlags = ScheduleFlags & {
  file?: string
  kind?: string
  window?: string[]
  variant?: string[]
  [name: string]: string | string[] | undefined
}

/** The options of the settings: the setting and its name without dashes, such as `pay-within`. */
export const settingFlags = settingNames.flatMap((name) => {
  if (name === 'saleId') return []
  const { as } = settingOf(name)
  const option = new Option(...settingOptions[name])
  return [{ name, option: as === 'pictures' ? option.argParser(oneMore) : option }]
})

/** An option that may be given several times. */
function oneMore(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

type Fields = Record<string, unknown>

/** Fields of the sale that an edit may leave out: its currency, and the other half of a pair. */
type Known = Pick<Sale, 'currency' | 'variants' | (typeof wholeGroups)[number]>

/** A new sale, like `former` where flags and file say nothing. Defaults: goods, and one unit per shopper. */
export function newDefinition(
  saleId: string,
  flags: DefinitionFlags,
  now: number,
  former?: Sale | SaleDefinition,
): Fields {
  const copy = former && copyOf(former, now)
  const known = former && { ...former, variants: copy?.variants }
  const fields = { ...(copy ?? usual), ...readDefinition(flags, now, known), saleId }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

const usual = { kind: 'goods', limitPerShopper: 1, maxPerOrder: 1 }

/** A change of `sale`. */
export function readEdit(flags: DefinitionFlags, sale: Known, now: number): Fields {
  return readDefinition(flags, now, sale)
}

/**
 * The fields of the file and the flags; flags override the file. Times become epoch ms. With
 * windows, start, end, stock and packets are those of the first; the number of packets is the
 * stock.
 * @throws RangeError for an invalid time, amount, throttle, window or JSON object
 */
export function readDefinition(flags: DefinitionFlags, now: number, known?: Known): Fields {
  rejectBoth(flags, ['window'], ['starts', 'ends', 'stock', 'packets', 'total', 'every-day'])
  rejectBoth(flags, ['every-day'], ['starts', 'ends'])
  rejectBoth(flags, ['packets', 'total'], ['stock'])
  rejectBoth(flags, ['variant'], ['stock', 'packets', 'total'])
  const fields = flags.file === undefined ? {} : readDefinitionFile(flags.file)
  const currency = textOf(flags.currency) ?? currencyIn(fields) ?? known?.currency
  if (flags.kind !== undefined) fields.kind = flags.kind
  if (flags.window !== undefined) fields.windows = flags.window.map((text) => readWindow(text, currency))
  for (const { name, option } of settingFlags) {
    const given = flags[option.attributeName()]
    if (given === undefined) continue
    const [field = '', ...parts] = name.split('.')
    const value = typeof given === 'string' ? readSetting(name, given, currency) : given.map(readPicture)
    const before = fields[field] ?? knownOf(field, known)
    fields[field] = value === null ? null : withPart(before, parts, value)
  }
  // Only the list counts then, as long as the sale runs.
  if (flags.earlyList === 'only' && flags.earlyMinutes === undefined)
    fields.earlyAccess = withPart(fields.earlyAccess, ['minutes'], 'none')
  const firstUnits = flags.window?.map(unitsInWindow)[0]
  if (flags.variant !== undefined) fields.variants = readVariants(flags.variant, firstUnits, known?.variants)
  const spans = readSchedule(flags)
  if (spans !== undefined) {
    const each = unitsOfEach({ variants: known?.variants, ...fields })
    fields.windows = spans.map((span) => ({ ...span, ...each }))
  }
  return withDerived(withTimes(fields, now))
}

/** The fields of each window of a schedule beside its times. */
function unitsOfEach({ stock, packets, variants }: Fields): Fields {
  const some = variantsIn(variants)
  if (some !== undefined) return { stock: stockOfVariants(some), units: stocksById(some) }
  const { count, totalAmount } = isFields(packets) ? packets : {}
  return count === undefined ? { stock } : { stock: count, totalAmount }
}

/** Without its first part, such as the minutes of early access or the opening of a draw, a sale has no such group. */
const firstParts = removable.map((field) => settingNames.find((name) => name.split('.')[0] === field))

const partsThatMayGo: readonly SettingName[] = [
  'earlyAccess.minLevel',
  'delivery.costs',
  'delivery.freeAbove',
  'draw.series',
  'draw.odds',
  'draw.prizeValue',
  'standby.rank',
]

function readSetting(name: SettingName, text: string, currency: string | undefined): unknown {
  if (text === 'none' && firstParts.includes(name)) return null
  // The level alone may go, when the list says who buys early, and what delivery costs.
  if (text === 'none' && partsThatMayGo.includes(name)) return text
  return readers[settingOf(name).as](text, currency)
}

/** `/assets/pictures/mug.svg A blue mug` as a picture: an address has no spaces. */
function readPicture(text: string): Fields {
  const [, src, alt] = /^(\S+)\s+(\S.*)$/s.exec(text) ?? []
  if (src === undefined)
    throw new RangeError(
      `"${text}" is not a picture: use its address, a space, and its text, such as "/assets/pictures/mug.svg A blue mug"`,
    )
  return { src, alt }
}

/** How the text of each option is read. Times are read later, as those of a file are. */
const readers: Readonly<
  Record<ReturnType<typeof settingOf>['as'], (text: string, currency: string | undefined) => unknown>
> = {
  id: (text) => text,
  text: (text) => text,
  pictures: (text) => [readPicture(text)],
  code: (text) => text,
  money: readAmount,
  units: readWhole,
  decimal: readNumber,
  time: (text) => text,
  minutes: readWhole,
  choice: (text) => text,
  rule: readThrottle,
  countries: readCountries,
  costs: readCosts,
  origins: readOrigins,
}

/** An edit of one of these groups names all of it; the API merges the rest itself. */
const wholeGroups = ['packets', 'delivery', 'coupons', 'translations', 'earlyAccess', 'draw', 'standby'] as const

function knownOf(field: string, known: Known | undefined): unknown {
  const group = wholeGroups.find((one) => one === field)
  return group && known?.[group]
}

/** A group of settings with one of them changed, by the path to it; `none` removes it. */
function withPart(before: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value
  const fields = isFields(before) ? before : {}
  const parts = { ...fields, [part]: withPart(fields[part], rest, value) }
  return Object.fromEntries(Object.entries(parts).filter(([, other]) => other !== 'none'))
}

function textOf(flag: string | string[] | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined
}

/** Rejects flags that exclude each other. */
function rejectBoth(flags: DefinitionFlags, ones: readonly string[], others: readonly string[]): void {
  const isGiven = (name: string) => flags[new Option(`--${name}`).attributeName()] !== undefined
  const one = ones.find(isGiven)
  const other = others.find(isGiven)
  if (one === undefined || other === undefined) return
  const rest = others.map((name) => `--${name}`).join(', ')
  throw new RangeError(`--${one} excludes the others: leave out ${rest}`)
}

const times = ['startsAt', 'endsAt', 'validFrom', 'validUntil', 'opensAt', 'closesAt']

/** The fields with all times, also of windows and coupons, in epoch ms. */
function withTimes(fields: Fields, now: number): Fields {
  const timed = { ...fields }
  for (const name of times) {
    const value = fields[name]
    if (typeof value === 'string') timed[name] = readTime(value, now)
  }
  const { windows } = fields
  for (const group of ['coupons', 'draw']) {
    const some = fields[group]
    if (isFields(some)) timed[group] = withTimes(some, now)
  }
  if (Array.isArray(windows)) {
    timed.windows = windows.map((saleWindow: unknown) =>
      isFields(saleWindow) ? withTimes(saleWindow, now) : saleWindow,
    )
  }
  return timed
}

/** Adds the fields that follow from windows, packets and variants. */
function withDerived(fields: Fields): Fields {
  const { windows } = fields
  const wave = ofFirstWave(windows)
  const packets = wave?.totalAmount === undefined ? fields.packets : wave
  const count = isFields(packets) && packets.count !== undefined ? { packets, stock: packets.count } : {}
  const variants = variantsIn(fields.variants)
  const sum = variants === undefined ? {} : { stock: stockOfVariants(variants) }
  return { ...fields, ...sum, ...count, ...(windows === undefined ? {} : ofFirstWindow(windows)) }
}

function currencyIn({ currency }: Fields): string | undefined {
  return typeof currency === 'string' ? currency : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readDefinitionFile(file: string): Fields {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isFields(content)) throw new RangeError(`${file} must contain one JSON object`)
  return { ...content }
}

/** `5/60` as a throttle: five requests in sixty seconds. */
function readThrottle(text: string): Fields {
  const [, limit, windowSeconds] = /^(\d+)\/(\d+)s?$/.exec(text) ?? []
  if (limit === undefined) throw new RangeError(`"${text}" is not a limit: use requests/seconds, such as 5/60`)
  return { limit: Number(limit), windowSeconds: Number(windowSeconds) }
}

/** `CN,DE` as a list of codes; `none` as an empty one. */
function readCountries(text: string): string[] {
  return text === 'none' ? [] : text.split(',').map((code) => code.trim().toUpperCase())
}

/** `DE=4.90,AT=9.90` as amounts by country. */
function readCosts(text: string, currency: string | undefined): Fields {
  const amounts = text.split(',').map((part) => {
    const [name = '', amount = ''] = part.split('=').map((one) => one.trim())
    return [name.toUpperCase(), readAmount(amount, currency)]
  })
  return Object.fromEntries(amounts)
}

/** Origins with commas between them; `none` as an empty list. */
function readOrigins(text: string): string[] {
  return text === 'none' ? [] : text.split(',').map((origin) => origin.trim())
}

/**
 * A window: `+1h,+3h,50` is its start, end and units; `+1h,+3h,50,200.00` has 50 red packets with
 * 200.00 in total, and `+1h,+3h,s*20+m*30` the units of two variants.
 */
function readWindow(text: string, currency: string | undefined): Fields {
  const [startsAt, endsAt, units, total, ...more] = text.split(',').map((part) => part.trim())
  if (!startsAt || !endsAt || !units || total === '' || more.length > 0) {
    throw new RangeError(
      `"${text}" is not a round: use start,end,units, such as +1h,+3h,50, or start,end,packets,total for red packets`,
    )
  }
  const byVariant = readUnits(units)
  if (byVariant !== undefined) return { startsAt, endsAt, stock: basketUnits(byVariant), units: byVariant }
  const saleWindow = { startsAt, endsAt, stock: readWhole(units) }
  return total === undefined ? saleWindow : { ...saleWindow, totalAmount: readAmount(total, currency) }
}

const unitsInWindow = (text: string) => readUnits(text.split(',')[2] ?? '')

/** A flag's text as a whole number; the API checks the range. */
export function readWhole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new RangeError(`"${text}" is not a whole number`)
  return Number(text)
}

/** A flag's text as a decimal number. */
export function readNumber(text: string): number {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new RangeError(`"${text}" is not a number`)
  return Number(text)
}
