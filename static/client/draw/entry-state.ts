/** What the sale page shows of a shopper's entry in the draw, and when it looks again. Pure; the page acts on it. */
import type { EntryView } from '../../../core/api/entries.ts'
import { fieldsOf, type Members, oneOf } from '../lib/wire.ts'
import type { Allocated } from './public-files.ts'

/**
 * Of the sale: when entries open and close and the number is due, epoch ms; `units` are all that are drawn, 0 on a standby list.
 * `isVoid`: the published list was not closed in time, so no number decides. `isListOver`: all may buy again, past a standby list.
 */
type DrawTimes = {
  opensAt: number
  closesAt: number
  drawnAt: number
  units: number
  mostInGroup: number
  hasVariants: boolean
  isVoid?: boolean | undefined
  isListOver?: boolean
}

export type EntryStage =
  | { kind: 'before' | 'open' | 'entered' | 'closed' | 'awaited' | 'over' | 'void' }
  | { kind: 'won'; until: number; variant?: string | undefined }
  | { kind: 'standby'; rank: number; of: number; ahead: number | undefined }

/** `GET /api/entries/{saleId}`; undefined when the answer is no such view. */
export function readEntry(value: unknown): EntryView | undefined {
  const fields = fieldsOf(value) ?? {}
  const { receipt, choices, group, tries, entrants, entrantsAt } = fields
  const state = oneOf(['none', 'entered', 'left'] as const, fields.state)
  if (state === undefined || typeof entrants !== 'number') return undefined
  return {
    ...{ state, entrants },
    ...(typeof receipt === 'string' && { receipt }),
    ...(Array.isArray(choices) && { choices: choices.map(String) }),
    ...(typeof group === 'string' && { group }),
    ...(typeof tries === 'number' && { tries }),
    ...(typeof entrantsAt === 'number' && { entrantsAt }),
    ...readPlace(fieldsOf(fields.place)),
    ...readOffer(fieldsOf(fields.offer)),
  }
}

function readPlace({ rank, of, offered }: Members = {}): Pick<EntryView, 'place'> {
  if (typeof rank !== 'number' || typeof of !== 'number') return {}
  return { place: { rank, of, ...(offered === true && { offered }) } }
}

function readOffer({ variant, until }: Members = {}): Pick<EntryView, 'offer'> {
  if (typeof until !== 'number') return {}
  return { offer: { until, ...(typeof variant === 'string' && { variant }) } }
}

/** `entry` is undefined for a shopper who has not signed in, or before the shop has answered. */
export function entryStageOf(
  entry: EntryView | undefined,
  { opensAt, closesAt, units, mostInGroup, hasVariants, isVoid, isListOver }: DrawTimes,
  allocated: Allocated | undefined,
  now: number,
): EntryStage {
  const { state, place, offer } = entry ?? {}
  if (now < opensAt) return { kind: 'before' }
  if (now < closesAt) return { kind: state === 'entered' ? 'entered' : 'open' }
  // Who has a rank has it from the shop, which a list in the caches may lag behind.
  if (isVoid && place === undefined) return { kind: 'void' }
  if (state !== 'entered') return { kind: 'closed' }
  if (offer !== undefined && now < offer.until) return { kind: 'won', ...offer }
  // A standby list is over minutes after its number was due, also where it was never ranked.
  if (place === undefined) return { kind: isListOver ? 'void' : 'awaited' }
  if (place.offered) return { kind: 'over' }
  // Groups and choices may be passed over: their place in the queue does not follow.
  if (mostInGroup > 1 || hasVariants) return { kind: 'standby', ...place, ahead: undefined }
  const ahead = place.rank - 1 - Math.max(allocated?.offers ?? 0, Math.min(units, place.of))
  return ahead < 0 ? { kind: 'over' } : { kind: 'standby', ...place, ahead }
}

/** Fewer ranks than that are soon offered a unit. */
const soonAhead = 3

/** After how long the page looks at the published allocation again, ms; undefined: not before the stage changes. */
export function nextAllocationLookMs(
  stage: EntryStage,
  { drawnAt }: Pick<DrawTimes, 'drawnAt'>,
  now: number,
): number | undefined {
  // The turn of the first ones may come with the next unit.
  if (stage.kind === 'standby') return (stage.ahead ?? soonAhead) < soonAhead ? 15_000 : 60_000
  // A closing head that is published late after all is followed by its result.
  if (stage.kind === 'void') return 60_000
  if (stage.kind !== 'awaited') return undefined
  if (now < drawnAt) return drawnAt - now
  return now < drawnAt + 300_000 ? 5000 : 60_000
}

/** About how many of `entrants` win one of `units`: all, a share of them, or 1 in `n`. Undefined before the first entry. */
export function chanceOfEntry(
  entrants: number,
  units: number,
): 'all' | { percent: number } | { n: number } | undefined {
  if (entrants <= 0 || units <= 0) return undefined
  if (entrants <= units) return 'all'
  const percent = Math.round((100 * units) / entrants)
  return percent >= 10 ? { percent: Math.min(99, percent) } : { n: Math.round(entrants / units) }
}
