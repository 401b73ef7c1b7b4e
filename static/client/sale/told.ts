/**
 * How many an answer said are left. That is fresher than the pointer which the page held then, and stays so until
 * another pointer comes: a stale one must not bring units back that nobody returned.
 */
import type { Available } from '../../../core/phase.ts'
import type { Pointer } from '../../../core/pointer.ts'

/** Units may go and come back between two looks, so a pointer that reads the same is believed after this long. */
const atMostMs = 60_000

type Held = Pick<Pointer, 'version' | 'remaining'> | undefined

/** `held` is the pointer as the answer came. The answer stands until `until`; both times are local epoch ms. */
export type Told = { remaining: Available; held: Held; restUntil: number; until: number }

/** What an answer told at `now`; the button rests until `restUntil`, and meanwhile no pointer says better. */
export function toldBy(remaining: Available, held: Held, restUntil: number, now: number): Told {
  return { remaining, held, restUntil, until: Math.max(restUntil, now + atMostMs) }
}

/** What still stands of it now that the page holds `pointer`; undefined once the pointer is to be believed. */
export function wasPublished(told: Told | undefined, pointer: Held, now: number): Told | undefined {
  if (told === undefined) return undefined
  const { held, restUntil } = told
  const same = pointer?.version === held?.version && pointer?.remaining === held?.remaining
  const until = same ? told.until : restUntil
  return now < until ? { ...told, until } : undefined
}
