/** The windows of a sale in which units are sold (R7). */
import type { Sale, Slot } from './sale.ts'

/** What a sale has from the window that it is in. */
export const slotFields = ['startsAt', 'endsAt', 'stock'] as const

/**
 * When a sale that has `slots` starts, when it ends and with how many units: as the first of them says, whatever that is;
 * nothing where there is no such window.
 */
export function ofFirstSlot(slots: unknown): Partial<Record<(typeof slotFields)[number], unknown>> {
  const first: unknown = Array.isArray(slots) ? slots[0] : undefined
  if (typeof first !== 'object' || first === null) return {}
  const given: Record<string, unknown> = { ...first }
  return { startsAt: given.startsAt, endsAt: given.endsAt, stock: given.stock }
}

/** The window after the one that the sale is in, or undefined behind the last. */
export function nextSlot({ slots, slot }: Pick<Sale, 'slots' | 'slot'>): Slot | undefined {
  return slots[slot + 1]
}
