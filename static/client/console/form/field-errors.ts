/** The messages for invalid fields of the sale form, found here or by the API, and their places. */
import { maxWindows } from '../../../../core/body-limits.ts'
import { maxQuantity } from '../../../../core/buy/limits.ts'
import { isCurrency, majorText, minorDigits } from '../../../../core/money.ts'
import { maxPacketAmount, maxPackets } from '../../../../core/packets/packets.ts'
import { maxOrigins } from '../../../../core/sale/page-origin.ts'
import { maxPictures } from '../../../../core/sale/pictures.ts'
import { defaultDraw, drawnAt, leastClaimMs, maxDrawnUnits } from '../../../../core/sale/sale-draw.ts'
import { maxCountries, maxEarlyMinutes, maxShards, maxStock, settingOf } from '../../../../core/sale/settings.ts'
import { allUnits, maxVariantName, maxVariants } from '../../../../core/sale/variants.ts'
import type { consoleMessages, drawPanelMessages } from '../../../messages/catalogues.ts'
import type { Arguments } from '../../../messages/text.ts'
import {
  currencyCode,
  fromLocalInput,
  timeAfterGap,
  toLocalInput,
  typedAmount,
  typedZone,
  wholeNumber,
} from '../lib/typed.ts'
import { type FieldName, type FormText, fieldNames, ownWindowText, settingAt } from './form-text.ts'
import { type PicturePlace, pictureInputs } from './picture-text.ts'
import {
  readVariant,
  repeatedPlace,
  type VariantField,
  type VariantPlace,
  variantInputs,
  wrongVariant,
} from './variant-text.ts'
import { unitsByVariant, type WindowField, type WindowPlace, windowInputs, wrongPlace } from './window-text.ts'

const minuteMs = 60_000

/** Where a complaint stands: at an input, or below all windows, pictures or variants. */
export type Place = FieldName | WindowPlace | PicturePlace | VariantPlace | 'windows' | 'pictures' | 'variants'
export type FieldError = { key: keyof typeof consoleMessages | keyof typeof drawPanelMessages; args?: Arguments }
export type FormErrors = Partial<Record<Place, FieldError>>

/** What the API calls the part of a sale that its windows, where it has some, say instead. */
const windowParts: Readonly<Record<string, WindowField>> = {
  startsAt: 'startsAt',
  endsAt: 'endsAt',
  stock: 'stock',
  packets: 'stock',
  'packets.count': 'stock',
  'packets.totalAmount': 'totalAmount',
}

/** Where what is wrong with `path` (dotted, as the API names it) is shown; undefined when no input is meant by it. */
export function placeOf(path: string, text: FormText): Place | undefined {
  if (text.kind === 'goods' && text.variants.length > 0) {
    const place = variantPlaceOf(path, text)
    if (place !== undefined) return place
  }
  const part = windowParts[path]
  if (part !== undefined) return text.windows.length > 0 ? `windows.0.${part}` : ownPlace(part, text)
  const name = fieldNames.find((known) => known === path)
  if (name !== undefined) return name
  if (path.startsWith('delivery')) return path.startsWith('delivery.costs') ? 'delivery.costs' : 'delivery.countries'
  if (path.startsWith('allowedOrigins')) return 'allowedOrigins'
  if (path.startsWith('pictures')) return picturePlace(path)
  if (path === 'coupons') return 'coupons.validUntil'
  if (path === 'earlyAccess') return 'earlyAccess.minLevel'
  const [all, row, field] = /^windows(?:\.(\d+)(?:\.(\w+))?)?$/.exec(path) ?? []
  const cell = windowInputs.find((known) => known === field)
  if (row !== undefined && cell !== undefined) return `windows.${Number(row)}.${cell}`
  return all === undefined ? undefined : (wrongPlace(text.windows, text) ?? 'windows')
}

/** The units of a sale with variants, and of each of its windows, are typed with them. */
function variantPlaceOf(path: string, { variants }: FormText): Place | undefined {
  const [, row, field] = /^variants\.(\d+)\.(\w+)$/.exec(path) ?? []
  const cell = variantInputs.find((known) => known === field)
  if (row !== undefined && cell !== undefined) return `variants.${Number(row)}.${cell}`
  if (!/^(?:variants|stock|windows\.\d+\.(?:stock|units))(?:\.|$)/.test(path)) return undefined
  return wrongVariant(variants) ?? 'variants'
}

/** The input of a picture that an error is about; an error of the whole picture is about its address. */
function picturePlace(path: string): Place {
  const [, row, field = 'src'] = /^pictures\.(\d+)(?:\.(\w+))?$/.exec(path) ?? []
  const input = pictureInputs.find((known) => known === field)
  return row === undefined || input === undefined ? 'pictures' : `pictures.${Number(row)}.${input}`
}

/** The input of a sale without windows that fills this part of it. */
export function ownPlace(part: WindowField, { kind }: Pick<FormText, 'kind'>): FieldName {
  if (part === 'totalAmount') return 'packets.totalAmount'
  return part === 'stock' && kind === 'red-packet' ? 'packets.count' : part
}

