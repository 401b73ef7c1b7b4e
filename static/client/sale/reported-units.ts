/**
 * The remaining units as an answer reported them. They are fresher than the pointer that the page
 * had, until another pointer arrives: a stale one must not show units that were not returned.
 */
import type { Available } from '../../../core/sale/phase.ts'
import type { Pointer } from '../../../core/sale/pointer.ts'

/**
 * Units may go and come back between two looks, so a pointer that reads the same is believed after
 * this long.
 */
const atMostMs = 60_000

export type Held = Pick<Pointer, 'version' | 'remaining'> | undefined

/**
 * `held` is the pointer as the answer came. The answer stands until `until`; both times are local
 * epoch ms.
 */
export type Reported = { remaining: Available; held: Held; restUntil: number; until: number }

/**
 * What an answer reported at `now`; the button rests until `restUntil`, and meanwhile no pointer
 * says better.
 */
export function reportedBy(remaining: Available, held: Held, restUntil: number, now: number): Reported {
  return { remaining, held, restUntil, until: Math.max(restUntil, now + atMostMs) }
}

/**
 * What still stands of it now that the page holds `pointer`; undefined once the pointer is to be
 * believed.
 */
export function wasPublished(reported: Reported | undefined, pointer: Held, now: number): Reported | undefined {
  if (reported === undefined) return undefined
  const { held, restUntil } = reported
  const same = pointer?.version === held?.version && pointer?.remaining === held?.remaining
  const until = same ? reported.until : restUntil
  return now < until ? { ...reported, until } : undefined
}
