/**
 * What is wrong with the sale form, found by core's schema before it is sent, or by the API: at which input it is shown, and
 * in which words. The words follow from the kind of the field, and for a value that does not go with another from its path.
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

/** By the path of an input, or the name of a list. */
export type FormErrors = Readonly<Record<string, FieldError>>

/** `isCustom`: the value does not go with another, or with the shop; otherwise it is wrong by itself. */
type Fault = { path: string; isCustom: boolean; isTooBig: boolean }

/** The definition to send, or every error. `first` is what stood in the form as it was opened, `sale` the sale that is edited. */
export function checkForm(
  text: FormText,
  first: FormText,
  sale: Sale | undefined,
  now: number,
): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const result = saleDefinition.safeParse(readText(text))
  // An edit of a sale that is over may change its words; only a new end must lie ahead.
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

/** The error at the field that a refusal names; undefined when it names no input. */
export function refusedField(problem: Problem | undefined, text: FormText): FormErrors | undefined {
  const path = problem?.field ?? ''
  const place = placeOf(path, text)
  if (place === undefined) return undefined
  const { reason, values } = problem ?? {}
  const key = reason === undefined ? undefined : refusalKey(reason)
  if (key === undefined) return errorsOf([{ path, isCustom: true, isTooBig: false }], text)
  return { [place]: { key, args: values as Arguments } }
}

/** Of several faults at a place, the one that names it counts, and of those the last. */
function errorsOf(faults: readonly Fault[], text: FormText): FormErrors {
  const placed = faults.flatMap((fault) => {
    const place = placeOf(fault.path, text)
    return place === undefined ? [] : [{ fault, place, isNamed: fault.path === place }]
  })
  const sorted = placed.toSorted((a, b) => Number(a.isNamed) - Number(b.isNamed))
  const errors = new Map(sorted.map(({ fault, place }) => [place, errorAt(place, fault, text)]))
  // A complaint about a row says more than the one about its list.
  for (const list of lists) if (sorted.some(({ place }) => place.startsWith(`${list}.`))) errors.delete(list)
  return Object.fromEntries(errors)
}

/**
 * Where a fault of `path`, as the API names it, is shown: at its input, or below its list; at the variants or the first
 * window, where these say it instead. Undefined when no input is meant by it.
 */
export function placeOf(path: string, text: FormText): string | undefined {
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

/** For an amount; `otherwise` for one that can be read. */
const amount =
  (otherwise: Key): Words =>
  (text, place) =>
    Number.isNaN(numberAt(text, place)) ? 'error.price' : otherwise

/** For a value that is wrong by itself, where the words of its kind say too little. */
const alone: Readonly<Record<string, Words>> = {
  timeZone: 'error.timeZone',
  checkoutUrl: 'error.checkoutUrl',
  'earlyAccess.minutes': 'error.earlyMinutes',
  // An unlimited stock is ticked, and no number.
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

/** For a value that does not go with another one, by the path that core names. */
const between: Readonly<Record<string, Words>> = {
  endsAt: 'error.endsAt',
  'windows.*.startsAt': 'error.windowOrder',
  'windows.*.endsAt': 'error.endsAt',
  'windows.*.totalAmount': leastTotal,
  'packets.totalAmount': leastTotal,
  'variants.*.name': 'error.variantTwice',
  'variants.*.id': (text, place) =>
    isVariantId(textAt(text, place).trim()) ? 'error.variantTwice' : 'error.variantId',
  'coupons.validUntil': 'error.validUntil',
  listPrice: 'error.listPrice',
  maxPerOrder: 'error.maxPerOrder',
  // A number that is possible may still be too much for this stock, or for the shop.
  shards: (text) => (textAt(text, 'stock').trim() === '-1' ? 'error.shardsUnlimited' : 'error.shards'),
  checkoutUrl: (text) => (numberAt(text, 'price') > 0 ? 'error.checkoutUrl' : 'error.checkoutFree'),
  'delivery.countries': 'error.checkoutCountries',
  'delivery.costs': 'error.costs',
  'delivery.freeAbove': 'error.freeAbove',
}

/** Every packet holds at least the smallest amount there is. */
export function leastTotal(text: FormText, place: string): FieldError {
  const count = numberAt(text, place.replace('totalAmount', place.startsWith('packets') ? 'count' : 'stock'))
  const code = currencyCode(textAt(text, 'currency'))
  return { key: 'error.total', args: { least: majorText(count, code), each: majorText(1, code), code } }
}

/** What is chosen to be fair has words of its own. */
const wordsBetween = (path: string, text: FormText): Words | undefined =>
  fairnessOf(text)?.words?.[path] ?? between[patternOf(path)]

function errorAt(place: string, { path, isCustom, isTooBig }: Fault, text: FormText): FieldError {
  const field = fieldRowAt(place)
  if (field === undefined) return listError(place, isTooBig && path !== place, text)
  const pattern = patternOf(place)
  if (textAt(text, place).trim() === '' && pattern !== 'pictures.*.alt') return { key: 'error.required' }
  const words = (isCustom ? wordsBetween(path, text) : undefined) ?? alone[pattern] ?? wordsOfKind(place, field, text)
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

/** The bounds of a value as they are typed, and the decimal places of money. */
function boundsOf({ as, range: [min, max] = [0, 0] }: FieldRow, text: FormText): Arguments {
  const code = currencyCode(textAt(text, 'currency'))
  const digits = isCurrency(code) ? minorDigits(code) : 2
  if (as === 'money') return { min: majorText(min, code), max: majorText(max, code), digits }
  return as === 'minutes' ? { min: min / 60, max: max / 60 } : { min, max }
}

/** Complaints of the form; `refused` is what the shop refused, if they come from it. */
export type Complaints = { errors: FormErrors; refused?: FormText }

/**
 * Which complaints stay after what is entered has changed: one at whose place the form finds something wrong. What only the
 * shop found stays until another value stands there. What is wrong at other places is said later.
 */
export function stillWrong({ errors, refused }: Complaints, text: FormText, found: FormErrors): FormErrors {
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
