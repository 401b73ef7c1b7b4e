/** The windows of a sale in which units are sold (R7). */
import type { Sale, Slot } from './sale.ts'

/** The window after the one that the sale is in, or undefined behind the last. */
export function nextSlot({ slots, slot }: Pick<Sale, 'slots' | 'slot'>): Slot | undefined {
  return slots[slot + 1]
}
