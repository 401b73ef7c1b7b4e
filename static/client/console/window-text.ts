/** The windows of a sale as a marketer types them (R7). */
import type { SaleWindow } from '../../../core/sale.ts'
import type { SaleKind } from '../../../core/settings.ts'
import { dayLater, fromLocalInput, majorText, toLocalInput, typedAmount, wholeNumber } from './typed.ts'

/** What is typed of one window. A sale without windows has the same fields of its own. */
export const windowInputs = ['startsAt', 'endsAt', 'stock', 'totalAmount'] as const

export type WindowField = (typeof windowInputs)[number]
/** `stock` are the packets where `totalAmount` is what they hold; elsewhere that is empty. */
export type WindowText = Record<WindowField, string>
export type WindowPlace = `windows.${number}.${WindowField}`

/** What the text of a window is read by. */
type Terms = { kind: SaleKind; currency: string }

/** Only packets hold money. */
export function windowFieldsOf(kind: SaleKind): readonly WindowField[] {
  return kind === 'red-packet' ? windowInputs : windowInputs.filter((name) => name !== 'totalAmount')
}

/** A window that exists, as it would be typed again. */
export function windowText(
  { startsAt, endsAt, stock, totalAmount }: SaleWindow,
  currency: string,
): WindowText {
  return {
    startsAt: toLocalInput(startsAt),
    endsAt: toLocalInput(endsAt),
    stock: String(stock),
    totalAmount: totalAmount === undefined ? '' : majorText(totalAmount, currency),
  }
}

/** Times are read in the viewer's zone; what cannot be read is NaN. */
export function readWindow(text: WindowText, { kind, currency }: Terms): SaleWindow {
  const saleWindow = {
    startsAt: fromLocalInput(text.startsAt),
    endsAt: fromLocalInput(text.endsAt),
    stock: wholeNumber(text.stock),
  }
  return kind === 'red-packet'
    ? { ...saleWindow, totalAmount: typedAmount(text.totalAmount, currency) }
    : saleWindow
}

/**
 * What another window begins with: the first is the sale as it stands, each further one is a day
 * after the last.
 */
export function nextWindowText(windows: readonly WindowText[], sale: WindowText): WindowText {
  const last = windows.at(-1)
  if (last !== undefined) {
    return { ...last, startsAt: dayLater(last.startsAt), endsAt: dayLater(last.endsAt) }
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
