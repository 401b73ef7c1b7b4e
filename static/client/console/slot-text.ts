/** The windows of a sale as a marketer types them (R7). */
import type { Slot } from '../../../core/sale.ts'
import { dayLater, fromLocalInput, toLocalInput, wholeNumber } from './typed.ts'

/** What is typed of one window. A sale without windows has the same three fields of its own. */
export const slotFields = ['startsAt', 'endsAt', 'stock'] as const

export type SlotField = (typeof slotFields)[number]
export type SlotText = Record<SlotField, string>
export type SlotPlace = `slots.${number}.${SlotField}`

/** A window that exists, as it would be typed again. */
export function slotText({ startsAt, endsAt, stock }: Slot): SlotText {
  return { startsAt: toLocalInput(startsAt), endsAt: toLocalInput(endsAt), stock: String(stock) }
}

/** Times are read in the viewer's zone; what cannot be read is NaN. */
export function readSlot(text: SlotText): Slot {
  return {
    startsAt: fromLocalInput(text.startsAt),
    endsAt: fromLocalInput(text.endsAt),
    stock: wholeNumber(text.stock),
  }
}

/** What another window begins with: the first is the sale as it stands, each further one is a day after the last. */
export function nextSlotText(slots: readonly SlotText[], sale: SlotText): SlotText {
  const last = slots.at(-1)
  if (last !== undefined) {
    return { startsAt: dayLater(last.startsAt), endsAt: dayLater(last.endsAt), stock: last.stock }
  }
  // A window has units that can be counted; an unlimited sale does not say how many.
  const { startsAt, endsAt, stock } = sale
  return { startsAt, endsAt, stock: wholeNumber(stock) > 0 ? stock : '' }
}

/** Where the windows go wrong among themselves: one that ends before it starts, or starts before the last is over. */
export function wrongPlace(slots: readonly SlotText[]): SlotPlace | undefined {
  const read = slots.map(readSlot)
  for (const [i, { startsAt, endsAt }] of read.entries()) {
    if (endsAt <= startsAt) return `slots.${i}.endsAt`
    if (startsAt < (read[i - 1]?.endsAt ?? startsAt)) return `slots.${i}.startsAt`
  }
  return undefined
}
