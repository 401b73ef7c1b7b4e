/** Converts the texts of the sale form into a definition and back. Core's schema validates it. */
import type { SaleKind } from '../../core/sale/kinds.ts'
import { removableFields, type SaleDefinition, type SaleEdit, type SaleWindow } from '../../core/sale/sale.ts'
import { settingNames, settingOf } from '../../core/sale/settings.ts'
import { allUnits, stocksById, type Variant, type VariantUnits } from '../../core/sale/variants.ts'
import { windowFields } from '../../core/sale/windows.ts'
import { isSame, type Row, textAt, withPart } from '../parts/text-parts.ts'
import { currencyCode, dayLater, fromLocalInput, toLocalInput, typedZone, wholeNumber } from '../parts/typed.ts'
import { type FieldRow, fieldRowAt, kinds, type Terms } from './fields.ts'

export const lists = ['windows', 'variants', 'pictures'] as const
type List = (typeof lists)[number]

/**
 * With windows, they say start, end and stock of the sale, or its packets (R7); with variants, they say the stock of goods
 * (N1). The units of a window by variant are entered only where they differ from the stocks of the variants.
 */
export type FormText = Row & { readonly kind: SaleKind } & Readonly<Record<List, readonly Row[]>>

const noRows = { windows: [], variants: [], pictures: [] }

/** Replaces each field by the result of `visit`, and drops empty parts. */
function mapFields(
  part: unknown,
  visit: (value: unknown, field: FieldRow, path: string) => unknown,
  path = '',
): unknown {
  const field = fieldRowAt(path)
  if (field !== undefined) return visit(part, field, path)
  if (typeof part !== 'object' || part === null) return undefined
  const mapped = Object.entries(part)
    .map(([name, value]) => [name, mapFields(value, visit, path === '' ? name : `${path}.${name}`)] as const)
    .filter(([, value]) => value !== undefined)
  if (mapped.length === 0) return undefined
  return Array.isArray(part) ? mapped.map(([, value]) => value) : Object.fromEntries(mapped)
}

const termsOf = (text: Row): Terms => ({
  currency: currencyCode(textAt(text, 'currency')),
  zone: typedZone(textAt(text, 'timeZone')),
})

/** Returns the number at that path, in units of the API; NaN for invalid text. */
export function numberAt(text: FormText, path: string): number {
  const field = fieldRowAt(path)
  return Number(field && kinds[field.as].read(textAt(text, path), termsOf(text)))
}

/** True when the sale divides its stock into variants. */
export const hasVariants = ({ kind, variants }: FormText): boolean => kind === 'goods' && variants.length > 0

/** True when the form asks for the field. Windows and variants replace some fields. */
export function isAsked(path: string, text: FormText): boolean {
  const { kinds, perWindow } = fieldRowAt(path) ?? {}
  if (kinds?.includes(text.kind) === false || (perWindow && text.windows.length > 0)) return false
  if (/^(?:windows\.\d+\.)?stock$/.test(path)) return !hasVariants(text)
  return !/^windows\.\d+\.units/.test(path) || hasVariants(text)
}

/** A definition before validation: invalid numbers are NaN, empty fields are missing. */
type Read = Record<string, unknown> & { windows?: SaleWindow[]; variants?: Variant[]; delivery?: Delivery }

type Delivery = { countries?: string[]; costs?: Record<string, number> }

/** Returns the entered definition. */
export function readText(text: FormText): Read {
  const terms = termsOf(text)
  const read = mapFields(text, (entered, { as, optional }, path) => {
    if (typeof entered !== 'string' || !isAsked(path, text) || (optional && entered.trim() === '')) return undefined
    return kinds[as].read(entered, terms)
  }) as Read
  const usual = stocksById(read.variants ?? [])
  return {
    ...(text.kind === 'coupon' && { coupons: {} }),
    pictures: [],
    ...read,
    kind: text.kind,
    ...(read.delivery && { delivery: withAllCosts(read.delivery) }),
    ...(read.windows && hasVariants(text) && { windows: read.windows.map((one) => withUnits(one, usual)) }),
  }
}

/** Adds free delivery for the countries without a cost, if some country has one. */
function withAllCosts({ countries = [], costs, ...rest }: Delivery): Delivery {
  const ofAll = costs && Object.fromEntries(countries.map((code) => [code, costs[code] ?? 0]))
  return { countries, ...rest, ...(ofAll && { costs: ofAll }) }
}

