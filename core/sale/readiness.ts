/** The start of a sale for console and command line: scheduled, or waiting to be started. */
import { type PhaseFacts, phaseAt } from './phase.ts'
import type { Sale } from './sale.ts'
import { nextWindow } from './windows.ts'

/** A sale that is not started is `needs-start-soon` for this long before its start. */
export const startSoonMs = 30 * 60_000

/**
 * `needs-start`: the sale does not open until it is started, warmed or not. `needs-start-soon`: the same, less than
 * `startSoonMs` before the start. `overdue`: the start has passed and the sale was never started. `scheduled`: started,
 * opens by itself. `open`: started and in its window, whether sold out or not.
 */
export type ReadinessState = 'needs-start' | 'needs-start-soon' | 'overdue' | 'scheduled' | 'open' | 'paused' | 'ended'

/** `startsAt` is the start that the state is about, epoch ms: while `scheduled`, when the sale opens by itself. */
export type Readiness = { state: ReadinessState; startsAt: number }

export type ReadinessFacts = Omit<PhaseFacts, 'hasNext'> & Pick<Sale, 'epoch' | 'windows' | 'windowIndex'>

/** Returns the readiness of `sale` at `now` (epoch ms). */
export function readiness(sale: ReadinessFacts, now: number): Readiness {
  const { epoch, startsAt, endsAt } = sale
  const next = nextWindow(sale)
  const phase = phaseAt({ ...sale, hasNext: next !== undefined }, now, -1)
  if (phase === 'ended' || phase === 'paused' || phase === 'open') return { state: phase, startsAt }
  // A window that is over is followed by the next within a second.
  if (epoch > 0) return { state: 'scheduled', startsAt: now < endsAt ? startsAt : (next?.startsAt ?? startsAt) }
  if (now >= startsAt) return { state: 'overdue', startsAt }
  return { state: now > startsAt - startSoonMs ? 'needs-start-soon' : 'needs-start', startsAt }
}
