/** The draw as a mode of the rush. */
import type { RushMode } from '../../../proof/rush/mode.ts'
import { drawnAt, maxDrawnUnits } from '../core/fields.ts'
import { enterDraw, findOffered } from './rush-entries.ts'

/**
 * Entries are open at least so long, and longer for each shopper: the local system writes about a hundred in a second, and
 * on a busy machine twenty, once the pages were loaded and the rules published.
 */
const [leastEntryMs, entryMs] = [60_000, 20]

/** The shortest time from the close to the number that a sale may have. */
const commitSeconds = 60

/** The times of a sale that draws among so many `shoppers`. */
const drawTimes = (shoppers: number) => (now: number) => {
  const closesAt = now + leastEntryMs + shoppers * entryMs
  const startsAt = drawnAt({ closesAt, commitSeconds })
  return { startsAt, endsAt: startsAt + 3_600_000, draw: { opensAt: now, closesAt, commitSeconds, claimSeconds: 3600 } }
}

const draw: RushMode = {
  ...{ name: 'draw', mostUnits: maxDrawnUnits, timesFor: drawTimes },
  ...{ beforeStart: enterDraw, findBuyers: findOffered },
}

export const rushModes = [draw] as const
