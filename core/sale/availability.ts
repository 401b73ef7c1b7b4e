/** The availability of a sale's offer for search engines (https://schema.org/ItemAvailability). */
import type { Phase } from './phase.ts'

const byPhase: Readonly<Record<Phase, string>> = {
  draft: 'PreOrder',
  scheduled: 'PreOrder',
  open: 'InStock',
  paused: 'OutOfStock',
  'held-back': 'OutOfStock',
  'sold-out': 'SoldOut',
  ended: 'OutOfStock',
}

export const availabilityIn = (phase: Phase): string => `https://schema.org/${byPhase[phase]}`
