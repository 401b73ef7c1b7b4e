/** What was noted of a sale for events: it opened, sold out or ended, each once in a window. */
import type { Phase } from '../sale/phase.ts'
import { phaseOf, type Sale } from '../sale/sale.ts'

export const saleStepWords = ['opened', 'sold-out', 'ended'] as const

/** `at` (epoch ms) is when it was seen: at most a second late while the sale runs. */
export type NotedSaleStep = { what: (typeof saleStepWords)[number]; windowIndex: number; at: number }

/** How long after its end a sale is still reported as ended. */
const reportMs = 3_600_000

/** Steps that are new at `now` (epoch ms), for a sale of which `known` were noted. `available` is what is left. */
export function newSaleSteps(
  known: readonly Pick<NotedSaleStep, 'what' | 'windowIndex'>[],
  sale: Sale,
  available: number,
  now: number,
): NotedSaleStep[] {
  const { windowIndex } = sale
  const phase = phaseOf(sale, now, available)
  const isKnown = (what: NotedSaleStep['what']) =>
    known.some((step) => step.what === what && step.windowIndex === windowIndex)
  if (phase === 'ended' && now - endOf(sale) > reportMs) return []
  return (wordsOf[phase] ?? [])
    .filter((what) => !isKnown(what))
    .map((what) => ({ what, windowIndex, at: now }))
}

/** A sale that sells out within a second was open before. */
const wordsOf: Readonly<Partial<Record<Phase, readonly NotedSaleStep['what'][]>>> = {
  open: ['opened'],
  'sold-out': ['opened', 'sold-out'],
  ended: ['ended'],
}

const endOf = ({ flag, updatedAt, endsAt }: Sale): number =>
  flag === 'closed' ? Math.min(updatedAt, endsAt) : endsAt
