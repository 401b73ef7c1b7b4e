/** Our words for what is wrong with a field of the sale form, and where they stand, whoever found it. */
import { maxSlots } from '../../../core/body-limits.ts'
import { maxQuantity } from '../../../core/buy-request.ts'
import { isCurrency, minorDigits } from '../../../core/money.ts'
import { maxStock } from '../../../core/sale.ts'
import type { consoleMessages } from '../../messages/console.ts'
import type { Arguments } from '../../messages/text.ts'
import { type FieldName, type FormText, fieldNames } from './form-text.ts'
import { type SlotField, type SlotPlace, slotFields, wrongPlace } from './slot-text.ts'
import { fromLocalInput, wholeNumber } from './typed.ts'

/** Where a complaint stands: at an input, or below all windows. */
export type Place = FieldName | SlotPlace | 'slots'
export type FieldError = { key: keyof typeof consoleMessages; args?: Arguments }
export type FormErrors = Partial<Record<Place, FieldError>>

/** Where what is wrong with `path` (dotted, as the API names it) is shown; undefined when no input is meant by it. */
export function placeOf(path: string, text: FormText): Place | undefined {
  const name = fieldNames.find((known) => known === path)
  const part = slotFields.find((known) => known === path)
  if (part !== undefined && text.slots.length > 0) return `slots.0.${part}`
  if (name !== undefined) return name
  const [all, row, field] = /^slots(?:\.(\d+)(?:\.(\w+))?)?$/.exec(path) ?? []
  const cell = slotFields.find((known) => known === field)
  if (row !== undefined && cell !== undefined) return `slots.${Number(row)}.${cell}`
  return all === undefined ? undefined : (wrongPlace(text.slots) ?? 'slots')
}

/** What is wrong at `place`. */
export function errorOf(place: Place, text: FormText): FieldError {
  const name = fieldNames.find((known) => known === place)
  if (name !== undefined) return fieldError(name, text)
  const [, row, field] = place.split('.')
  const cell = slotFields.find((known) => known === field)
  if (cell === undefined) return { key: 'error.slots', args: { max: maxSlots } }
  return slotError(cell, text.slots[Number(row)]?.[cell] ?? '')
}

function fieldError(field: FieldName, text: FormText): FieldError {
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
    case 'admissionRatio':
      return { key: 'error.ratio', args: { min: 1, max: 100 } }
    case 'minLevel':
      return whole(0, 1_000_000)
    case 'throttle.perShopper.limit':
      return whole(1, 1000)
    case 'throttle.perIp.limit':
    case 'throttle.perSale.limit':
      return whole(1, 1_000_000)
    case 'throttle.perShopper.windowSeconds':
    case 'throttle.perIp.windowSeconds':
    case 'throttle.perSale.windowSeconds':
      return whole(1, 3600)
    case 'startsAt':
      return { key: 'error.time' }
    case 'endsAt':
      return endError(text.endsAt)
    case 'saleId':
    case 'image':
    case 'currency':
      return { key: `error.${field}` }
    default:
      return { key: 'error.required' }
  }
}

function slotError(field: SlotField, text: string): FieldError {
  if (text.trim() === '') return { key: 'error.required' }
  if (field === 'stock') return whole(1, maxStock)
  if (field === 'endsAt') return endError(text)
  return { key: Number.isNaN(fromLocalInput(text)) ? 'error.time' : 'error.slotOrder' }
}

function endError(text: string): FieldError {
  return { key: Number.isNaN(fromLocalInput(text)) ? 'error.time' : 'error.endsAt' }
}

function whole(min: number, max: number): FieldError {
  return { key: 'error.whole', args: { min, max } }
}

function digitsOf(currency: string): number {
  const code = currency.trim().toUpperCase()
  return isCurrency(code) ? minorDigits(code) : 2
}
