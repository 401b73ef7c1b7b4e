/**
 * Between what a marketer types and a sale's definition. The rules are core's own schema, so the form and the
 * function behind it cannot disagree; this file only turns text into numbers and back.
 */
import { isCurrency } from '../../../core/money.ts'
import { type SaleDefinition, type SaleEdit, saleDefinition } from '../../../core/sale.ts'
import { errorOf, type FormErrors, placeOf } from './field-errors.ts'
import { type FormText, fieldNames, type throttleScopes } from './form-text.ts'
import { readSlot, slotFields, slotText } from './slot-text.ts'
import { decimalNumber, majorText, minorAmount, minutesText, secondsOfMinutes, wholeNumber } from './typed.ts'

type ThrottleScope = (typeof throttleScopes)[number]

/** The definition the form describes, or every field that is wrong. Times are read in the viewer's zone. */
export function readForm(
  text: FormText,
): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const currency = text.currency.trim().toUpperCase()
  const rule = (scope: ThrottleScope) => ({
    limit: wholeNumber(text[`throttle.${scope}.limit` as const]),
    windowSeconds: wholeNumber(text[`throttle.${scope}.windowSeconds` as const]),
  })
  const slots = text.slots.map(readSlot)
  const result = saleDefinition.safeParse({
    saleId: text.saleId.trim(),
    kind: 'goods',
    title: text.title,
    description: text.description,
    image: text.image.trim(),
    price: isCurrency(currency) ? minorAmount(text.price, currency) : Number.NaN,
    currency,
    limitPerShopper: wholeNumber(text.limitPerShopper),
    maxPerOrder: wholeNumber(text.maxPerOrder),
    ...(slots[0] ?? readSlot(text)),
    slots,
    paymentWindowSeconds: secondsOfMinutes(text.paymentWindowSeconds),
    paymentGraceSeconds: optional(text.paymentGraceSeconds),
    admissionRatio: decimalNumber(text.admissionRatio),
    minLevel: wholeNumber(text.minLevel),
    challenge: text.challenge,
    throttle: { perShopper: rule('perShopper'), perIp: rule('perIp'), perSale: rule('perSale') },
  })
  if (result.success) return { ok: true, definition: result.data }
  const errors: FormErrors = {}
  for (const { path } of result.error.issues) {
    const place = placeOf(path.join('.'), text)
    if (place !== undefined) errors[place] ??= errorOf(place, text)
  }
  return { ok: false, errors }
}

/**
 * The fields whose text differs from `before`. Compared as text, because a sale may hold finer values than the
 * form shows (milliseconds, odd seconds), and what nobody touched must not change.
 */
export function editOf(before: FormText, after: FormText, definition: SaleDefinition): SaleEdit {
  const typed = fieldNames.filter((name) => before[name] !== after[name]).map((name) => name.split('.')[0])
  const sameSlots = JSON.stringify(before.slots) === JSON.stringify(after.slots)
  const touched = sameSlots ? typed : [...typed, 'slots', ...slotFields]
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
    limitPerShopper: String(sale.limitPerShopper),
    maxPerOrder: String(sale.maxPerOrder),
    ...slotText(sale),
    slots: sale.slots.map(slotText),
    paymentWindowSeconds: minutesText(sale.paymentWindowSeconds),
    paymentGraceSeconds: String(sale.paymentGraceSeconds),
    ...gateText(sale),
  }
}

/** The part of the form's text that is about the gate. */
export function gateText({
  admissionRatio,
  minLevel,
  challenge,
  throttle: { perShopper, perIp, perSale },
}: Pick<SaleDefinition, 'admissionRatio' | 'minLevel' | 'challenge' | 'throttle'>) {
  return {
    admissionRatio: String(admissionRatio),
    minLevel: String(minLevel),
    challenge,
    'throttle.perShopper.limit': String(perShopper.limit),
    'throttle.perShopper.windowSeconds': String(perShopper.windowSeconds),
    'throttle.perIp.limit': String(perIp.limit),
    'throttle.perIp.windowSeconds': String(perIp.windowSeconds),
    'throttle.perSale.limit': String(perSale.limit),
    'throttle.perSale.windowSeconds': String(perSale.windowSeconds),
  }
}

/** What is left empty has a default of its own. */
function optional(text: string): number | undefined {
  return text.trim() === '' ? undefined : wholeNumber(text)
}
