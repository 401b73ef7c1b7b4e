/**
 * Between what a marketer types and a sale's definition. The rules are core's own schema, so the form and the
 * function behind it cannot disagree; this file only turns text into numbers and back.
 */
import { type SaleDefinition, type SaleEdit, saleDefinition } from '../../../core/sale.ts'
import { errorOf, type FormErrors, placeOf } from './field-errors.ts'
import { type FormText, fieldNames, ownWindowText, type throttleScopes } from './form-text.ts'
import {
  currencyCode,
  decimalNumber,
  fromLocalInput,
  majorText,
  minutesText,
  secondsOfMinutes,
  toLocalInput,
  typedAmount,
  wholeNumber,
} from './typed.ts'
import { readWindow, windowFields, windowText } from './window-text.ts'

type ThrottleScope = (typeof throttleScopes)[number]

/** The definition the form describes, or every field that is wrong. Times are read in the viewer's zone. */
export function readForm(
  text: FormText,
): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const rule = (scope: ThrottleScope) => ({
    limit: wholeNumber(text[`throttle.${scope}.limit` as const]),
    windowSeconds: wholeNumber(text[`throttle.${scope}.windowSeconds` as const]),
  })
  const windows = text.windows.map((saleWindow) => readWindow(saleWindow, text))
  const { totalAmount, ...first } = windows[0] ?? readWindow(ownWindowText(text), text)
  const result = saleDefinition.safeParse({
    saleId: text.saleId.trim(),
    kind: text.kind,
    title: text.title,
    description: text.description,
    image: text.image.trim(),
    currency: currencyCode(text.currency),
    ...first,
    ...(totalAmount === undefined ? {} : { packets: { count: first.stock, totalAmount } }),
    windows,
    ...ofKind(text),
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

/** The fields that only sales of this kind have. */
function ofKind(text: FormText) {
  if (text.kind === 'red-packet') return {}
  const limits = {
    limitPerShopper: wholeNumber(text.limitPerShopper),
    maxPerOrder: wholeNumber(text.maxPerOrder),
  }
  if (text.kind === 'coupon') {
    const validFrom = optional(text['coupons.validFrom'], fromLocalInput)
    const validUntil = optional(text['coupons.validUntil'], fromLocalInput)
    return {
      ...limits,
      coupons: {
        ...(validFrom === undefined ? {} : { validFrom }),
        ...(validUntil === undefined ? {} : { validUntil }),
      },
    }
  }
  return {
    ...limits,
    price: typedAmount(text.price, text.currency),
    paymentWindowSeconds: secondsOfMinutes(text.paymentWindowSeconds),
    paymentGraceSeconds: optional(text.paymentGraceSeconds, wholeNumber),
  }
}

/**
 * The fields whose text differs from `before`. Compared as text, because a sale may hold finer
 * values than the form shows (milliseconds, odd seconds), and an untouched field must not change.
 */
export function editOf(before: FormText, after: FormText, definition: SaleDefinition): SaleEdit {
  const typed = fieldNames.filter((name) => before[name] !== after[name]).map((name) => name.split('.')[0])
  const sameWindows = JSON.stringify(before.windows) === JSON.stringify(after.windows)
  const touched = sameWindows ? typed : [...typed, 'windows', ...windowFields, 'packets']
  // The number of packets is the stock of their sale.
  if (touched.includes('packets')) touched.push('stock')
  const { saleId, kind, ...editable } = definition
  return Object.fromEntries(Object.entries(editable).filter(([name]) => touched.includes(name)))
}

/** The form's text for a sale that exists. */
export function textOf(sale: SaleDefinition): FormText {
  const { currency, packets, coupons } = sale
  const { startsAt, endsAt, stock } = windowText(sale, currency)
  const time = (ms: number | undefined) => (ms === undefined ? '' : toLocalInput(ms))
  return {
    kind: sale.kind,
    saleId: sale.saleId,
    title: sale.title,
    description: sale.description,
    image: sale.image,
    price: majorText(sale.price, currency),
    currency,
    limitPerShopper: String(sale.limitPerShopper),
    maxPerOrder: String(sale.maxPerOrder),
    ...{ startsAt, endsAt, stock },
    'packets.count': packets === undefined ? '' : String(packets.count),
    'packets.totalAmount': packets === undefined ? '' : majorText(packets.totalAmount, currency),
    'coupons.validFrom': time(coupons?.validFrom),
    'coupons.validUntil': time(coupons?.validUntil),
    windows: sale.windows.map((saleWindow) => windowText(saleWindow, currency)),
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

/** Undefined for what is left empty: that has a default of its own, or none. */
function optional(text: string, read: (text: string) => number): number | undefined {
  return text.trim() === '' ? undefined : read(text)
}
