/**
 * Between what a marketer types and a sale's definition. The rules are core's own schema, so the
 * form and the function behind it cannot disagree; this file only turns text into numbers and back.
 */
import { usualLanguages } from '../../../../core/language.ts'
import { majorText } from '../../../../core/money.ts'
import { type SaleDefinition, type SaleEdit, saleDefinition, type ThrottleRule } from '../../../../core/sale/sale.ts'
import { isOfKind, settingNames, settingOf, settingValue } from '../../../../core/sale/settings.ts'
import {
  costsText,
  countryCodes,
  currencyCode,
  decimalNumber,
  fromLocalInput,
  minutesText,
  secondsOfMinutes,
  toLocalInput,
  typedAmount,
  typedCosts,
  typedOrigins,
  typedZone,
  wholeNumber,
} from '../lib/typed.ts'
import { errorOf, type FormErrors, placeOf } from './field-errors.ts'
import { type FieldName, type FormText, fieldNames, isRule, ownWindowText, settingAt, variantsIn } from './form-text.ts'
import { pictureIn } from './picture-text.ts'
import { type VariantText, variantText } from './variant-text.ts'
import { readWindow, unitsByVariant, windowInputs, windowText } from './window-text.ts'

type As = Exclude<ReturnType<typeof settingOf>['as'], 'rule' | 'pictures'>

/** How each way of writing a value is read; what cannot be read is NaN. */
const readers: Readonly<Record<As, (text: string, currency: string, zone: string | undefined) => unknown>> = {
  id: (text) => text.trim(),
  text: (text) => text,
  code: currencyCode,
  money: typedAmount,
  units: wholeNumber,
  decimal: decimalNumber,
  time: (text, _, zone) => fromLocalInput(text, zone),
  minutes: secondsOfMinutes,
  choice: (text) => text,
  countries: countryCodes,
  costs: typedCosts,
  origins: typedOrigins,
}

/** The same value as it would be typed. */
function typedText(as: As, value: unknown, currency: string, zone: string | undefined): string {
  if (value === undefined) return ''
  // No digits for nothing: `0.00` would be wrong once the currency is one without cents.
  if (as === 'money') return value === 0 ? '0' : majorText(Number(value), currency)
  if (as === 'time') return toLocalInput(Number(value), zone)
  if (as === 'minutes') return minutesText(Number(value))
  if (as === 'costs') return costsText(value as Record<string, number>, currency)
  if (Array.isArray(value)) return value.join(', ')
  return String(value)
}

/** The definition the form describes, or every field that is wrong. */
export function readForm(text: FormText): { ok: true; definition: SaleDefinition } | { ok: false; errors: FormErrors } {
  const windows = text.windows.map((saleWindow) => readWindow(saleWindow, text))
  const { totalAmount, units, ...first } = windows[0] ?? readWindow(ownWindowText(text), text)
  const variants = variantsIn(text).map((variant) => ({ ...variant, stock: units?.[variant.id] }))
  const result = saleDefinition.safeParse({
    kind: text.kind,
    ...(text.kind === 'coupon' ? { coupons: {} } : {}),
    ...settingsIn(text),
    ...first,
    ...(totalAmount === undefined ? {} : { packets: { count: first.stock, totalAmount } }),
    ...(variants.length === 0 ? {} : { variants }),
    windows,
    pictures: text.pictures.map(pictureIn),
  })
  if (result.success) return { ok: true, definition: result.data }
  const errors: FormErrors = {}
  for (const { path } of result.error.issues) {
    const place = placeOf(path.join('.'), text)
    if (place !== undefined) errors[place] ??= errorOf(place, text)
  }
  return { ok: false, errors }
}

/** The settings that a sale of this kind has, but for those of its windows. */
function settingsIn(text: FormText): Record<string, unknown> {
  const definition: Record<string, unknown> = {}
  const zone = typedZone(text.timeZone)
  for (const name of settingNames) {
    const { as, optional, perWindow } = settingOf(name)
    if (perWindow || !isOfKind(name, text.kind)) continue
    if (isRule(name)) {
      const rule = {
        limit: wholeNumber(text[`${name}.limit`]),
        windowSeconds: wholeNumber(text[`${name}.windowSeconds`]),
      }
      put(definition, name, rule)
    } else if (name !== 'pictures') {
      const typed = text[name as Exclude<FieldName, `throttle.${string}`>]
      // A field that is left empty has a default, or may be missing.
      if (optional && typed.trim() === '') continue
      put(definition, name, as === 'rule' || as === 'pictures' ? undefined : readers[as](typed, text.currency, zone))
    }
  }
  for (const [path, typed] of Object.entries(text.texts)) {
    if (typed.trim() !== '') put(definition, `translations.${path}`, typed)
  }
  return definition
}

/** Puts the value at a path such as `coupons.validFrom`. */
function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [field = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[field] = value
    return
  }
  const part = { ...(target[field] as object | undefined) }
  put(part, rest.join('.'), value)
  target[field] = part
}

