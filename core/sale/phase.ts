/** The phase of a sale, used by the edge, functions, pointer and console. A test compares it with reserve.lua. */
export const phases = ['draft', 'scheduled', 'open', 'paused', 'held-back', 'sold-out', 'ended'] as const
export type Phase = (typeof phases)[number]

/** The start flag as the marketer set it (G1-G3). */
export const flags = ['off', 'on', 'paused', 'closed'] as const
export type Flag = (typeof flags)[number]

/** `warmed`: the stock is in Redis; `hasNext`: another window follows (R7). Times are epoch ms. */
export type PhaseFacts = { warmed: boolean; flag: Flag; startsAt: number; endsAt: number; hasNext: boolean }

/** Units left to reserve; -1 means the stock is unlimited. */
export type Available = number

/**
 * Returns the phase of a sale at `now` (epoch ms). The sale is open from `startsAt` until just before `endsAt`, and
 * `scheduled` between two windows. `mayRestock`: units held back after a recovery may be for sale again, so an empty stock
 * is not sold out.
 */
export function phaseAt(sale: PhaseFacts, now: number, available: Available, mayRestock = false): Phase {
  const isOver = now >= sale.endsAt
  if (sale.flag === 'closed' || (isOver && !sale.hasNext)) return 'ended'
  if (!sale.warmed) return 'draft'
  if (sale.flag === 'paused') return 'paused'
  if (sale.flag === 'off' || now < sale.startsAt || isOver) return 'scheduled'
  if (available !== 0) return 'open'
  return mayRestock ? 'held-back' : 'sold-out'
}

const availabilities: Readonly<Record<Phase, string>> = {
  draft: 'PreOrder',
  scheduled: 'PreOrder',
  open: 'InStock',
  paused: 'OutOfStock',
  'held-back': 'OutOfStock',
  'sold-out': 'SoldOut',
  ended: 'OutOfStock',
}

/** Returns the availability of a sale's offer for search engines (https://schema.org/ItemAvailability). */
export const availabilityIn = (phase: Phase): string => `https://schema.org/${availabilities[phase]}`