/** What is wrong at `place`. */
export function errorOf(place: Place, text: FormText): FieldError {
  const name = fieldNames.find((known) => known === place)
  if (name !== undefined) return fieldError(name, text)
  const [list, row, field] = place.split('.')
  if (list === 'pictures') return pictureError(text, Number(row), field)
  if (list === 'variants') return variantError(Number(row), field, text)
  const cell = windowInputs.find((known) => known === field)
  const saleWindow = text.windows[Number(row)]
  if (cell === undefined || saleWindow === undefined)
    return drawnAtOf(text) !== undefined ? { key: 'error.ranked' } : { key: 'error.windows', args: { max: maxWindows } }
  if (saleWindow[cell].trim() === '') return { key: 'error.required' }
  if (cell === 'totalAmount') return totalError(saleWindow, text.currency)
  if (cell === 'stock') return whole(1, text.kind === 'red-packet' ? maxPackets : maxStock)
  return timeError(saleWindow[cell], text, cell === 'endsAt' ? 'error.endsAt' : 'error.windowOrder')
}

const variantErrors: Readonly<Record<VariantField, FieldError>> = {
  name: { key: 'error.variantName', args: { max: maxVariantName } },
  id: { key: 'error.variantId' },
  stock: whole(0, maxStock),
}

function variantError(row: number, field: string | undefined, { variants }: FormText): FieldError {
  const cell = variantInputs.find((known) => known === field)
  const typed = variants[row]
  if (cell === undefined || typed === undefined) {
    return variantsError(variants)
  }
  if (typed[cell].trim() === '') return { key: 'error.required' }
  const isRepeated = repeatedPlace(variants) === `variants.${row}.${cell}`
  return isRepeated ? { key: 'error.variantTwice' } : variantErrors[cell]
}

/** The error of all variants together; too many units count only where the number of variants is right. */
function variantsError(variants: FormText['variants']): FieldError {
  const isMany = variants.length > 1 && variants.length <= maxVariants
  const isTooMuch = allUnits(unitsByVariant(variants.map(readVariant))) > maxStock
  return isMany && isTooMuch
    ? { key: 'error.variantsSum', args: { max: maxStock } }
    : { key: 'error.variants', args: { max: maxVariants } }
}

function pictureError({ pictures }: FormText, row: number, field: string | undefined): FieldError {
  const picture = pictures[row]
  if (picture === undefined) return { key: 'error.pictures', args: { max: maxPictures } }
  if (field === 'alt') return { key: 'error.alt' }
  if (picture.upload !== undefined) return { key: 'error.upload' }
  return { key: picture.src.trim() === '' ? 'error.required' : 'error.image' }
}

/** Errors that depend on another field. */
const specialErrors: Partial<Record<FieldName, (text: FormText) => FieldError>> = {
  'packets.totalAmount': (text) => totalError(ownWindowText(text), text.currency),
  maxPerOrder: ({ maxPerOrder }) =>
    Number.isInteger(wholeNumber(maxPerOrder)) && wholeNumber(maxPerOrder) >= 1
      ? { key: 'error.maxPerOrder' }
      : whole(1, maxQuantity),
  shards: shardsError,
  listPrice: ({ listPrice, currency }) =>
    Number.isNaN(typedAmount(listPrice, currency)) ? amountError(currency) : { key: 'error.listPrice' },
  checkoutUrl: (text) => ({
    key: typedAmount(text.price, text.currency) > 0 ? 'error.checkoutUrl' : 'error.checkoutFree',
  }),
  'delivery.countries': ({ checkoutUrl }) =>
    checkoutUrl.trim() === ''
      ? { key: 'error.countries', args: { max: maxCountries } }
      : { key: 'error.checkoutCountries' },
  timeZone: () => ({ key: 'error.timeZone' }),
  startsAt: startError,
  endsAt: (text) => timeError(text.endsAt, text, 'error.endsAt'),
  'draw.closesAt': (text) => timeError(text['draw.closesAt'], text, 'error.endsAt'),
  'earlyAccess.minutes': () => ({ key: 'error.earlyMinutes', args: { max: maxEarlyMinutes } }),
  'coupons.validUntil': (text) => timeError(text['coupons.validUntil'], text, 'error.validUntil'),
}

/** A number that is possible may be too much for units that are drawn (core/sale/sale-draw.ts). */
function rankedError(field: FieldName, text: FormText): FieldError | undefined {
  if (drawnAtOf(text) === undefined) return undefined
  if (field === 'limitPerShopper') return { key: 'error.rankedLimit' }
  if (field === 'stock') return whole(1, maxDrawnUnits)
  if (field.startsWith('earlyAccess.')) return { key: 'error.ranked' }
  return field === 'draw.claimSeconds' ? claimError(text) : undefined
}

/** Offers count from the result on, and are kept until a minute after the start at least. */
function claimError(text: FormText): FieldError | undefined {
  const needed =
    fromLocalInput(text.startsAt, typedZone(text.timeZone)) + leastClaimMs - (drawnAtOf(text) ?? Number.NaN)
  const [, max = 0] = settingOf('draw.claimSeconds').range ?? []
  return needed > leastClaimMs ? whole(Math.ceil(needed / minuteMs), max / 60) : undefined
}