/**
 * The fields whose text differs from `first`, in the zone of `after`. Compared as text, because a sale may hold finer
 * values than the form shows (milliseconds, odd seconds), and an untouched field must not change.
 */
export function editOf(first: FormText, after: FormText, definition: SaleDefinition): SaleEdit {
  const before = { ...inZone(first, after.timeZone), timeZone: first.timeZone }
  const typed = fieldNames.filter((name) => before[name] !== after[name]).map((name) => name.split('.')[0] ?? '')
  const touched: string[] = isSame(before.windows, after.windows)
    ? typed
    : [...typed, 'windows', ...windowInputs, 'packets']
  if (!isSame(before.pictures.map(pictureIn), definition.pictures)) touched.push('pictures')
  if (!isSame(before.texts, after.texts)) touched.push('translations')
  // The number of packets is the stock of their sale.
  if (touched.includes('packets')) touched.push('stock')
  const { saleId, kind, ...edited } = definition
  // Emptied settings must be sent: a setting that is absent from the edit stays.
  const editable = {
    ...edited,
    delivery: definition.delivery ?? { countries: [] },
    allowedOrigins: definition.allowedOrigins ?? [],
    variants: definition.variants ?? [],
    translations: definition.translations ?? {},
    listPrice: definition.listPrice ?? null,
    timeZone: definition.timeZone ?? null,
    checkoutUrl: definition.checkoutUrl ?? null,
    earlyAccess: definition.earlyAccess ?? null,
    draw: definition.draw ?? null,
  }
  if (!isSame(before.variants, after.variants)) {
    touched.push('variants')
    // The stocks of a sale that runs are those of its present window: a name leaves them alone.
    if (isSame(before.variants.map(unnamed), after.variants.map(unnamed))) editable.variants = variantsIn(after)
    else touched.push('stock', 'windows')
  }
  return Object.fromEntries(Object.entries(editable).filter(([name]) => touched.includes(name)))
}

/** The same moments as they are typed in another zone; what cannot be read stays as it is. */
export function inZone(text: FormText, timeZone: string): FormText {
  const [from, to] = [typedZone(text.timeZone), typedZone(timeZone)]
  if (from === to) return { ...text, timeZone }
  const moved = <Name extends FieldName>(part: Readonly<Record<Name, string>>, names: readonly Name[]) => {
    const read = names.map((name) => [name, fromLocalInput(part[name], from)] as const)
    const known = read.filter(([, ms]) => !Number.isNaN(ms))
    return Object.fromEntries(known.map(([name, ms]) => [name, toLocalInput(ms, to)]))
  }
  const times = fieldNames.filter((name) => settingOf(settingAt(name)).as === 'time')
  const windows = text.windows.map((one) => ({ ...one, ...moved(one, ['startsAt', 'endsAt']) }))
  return { ...text, ...moved(text, times), windows, timeZone }
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

function unnamed({ id, stock }: VariantText): Omit<VariantText, 'name'> {
  return { id, stock }
}

/** The form's text for a sale that exists. */
export function textOf(sale: SaleDefinition): FormText {
  const { kind, currency, windows, pictures, variants = [], timeZone = '' } = sale
  const usual = unitsByVariant(variants)
  return {
    ...textOfSettings(sale, currency, typedZone(timeZone)),
    kind,
    windows: windows.map((saleWindow) => windowText(saleWindow, currency, usual, typedZone(timeZone))),
    pictures,
    variants: variants.map(variantText),
    texts: otherTexts(sale),
  }
}

function otherTexts({ translations = {} }: SaleDefinition): Record<string, string> {
  const others = Object.entries(translations).filter(([language]) => !usualLanguages.includes(language))
  return Object.fromEntries(
    others.flatMap(([language, { title = '', description = '' }]) => [
      [`${language}.title`, title],
      [`${language}.description`, description],
    ]),
  )
}

/** The form's text for settings that have a default, and nothing for the others. */
export function defaultText(currency: string): Record<FieldName, string> {
  const defaults: Record<string, unknown> = {}
  for (const name of settingNames) put(defaults, name, settingOf(name).default)
  return textOfSettings(defaults, currency, undefined)
}

function textOfSettings(definition: object, currency: string, zone: string | undefined): Record<FieldName, string> {
  const text: Partial<Record<FieldName, string>> = {}
  for (const name of settingNames) {
    const value = settingValue(definition, name)
    const { as } = settingOf(name)
    if (isRule(name)) {
      const { limit, windowSeconds } = value as ThrottleRule
      text[`${name}.limit`] = String(limit)
      text[`${name}.windowSeconds`] = String(windowSeconds)
    } else if (as !== 'rule' && as !== 'pictures') {
      text[name as FieldName] = typedText(as, value, currency, zone)
    }
  }
  return text as Record<FieldName, string>
}
