/** Tells the console and the command line whether a sale will open by itself or must still be started. */
import { type PhaseFacts, phaseAt } from './phase.ts'
import type { Sale } from './sale.ts'
import { nextWindow } from './windows.ts'

/** How long before its start a sale that is not started is `needs-start-soon`, ms. */
export const startSoonMs = 30 * 60_000

/**
 * `needs-start`: the sale does not open until it is started. `needs-start-soon`: likewise, less than `startSoonMs` before
 * the start. `overdue`: the start has passed, and the sale was never started. `scheduled`: started, and opens by itself.
 * `open`: started and in its window, even if sold out.
 */
export type ReadinessState = 'needs-start' | 'needs-start-soon' | 'overdue' | 'scheduled' | 'open' | 'paused' | 'ended'

/** `startsAt` (epoch ms) is the start that the state refers to: while `scheduled`, when the sale opens. */
export type Readiness = { state: ReadinessState; startsAt: number }

export type ReadinessFacts = Omit<PhaseFacts, 'hasNext'> & Pick<Sale, 'epoch' | 'windows' | 'windowIndex'>

/** Returns the readiness of `sale` at `now` (epoch ms). */
export function readiness(sale: ReadinessFacts, now: number): Readiness {
  const { epoch, startsAt, endsAt } = sale
  const next = nextWindow(sale)
  const phase = phaseAt({ ...sale, hasNext: next !== undefined }, now, -1)
  if (phase === 'ended' || phase === 'paused' || phase === 'open') return { state: phase, startsAt }
  // The tick moves the sale to its next window within a second after the end of one.
  if (epoch > 0) return { state: 'scheduled', startsAt: now < endsAt ? startsAt : (next?.startsAt ?? startsAt) }
  if (now >= startsAt) return { state: 'overdue', startsAt }
  return { state: now > startsAt - startSoonMs ? 'needs-start-soon' : 'needs-start', startsAt }
}