/** A window with units of its own for exactly these variants, else with those of all windows. */
function withUnits({ units: own, ...one }: SaleWindow, usual: VariantUnits): SaleWindow {
  const isFor = isSame(Object.keys(own ?? {}).sort(), Object.keys(usual).sort())
  const units = own !== undefined && isFor ? own : usual
  return { ...one, stock: allUnits(units), units }
}

/** Returns the texts of a sale, or of some of its fields. */
export function textOf(sale: Partial<SaleDefinition> & Pick<SaleDefinition, 'kind'>): FormText {
  const { kind, currency = '', timeZone = '', windows = [], variants = [] } = sale
  const terms = { currency, zone: typedZone(timeZone) }
  const usual = stocksById(variants)
  const differing = windows.map(({ units, ...one }) => (isSame(units ?? usual, usual) ? one : { ...one, units }))
  const entered = mapFields({ ...sale, windows: differing }, (value, { as }) => {
    const { print = String } = kinds[as]
    return value === undefined ? undefined : print(value, terms)
  })
  return { ...noRows, ...(entered as Row), kind }
}

/** A new sale begins with random turns in so many seconds; the API begins without. */
export const firstTurnSeconds = '10'

/** A new sale: an hour of goods that begins ten minutes after `now` (epoch ms), without a picture. */
export function freshText(locale: string, now: number): FormText {
  const startsAt = Math.ceil((now + 600_000) / 60_000) * 60_000
  const currency = locale.startsWith('zh') ? 'CNY' : 'EUR'
  const defaults = settingNames
    .filter((name) => settingOf(name).default !== undefined)
    .reduce((sale, name) => withPart(sale, name, settingOf(name).default), {})
  const sale = { startsAt, endsAt: startsAt + 3_600_000, currency, stock: 100, limitPerShopper: 1, maxPerOrder: 1 }
  const text = textOf({ ...(defaults as SaleDefinition), ...sale, kind: 'goods' })
  return { ...withPart(text, 'packets.count', '100'), spreadSeconds: firstTurnSeconds }
}

/** Converts the typed times to another zone. Keeps texts that are no times. */
export function inZone(text: FormText, timeZone: string): FormText {
  const [from, to] = [termsOf(text).zone, typedZone(timeZone)]
  if (from === to) return { ...text, timeZone }
  const moved = mapFields(text, (entered, { as }) => {
    const time = as === 'time' ? fromLocalInput(String(entered), from) : Number.NaN
    return Number.isNaN(time) ? entered : toLocalInput(time, to)
  })
  return { ...noRows, ...(moved as Row), kind: text.kind, timeZone }
}

/** The values that an edit sends for emptied fields, because absent fields stay unchanged. */
const emptied: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(removableFields.map((name) => [name, null])),
  ...{ delivery: { countries: [] }, allowedOrigins: [], variants: [], translations: {} },
}

/**
 * Returns the fields of the definition that differ from `first`. Compares values as the form shows them, because a sale may
 * have finer ones (milliseconds), and an untouched field must not change.
 */
export function editOf(first: FormText, after: FormText, definition: SaleDefinition): SaleEdit {
  const [before, now] = [readText(first), readText(after)]
  const touched = Object.keys({ ...before, ...now }).filter((name) => !isSame(before[name], now[name]))
  // The stocks of a sale that runs are those of its present window: a name leaves them alone.
  if (!isSame(stocksById(before.variants ?? []), stocksById(now.variants ?? []))) touched.push('stock', 'windows')
  if (touched.includes('windows')) touched.push(...windowFields, 'packets')
  // The number of packets is the stock of their sale.
  if (touched.includes('packets')) touched.push('stock')
  return Object.fromEntries(Object.entries({ ...emptied, ...definition }).filter(([name]) => touched.includes(name)))
}

/** Returns the initial texts of a further window: the sale itself, or a day after the last window. */
export function anotherWindow(text: FormText): Row {
  const { zone } = termsOf(text)
  const last = text.windows.at(-1)
  if (last !== undefined) {
    return {
      ...last,
      startsAt: dayLater(textAt(last, 'startsAt'), zone),
      endsAt: dayLater(textAt(last, 'endsAt'), zone),
    }
  }
  const [startsAt, endsAt] = [textAt(text, 'startsAt'), textAt(text, 'endsAt')]
  if (text.kind === 'red-packet') {
    const [stock, totalAmount] = [textAt(text, 'packets.count'), textAt(text, 'packets.totalAmount')]
    return { startsAt, endsAt, stock, totalAmount }
  }
  // A window has units that can be counted; an unlimited sale does not say how many.
  const stock = textAt(text, 'stock')
  return { startsAt, endsAt, stock: wholeNumber(stock) > 0 ? stock : '' }
}