function fieldError(field: FieldName, text: FormText): FieldError {
  const ranked = rankedError(field, text)
  if (ranked !== undefined) return ranked
  if (text[field].trim() === '') return { key: 'error.required' }
  const special = specialErrors[field]
  if (special !== undefined) return special(text)
  const { as, range: [min, max] = [0, 0] } = settingOf(settingAt(field))
  switch (as) {
    case 'money':
      return amountError(text.currency)
    case 'units':
      return whole(min, max)
    case 'rule':
      return field.endsWith('.windowSeconds') ? whole(1, 3600) : whole(min, max)
    case 'minutes':
      return { key: 'error.minutes', args: { max: max / 60 } }
    case 'decimal':
      return { key: 'error.ratio', args: { min, max } }
    case 'costs':
      return { key: 'error.costs' }
    case 'time':
      return timeError(text[field], text)
    case 'id':
      return { key: 'error.saleId' }
    case 'origins':
      return { key: 'error.origins', args: { max: maxOrigins } }
    case 'code':
      return { key: 'error.currency' }
    case 'text':
    case 'pictures':
    case 'choice':
    case 'countries':
      return { key: 'error.required' }
  }
}

/** A number that is possible may still be too much for this stock, or for the shop. */
function shardsError({ shards, stock, windows, variants, kind }: FormText): FieldError {
  const count = wholeNumber(shards)
  if (!(count >= 1 && count <= maxShards)) return whole(1, maxShards)
  const isDivided = variants.length > 0 && kind === 'goods'
  const isUnlimited = windows.length === 0 && !isDivided && wholeNumber(stock) === -1
  return { key: isUnlimited ? 'error.shardsUnlimited' : 'error.shards' }
}

/** Every packet holds at least the smallest amount there is. */
function totalError({ stock, totalAmount }: { stock: string; totalAmount: string }, currency: string): FieldError {
  const amount = typedAmount(totalAmount, currency)
  if (Number.isNaN(amount)) return amountError(currency)
  const count = wholeNumber(stock)
  const code = currencyCode(currency)
  return amount > maxPacketAmount || !(count >= 1 && count <= maxPackets)
    ? { key: 'error.totalRange', args: { min: majorText(1, code), max: majorText(maxPacketAmount, code) } }
    : { key: 'error.total', args: { least: majorText(count, code), each: majorText(1, code), code } }
}

/** The complaint about a sale that would be over before it could open, at the end that has passed. */
export function pastError(
  { windows, endsAt, timeZone }: Pick<FormText, 'windows' | 'endsAt' | 'timeZone'>,
  now: number,
): FormErrors {
  const last = windows.at(-1)
  const place: Place = last === undefined ? 'endsAt' : `windows.${windows.length - 1}.endsAt`
  const error: FieldError = { key: 'error.past' }
  return fromLocalInput(last?.endsAt ?? endsAt, typedZone(timeZone)) <= now ? { [place]: error } : {}
}

/** When a sale that draws may start at the earliest, in whole minutes as people type them, epoch ms. */
export function firstDrawStart(text: FormText): number | undefined {
  const at = drawnAtOf(text)
  return at === undefined ? undefined : minuteMs * Math.ceil(at / minuteMs)
}

/** Undefined unless the sale draws. */
function drawnAtOf(text: FormText): number | undefined {
  const closesAt = fromLocalInput(text['draw.closesAt'], typedZone(text.timeZone))
  if (text.kind !== 'goods' || Number.isNaN(closesAt)) return undefined
  const typed = wholeNumber(text['draw.commitSeconds'])
  return drawnAt({ closesAt, commitSeconds: Number.isNaN(typed) ? defaultDraw.commitSeconds : typed })
}

function startError(text: FormText): FieldError {
  const earliest = firstDrawStart(text)
  if (earliest === undefined) return timeError(text.startsAt, text)
  const error = timeError(text.startsAt, text, 'error.drawStart')
  const at = toLocalInput(earliest, typedZone(text.timeZone)).replace('T', ' ')
  return error.key === 'error.drawStart' ? { ...error, args: { at } } : error
}

/** `otherwise` is what may be wrong with one that can be read. */
function timeError(typed: string, { timeZone }: FormText, otherwise: FieldError['key'] = 'error.time'): FieldError {
  const zone = typedZone(timeZone)
  if (!Number.isNaN(fromLocalInput(typed, zone))) return { key: otherwise }
  const next = timeAfterGap(typed, zone)
  return next === undefined ? { key: 'error.time' } : { key: 'error.timeGap', args: { next } }
}

function whole(min: number, max: number): FieldError {
  return { key: 'error.whole', args: { min, max } }
}

function amountError(currency: string): FieldError {
  const code = currencyCode(currency)
  return { key: 'error.price', args: { digits: isCurrency(code) ? minorDigits(code) : 2 } }
}
