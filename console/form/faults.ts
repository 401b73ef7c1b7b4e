/**
 * Maps faults of the sale form, from core's schema or from the API, to inputs and texts. The text depends on the kind of the
 * field; for values that contradict each other it depends on the path.
 */
import type { Problem } from '../../client/types.ts'
import { maxWindows } from '../../core/body-limits.ts'
import { isCurrency, majorText, minorDigits } from '../../core/money.ts'
import { maxPackets } from '../../core/packets/packets.ts'
import { maxPictures } from '../../core/sale/pictures.ts'
import { type Sale, type SaleDefinition, saleDefinition } from '../../core/sale/sale.ts'
import { maxStock, settingValue } from '../../core/sale/settings.ts'
import { isVariantId, maxVariants } from '../../core/sale/variants.ts'
import { refusalKey } from '../../templates/messages/codes.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import type { Key } from '../parts/kind-words.ts'
import { isSame, textAt } from '../parts/text-parts.ts'
import { countryCodes, currencyCode, timeAfterGap, typedZone } from '../parts/typed.ts'
import { fairnessOf } from './fairness.tsx'
import { type FieldRow, fieldPaths, fieldRowAt, kinds, patternOf, uploadPrefix } from './fields.ts'
import type { FieldError, Words } from './form-fields.tsx'
import { type FormText, hasVariants, isAsked, lists, numberAt, readText } from './form-text.ts'

/** Errors by the path of an input or the name of a list. */
export type FormErrors = Readonly<Record<string, FieldError>>

/** `isCustom`: the value contradicts another value or the shop; otherwise it is invalid by itself. */
type Fault = { path: string; isCustom: boolean; isTooBig: boolean }

/** Returns the definition to send, or all errors. `first` is the initial text of the form, `sale` the edited sale. */
export function checkForm(
  text: FormText,
  first: FormText,
  sale: Sale | undefined,
  now: number,
): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const result = saleDefinition.safeParse(readText(text))
  // The texts of an ended sale may change; only a new end must be in the future.
  const isNewEnd = sale === undefined || endOf(text) !== endOf(first)
  const past = isNewEnd && endOf(text) <= now ? { [endPath(text)]: { key: 'error.past' } as const } : {}
  if (result.success && isSame(past, {})) return { ok: true, definition: result.data }
  const faults = (result.error?.issues ?? []).map(({ path, code }) => ({
    ...{ path: path.join('.'), isCustom: code === 'custom', isTooBig: code === 'too_big' },
  }))
  return { ok: false, errors: { ...past, ...errorsOf(faults, text) } }
}

const endPath = ({ windows }: FormText): string =>
  windows.length === 0 ? 'endsAt' : `windows.${windows.length - 1}.endsAt`

const endOf = (text: FormText): number => numberAt(text, endPath(text))

/** Returns the error for the field that a refusal names; undefined if it has no input. */
export function refusedField(problem: Problem | undefined, text: FormText): FormErrors | undefined {
  const path = problem?.field ?? ''
  const place = fieldOfFault(path, text)
  if (place === undefined) return undefined
  const { reason, values } = problem ?? {}
  const key = reason === undefined ? undefined : refusalKey(reason)
  if (key === undefined) return errorsOf([{ path, isCustom: true, isTooBig: false }], text)
  return { [place]: { key, args: values as Arguments } }
}

/** Returns one error for each place. A fault that names the place wins over others, and a later one over an earlier one. */
function errorsOf(faults: readonly Fault[], text: FormText): FormErrors {
  const placed = faults.flatMap((fault) => {
    const place = fieldOfFault(fault.path, text)
    return place === undefined ? [] : [{ fault, place, isNamed: fault.path === place }]
  })
  const sorted = placed.toSorted((a, b) => Number(a.isNamed) - Number(b.isNamed))
  const errors = new Map(sorted.map(({ fault, place }) => [place, errorAt(place, fault, text)]))
  // A complaint about a row says more than the one about its list.
  for (const list of lists) if (sorted.some(({ place }) => place.startsWith(`${list}.`))) errors.delete(list)
  return Object.fromEntries(errors)
}

/**
 * Returns the place of a fault at `path` of the API: its input or list, or the variants or first window that replace its
 * input. Undefined if it has none.
 */
export function fieldOfFault(path: string, text: FormText): string | undefined {
  if (hasVariants(text) && /^(?:stock$|windows\.\d+\.(?:stock|units))/.test(path)) return 'variants'
  if (path === 'delivery.costs') {
    const places = countryCodes(textAt(text, 'delivery.countries')).map((code) => `${path}.${code}`)
    return places.find((place) => textAt(text, place) !== '') ?? places[0]
  }
  const parts = path.split('.')
  const above = parts.map((_, i) => parts.slice(0, parts.length - i).join('.'))
  const isPlace = (one: string) => fieldRowAt(one) !== undefined || lists.some((list) => list === one)
  const place = above.find(isPlace) ?? fieldPaths.find((one) => one.startsWith(`${path}.`))
  if (place === undefined || isAsked(place, text)) return place
  if (place === 'stock' && text.windows.length === 0) return 'packets.count'
  const cell = place === 'packets.count' ? 'stock' : place.replace('packets.', '')
  return fieldRowAt(place)?.perWindow ? `windows.0.${cell}` : undefined
}

const whole = (min: number, max: number): FieldError => ({ key: 'error.whole', args: { min, max } })

/** The error of an amount; `otherwise` if it is a number. */
const amount =
  (otherwise: Key): Words =>
  (text, place) =>
    Number.isNaN(numberAt(text, place)) ? 'error.price' : otherwise

