/**
 * What a sale is now. The edge, the functions, the published pointer and the console all ask this one
 * function; reserve.lua applies the same rule to the same facts, and a test holds the two together.
 */

export type Phase = 'draft' | 'scheduled' | 'open' | 'paused' | 'sold-out' | 'ended'

/** The start flag as the marketer left it (G1-G3). */
export type Flag = 'off' | 'on' | 'paused' | 'closed'

/** The facts a phase follows from. `warmed` says whether the stock is on the shelf. Times are epoch ms. */
export type PhaseFacts = { warmed: boolean; flag: Flag; startsAt: number; endsAt: number }

/** Units left to reserve; -1 means the stock is unlimited. */
export type Available = number

/** The phase of a sale at `now` (epoch ms). The sale is open from `startsAt` up to, not including, `endsAt`. */
export function phaseAt(sale: PhaseFacts, now: number, available: Available): Phase {
  if (sale.flag === 'closed' || now >= sale.endsAt) return 'ended'
  if (!sale.warmed) return 'draft'
  if (sale.flag === 'paused') return 'paused'
  if (sale.flag === 'off' || now < sale.startsAt) return 'scheduled'
  return available === 0 ? 'sold-out' : 'open'
}
