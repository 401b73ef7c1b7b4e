/** The windows of a sale as a marketer types them (R7). */

import { majorText } from '../../../../core/money.ts'
import type { SaleWindow } from '../../../../core/sale/sale.ts'
import type { SaleKind } from '../../../../core/sale/settings.ts'
import { allUnits, type Variant } from '../../../../core/sale/variants.ts'
import { dayLater, fromLocalInput, toLocalInput, typedAmount, typedZone, wholeNumber } from '../lib/typed.ts'
import { readVariant, type VariantText } from './variant-text.ts'

/** What is typed of one window. A sale without windows has the same fields of its own. */
export const windowInputs = ['startsAt', 'endsAt', 'stock', 'totalAmount'] as const

export type WindowField = (typeof windowInputs)[number]
/**
 * `stock` are the packets where `totalAmount` is what they hold; elsewhere that is empty. `units` are
 * those of each variant where they differ from the ones typed for all windows (N1).
 */
export type WindowText = Record<WindowField, string> & { units?: SaleWindow['units'] }
export type WindowPlace = `windows.${number}.${WindowField}`

/** What the text of a window is read by. */
type Terms = { kind: SaleKind; currency: string; timeZone: string; variants: readonly VariantText[] }

/** Only packets hold money, and the units of variants are typed for all windows at once. */
export function windowFieldsOf(kind: SaleKind, hasVariants: boolean): readonly WindowField[] {
  const absent = [...(kind === 'red-packet' ? [] : ['totalAmount']), ...(hasVariants ? ['stock'] : [])]
  return windowInputs.filter((name) => !absent.includes(name))
}

/** A window that exists, as it would be typed again; `usual` are the units of each variant elsewhere. */
export function windowText(
  { startsAt, endsAt, stock, totalAmount, units }: SaleWindow,
  currency: string,
  usual: SaleWindow['units'],
  zone: string | undefined,
): WindowText {
  const isUsual = Object.entries(units ?? {}).every(([id, n]) => usual?.[id] === n)
  return {
    startsAt: toLocalInput(startsAt, zone),
    endsAt: toLocalInput(endsAt, zone),
    stock: String(stock),
    totalAmount: totalAmount === undefined ? '' : majorText(totalAmount, currency),
    ...(!isUsual && { units }),
  }
}

/** Units of each variant, by its id. */
export function unitsByVariant(variants: readonly Variant[]): Record<string, number> {
  return Object.fromEntries(variants.map(({ id, stock }) => [id, stock]))
}

/** The units of a window with units of its own for exactly these variants, else those of all windows. */
export function unitsOfWindow({ units }: WindowText, variants: readonly VariantText[]): Record<string, number> {
  const usual = unitsByVariant(variants.map(readVariant))
  const ids = Object.keys(usual)
  const isOwn = units !== undefined && Object.keys(units).length === ids.length && ids.every((id) => id in units)
  return isOwn ? units : usual
}

/** What cannot be read is NaN. */
export function readWindow(text: WindowText, { kind, currency, timeZone, variants }: Terms): SaleWindow {
  const zone = typedZone(timeZone)
  const saleWindow: SaleWindow = {
    startsAt: fromLocalInput(text.startsAt, zone),
    endsAt: fromLocalInput(text.endsAt, zone),
    stock: wholeNumber(text.stock),
  }
  if (kind === 'red-packet') return { ...saleWindow, totalAmount: typedAmount(text.totalAmount, currency) }
  if (kind !== 'goods' || variants.length === 0) return saleWindow
  const units = unitsOfWindow(text, variants)
  return { ...saleWindow, stock: allUnits(units), units }
}

/**
 * What another window begins with: the first is the sale as it stands, each further one is a day
 * after the last, by the clocks of `zone`.
 */
export function nextWindowText(windows: readonly WindowText[], sale: WindowText, zone: string | undefined): WindowText {
  const last = windows.at(-1)
  if (last !== undefined) {
    return { ...last, startsAt: dayLater(last.startsAt, zone), endsAt: dayLater(last.endsAt, zone) }
  }
  // A window has units that can be counted; an unlimited sale does not say how many.
  return { ...sale, stock: wholeNumber(sale.stock) > 0 ? sale.stock : '' }
}

/**
 * Where the windows go wrong among themselves: one that ends before it starts, starts before the
 * last is over, or holds too little money for its packets.
 */
export function wrongPlace(windows: readonly WindowText[], terms: Terms): WindowPlace | undefined {
  const read = windows.map((saleWindow) => readWindow(saleWindow, terms))
  for (const [i, { startsAt, endsAt, stock, totalAmount }] of read.entries()) {
    if (endsAt <= startsAt) return `windows.${i}.endsAt`
    if (startsAt < (read[i - 1]?.endsAt ?? startsAt)) return `windows.${i}.startsAt`
    if (totalAmount !== undefined && totalAmount < stock) return `windows.${i}.totalAmount`
  }
  return undefined
}