/** Errors of single values, where the text of the kind is too general. */
const valueErrors: Readonly<Record<string, Words>> = {
  timeZone: 'error.timeZone',
  checkoutUrl: 'error.checkoutUrl',
  'earlyAccess.minutes': 'error.earlyMinutes',
  // -1 has a check box of its own.
  stock: () => whole(0, maxStock),
  listPrice: amount('error.listPrice'),
  'packets.totalAmount': amount('error.totalRange'),
  'windows.*.totalAmount': amount('error.totalRange'),
  'windows.*.stock': ({ kind }) => whole(1, kind === 'red-packet' ? maxPackets : maxStock),
  'variants.*.name': 'error.variantName',
  'variants.*.id': 'error.variantId',
  'pictures.*.src': (text, place) => (textAt(text, place).startsWith(uploadPrefix) ? 'error.upload' : 'error.image'),
  'pictures.*.alt': 'error.alt',
}

/** Errors of values that contradict each other, by the path in core. */
const conflictErrors: Readonly<Record<string, Words>> = {
  endsAt: 'error.endsAt',
  'windows.*.startsAt': 'error.windowOrder',
  'windows.*.endsAt': 'error.endsAt',
  'windows.*.totalAmount': minTotal,
  'packets.totalAmount': minTotal,
  'variants.*.name': 'error.variantTwice',
  'variants.*.id': (text, place) =>
    isVariantId(textAt(text, place).trim()) ? 'error.variantTwice' : 'error.variantId',
  'coupons.validUntil': 'error.validUntil',
  listPrice: 'error.listPrice',
  maxPerOrder: 'error.maxPerOrder',
  // A valid number may be too high for this stock or for the shop.
  shards: (text) => (textAt(text, 'stock').trim() === '-1' ? 'error.shardsUnlimited' : 'error.shards'),
  checkoutUrl: (text) => (numberAt(text, 'price') > 0 ? 'error.checkoutUrl' : 'error.checkoutFree'),
  'delivery.countries': 'error.checkoutCountries',
  'delivery.costs': 'error.costs',
  'delivery.freeAbove': 'error.freeAbove',
}

/** Returns the error for a total below one minor unit for each packet. */
export function minTotal(text: FormText, place: string): FieldError {
  const count = numberAt(text, place.replace('totalAmount', place.startsWith('packets') ? 'count' : 'stock'))
  const code = currencyCode(textAt(text, 'currency'))
  return { key: 'error.total', args: { least: majorText(count, code), each: majorText(1, code), code } }
}

/** Returns the error of a contradiction; the fairness mode may override it. */
const conflictError = (path: string, text: FormText): Words | undefined =>
  fairnessOf(text)?.words?.[path] ?? conflictErrors[patternOf(path)]

function errorAt(place: string, { path, isCustom, isTooBig }: Fault, text: FormText): FieldError {
  const field = fieldRowAt(place)
  if (field === undefined) return listError(place, isTooBig && path !== place, text)
  const pattern = patternOf(place)
  if (textAt(text, place).trim() === '' && pattern !== 'pictures.*.alt') return { key: 'error.required' }
  const words =
    (isCustom ? conflictError(path, text) : undefined) ?? valueErrors[pattern] ?? wordsOfKind(place, field, text)
  const error = typeof words === 'function' ? words(text, place) : words
  return typeof error === 'string' ? { key: error, args: boundsOf(field, text) } : error
}

/** `isSum`: the units of all variants together are too many. */
function listError(list: string, isSum: boolean, text: FormText): FieldError {
  if (list === 'pictures') return { key: 'error.pictures', args: { max: maxPictures } }
  if (list === 'variants')
    return isSum
      ? { key: 'error.variantsSum', args: { max: maxStock } }
      : { key: 'error.variants', args: { max: maxVariants } }
  const own = fairnessOf(text)?.words?.[list]
  return typeof own === 'string' ? { key: own } : { key: 'error.windows', args: { max: maxWindows } }
}

function wordsOfKind(place: string, { as }: FieldRow, text: FormText): Words {
  const next = as === 'time' ? timeAfterGap(textAt(text, place), typedZone(textAt(text, 'timeZone'))) : undefined
  return next === undefined ? kinds[as].error : () => ({ key: 'error.timeGap', args: { next } })
}

/** Returns the bounds of a value as they are typed, and the decimals of money. */
function boundsOf({ as, range: [min, max] = [0, 0] }: FieldRow, text: FormText): Arguments {
  const code = currencyCode(textAt(text, 'currency'))
  const digits = isCurrency(code) ? minorDigits(code) : 2
  if (as === 'money') return { min: majorText(min, code), max: majorText(max, code), digits }
  return as === 'minutes' ? { min: min / 60, max: max / 60 } : { min, max }
}

/** The shown errors. `refused` is the text that the shop refused, if they come from the shop. */
export type ShownErrors = { errors: FormErrors; refused?: FormText }

/**
 * Returns the shown errors that stay after a change: those that the form still finds, and those of the shop whose value did
 * not change. New errors appear only on submit.
 */
export function remainingErrors({ errors, refused }: ShownErrors, text: FormText, found: FormErrors): FormErrors {
  const kept = Object.entries(errors).flatMap(([place, error]): [string, FieldError][] => {
    const now = found[place]
    if (now !== undefined) return [[place, now]]
    const part = lists.find((list) => place.startsWith(list)) ?? place
    return refused !== undefined && isSame(settingValue(refused, part), settingValue(text, part))
      ? [[place, error]]
      : []
  })
  return Object.fromEntries(kept)
}
