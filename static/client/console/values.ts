/**
 * Between what a marketer types and a sale's definition. The rules are core's own schema, so the form and the
 * function behind it cannot disagree; this file only turns text into numbers and issues into our words.
 */
import { maxQuantity } from '../../../core/buy-request.ts'
import { isCurrency, minorDigits } from '../../../core/money.ts'
import { maxStock, type SaleDefinition, type SaleEdit, saleDefinition } from '../../../core/sale.ts'
import type { consoleMessages } from '../../messages/console.ts'
import type { Arguments } from '../../messages/text.ts'
import {
  fromLocalInput,
  majorText,
  minorAmount,
  minutesText,
  secondsOfMinutes,
  toLocalInput,
  wholeNumber,
} from './typed.ts'

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
  'paymentGraceSeconds',
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
    paymentWindowSeconds: secondsOfMinutes(text.paymentWindowSeconds),
    paymentGraceSeconds: optional(text.paymentGraceSeconds),
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
      return { key: 'error.minutes', args: { max: 1440 } }
    case 'paymentGraceSeconds':
      return whole(0, 3600)
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

/**
 * The fields whose text differs from `before`. Compared as text, because a sale may hold finer values than the
 * form shows (milliseconds, odd seconds), and what nobody touched must not change.
 */
export function editOf(before: FormText, after: FormText, definition: SaleDefinition): SaleEdit {
  const touched = fieldNames.filter((name) => before[name] !== after[name]).map((name) => name.split('.')[0])
  const { saleId, kind, ...editable } = definition
  return Object.fromEntries(Object.entries(editable).filter(([name]) => touched.includes(name)))
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
    paymentWindowSeconds: minutesText(sale.paymentWindowSeconds),
    paymentGraceSeconds: String(sale.paymentGraceSeconds),
    'throttle.perShopper.limit': String(sale.throttle.perShopper.limit),
    'throttle.perShopper.windowSeconds': String(sale.throttle.perShopper.windowSeconds),
  }
}

/** What is left empty has a default of its own. */
function optional(text: string): number | undefined {
  return text.trim() === '' ? undefined : wholeNumber(text)
}

function whole(min: number, max: number): FieldError {
  return { key: 'error.whole', args: { min, max } }
}

function digitsOf(currency: string): number {
  const code = currency.trim().toUpperCase()
  return isCurrency(code) ? minorDigits(code) : 2
}
