/** The windows of a sale as a marketer types them (R7). */
import type { SaleKind, Slot } from '../../../core/sale.ts'
import type { FormText } from './form-text.ts'
import { dayLater, fromLocalInput, majorText, toLocalInput, typedAmount, wholeNumber } from './typed.ts'

/** What is typed of one window. A sale without windows has the same fields of its own. */
export const slotFields = ['startsAt', 'endsAt', 'stock', 'totalAmount'] as const

export type SlotField = (typeof slotFields)[number]
/** `stock` are the packets where `totalAmount` is what they hold; elsewhere that is empty. */
export type SlotText = Record<SlotField, string>
export type SlotPlace = `slots.${number}.${SlotField}`

/** What the text of a window is read by. */
type Terms = Pick<FormText, 'kind' | 'currency'>

/** Only packets hold money. */
export function slotFieldsOf(kind: SaleKind): readonly SlotField[] {
  return kind === 'red-packet' ? slotFields : slotFields.filter((name) => name !== 'totalAmount')
}

/** A window that exists, as it would be typed again. */
export function slotText({ startsAt, endsAt, stock, totalAmount }: Slot, currency: string): SlotText {
  return {
    startsAt: toLocalInput(startsAt),
    endsAt: toLocalInput(endsAt),
    stock: String(stock),
    totalAmount: totalAmount === undefined ? '' : majorText(totalAmount, currency),
  }
}

/** What the sale says of itself where it has no windows, as the one window that it then is. */
export function ownSlotText(text: FormText): SlotText {
  const { startsAt, endsAt } = text
  return text.kind === 'red-packet'
    ? { startsAt, endsAt, stock: text['packets.count'], totalAmount: text['packets.totalAmount'] }
    : { startsAt, endsAt, stock: text.stock, totalAmount: '' }
}

/** Times are read in the viewer's zone; what cannot be read is NaN. */
export function readSlot(text: SlotText, { kind, currency }: Terms): Slot {
  const slot = {
    startsAt: fromLocalInput(text.startsAt),
    endsAt: fromLocalInput(text.endsAt),
    stock: wholeNumber(text.stock),
  }
  return kind === 'red-packet' ? { ...slot, totalAmount: typedAmount(text.totalAmount, currency) } : slot
}

/** What another window begins with: the first is the sale as it stands, each further one is a day after the last. */
export function nextSlotText(slots: readonly SlotText[], sale: SlotText): SlotText {
  const last = slots.at(-1)
  if (last !== undefined) {
    return { ...last, startsAt: dayLater(last.startsAt), endsAt: dayLater(last.endsAt) }
  }
  // A window has units that can be counted; an unlimited sale does not say how many.
  return { ...sale, stock: wholeNumber(sale.stock) > 0 ? sale.stock : '' }
}

/**
 * Where the windows go wrong among themselves: one that ends before it starts, starts before the last is over, or holds too
 * little money for its packets.
 */
export function wrongPlace(slots: readonly SlotText[], terms: Terms): SlotPlace | undefined {
  const read = slots.map((slot) => readSlot(slot, terms))
  for (const [i, { startsAt, endsAt, stock, totalAmount }] of read.entries()) {
    if (endsAt <= startsAt) return `slots.${i}.endsAt`
    if (startsAt < (read[i - 1]?.endsAt ?? startsAt)) return `slots.${i}.startsAt`
    if (totalAmount !== undefined && totalAmount < stock) return `slots.${i}.totalAmount`
  }
  return undefined
}
