/**
 * Between what a marketer types and a sale's definition. The rules are core's own schema, so the form and the
 * function behind it cannot disagree; this file only turns text into numbers and issues into our words.
 */
import { maxQuantity } from '../../../core/buy-request.ts'
import { isCurrency, minorDigits } from '../../../core/money.ts'
import { maxStock, type SaleDefinition, saleDefinition } from '../../../core/sale.ts'
import type { consoleMessages } from '../../messages/console.ts'
import type { Arguments } from '../../messages/text.ts'

/** The form's inputs, named by the path of the field they fill. */
export const fieldNames = [
  'saleId',
  'title',
  'description',
  'image',
  'price',
  'currency',
  'stock',
  'limitPerShopper',
  'maxPerOrder',
  'startsAt',
  'endsAt',
  'paymentWindowSeconds',
  'throttle.perShopper.limit',
  'throttle.perShopper.windowSeconds',
] as const

export type FieldName = (typeof fieldNames)[number]
export type FormText = Record<FieldName, string>
export type FieldError = { key: keyof typeof consoleMessages; args?: Arguments }
export type FormErrors = Partial<Record<FieldName, FieldError>>

/** The definition the form describes, or every field that is wrong. Times are read in the viewer's zone. */
export function readForm(
  text: FormText,
): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const currency = text.currency.trim().toUpperCase()
  const result = saleDefinition.safeParse({
    saleId: text.saleId.trim(),
    kind: 'goods',
    title: text.title,
    description: text.description,
    image: text.image.trim(),
    price: isCurrency(currency) ? minorAmount(text.price, currency) : Number.NaN,
    currency,
    stock: wholeNumber(text.stock),
    limitPerShopper: wholeNumber(text.limitPerShopper),
    maxPerOrder: wholeNumber(text.maxPerOrder),
    startsAt: fromLocalInput(text.startsAt),
    endsAt: fromLocalInput(text.endsAt),
    paymentWindowSeconds: wholeNumber(text.paymentWindowSeconds) * 60,
    throttle: {
      perShopper: {
        limit: wholeNumber(text['throttle.perShopper.limit']),
        windowSeconds: wholeNumber(text['throttle.perShopper.windowSeconds']),
      },
    },
  })
  if (result.success) return { ok: true, definition: result.data }
  const errors: FormErrors = {}
  for (const { path } of result.error.issues) {
    const field = fieldNames.find((name) => name === path.join('.'))
    if (field !== undefined) errors[field] ??= errorOf(field, text)
  }
  return { ok: false, errors }
}

/** Our words for what is wrong with a field, whether the form or the function found it. */
export function errorOf(field: FieldName, text: FormText): FieldError {
  if (text[field].trim() === '') return { key: 'error.required' }
  switch (field) {
    case 'price':
      return { key: 'error.price', args: { digits: digitsOf(text.currency) } }
    case 'stock':
      return whole(-1, maxStock)
    case 'limitPerShopper':
      return whole(1, maxQuantity)
    case 'maxPerOrder':
      return Number.isInteger(wholeNumber(text.maxPerOrder)) && wholeNumber(text.maxPerOrder) >= 1
        ? { key: 'error.maxPerOrder' }
        : whole(1, maxQuantity)
    case 'paymentWindowSeconds':
      return whole(1, 1440)
    case 'throttle.perShopper.limit':
      return whole(1, 1000)
    case 'throttle.perShopper.windowSeconds':
      return whole(1, 3600)
    case 'startsAt':
      return { key: 'error.time' }
    case 'endsAt':
      return Number.isNaN(fromLocalInput(text.endsAt)) ? { key: 'error.time' } : { key: 'error.endsAt' }
    case 'saleId':
    case 'image':
    case 'currency':
      return { key: `error.${field}` }
    default:
      return { key: 'error.required' }
  }
}

/** The form's text for a sale that exists. */
export function textOf(sale: SaleDefinition): FormText {
  return {
    saleId: sale.saleId,
    title: sale.title,
    description: sale.description,
    image: sale.image,
    price: majorText(sale.price, sale.currency),
    currency: sale.currency,
    stock: String(sale.stock),
    limitPerShopper: String(sale.limitPerShopper),
    maxPerOrder: String(sale.maxPerOrder),
    startsAt: toLocalInput(sale.startsAt),
    endsAt: toLocalInput(sale.endsAt),
    paymentWindowSeconds: String(Math.round(sale.paymentWindowSeconds / 60)),
    'throttle.perShopper.limit': String(sale.throttle.perShopper.limit),
    'throttle.perShopper.windowSeconds': String(sale.throttle.perShopper.windowSeconds),
  }
}

/** Exact minor units of a decimal text such as `0.10` or `12,5`; NaN when it is not an amount of `currency`. */
export function minorAmount(text: string, currency: string): number {
  const digits = minorDigits(currency)
  const match = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim())
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > digits) return Number.NaN
  return Number(`${match[1]}${fraction.padEnd(digits, '0')}`)
}

/** `10` fen as `0.10`. */
export function majorText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const padded = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

/** Epoch ms as the value of a `datetime-local` input, in the viewer's zone. */
export function toLocalInput(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

/** The value of a `datetime-local` input as epoch ms, read in the viewer's zone; NaN when it is no time. */
export function fromLocalInput(text: string): number {
  return /^\d{4,}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text) ? new Date(text).getTime() : Number.NaN
}

/** A sale id made of a title: `Stoneware mug, blue` becomes `stoneware-mug-blue`. */
export function slugOf(title: string): string {
  const ascii = title.normalize('NFKD').toLowerCase()
  return ascii
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
}

function wholeNumber(text: string): number {
  return /^\s*-?\d{1,12}\s*$/.test(text) ? Number(text) : Number.NaN
}

function whole(min: number, max: number): FieldError {
  return { key: 'error.whole', args: { min, max } }
}

function digitsOf(currency: string): number {
  const code = currency.trim().toUpperCase()
  return isCurrency(code) ? minorDigits(code) : 2
}
