/**
 * What the sale page shows of a shopper's entry in the draw, by what the shop answers and by the published files, and when it looks
 * again. The page acts on it. It takes the files as text from the CDN, without a look at signatures.
 */
import type { Fetch } from '../../../../client/http.ts'
import type { SaleId } from '../../../../core/ids.ts'
import { addedFilePath } from '../../../../core/sale/pointer.ts'
import { openStore } from '../../../../web/dom.ts'
import { fieldsInText, fieldsOf, type Members, oneOf, payloadIn } from '../../../../web/wire.ts'
import type { KnownOfDraw } from '../../core/check-draw.ts'
import type { EntryView } from '../../core/operations.ts'

/**
 * Of the sale: when entries open and close and the number is due, epoch ms; `variants` are the ids of its variants, in their order.
 * `isVoid`: the list was not published in time, so no number decides.
 */
type DrawTimes = {
  opensAt: number
  closesAt: number
  drawnAt: number
  variants: readonly string[]
  isVoid?: boolean | undefined
}

export type EntryStage =
  | { kind: 'before' | 'open' | 'entered' | 'closed' | 'awaited' | 'over' | 'void' }
  | { kind: 'won'; until: number }
  | { kind: 'standby'; rank: number; of: number; ahead: number }

/** `GET /api/entries/{saleId}`; undefined when the answer is no such view. */
export function readEntry(value: unknown): EntryView | undefined {
  const fields = fieldsOf(value) ?? {}
  const { receipt, variant } = fields
  const state = oneOf(['none', 'entered', 'left'] as const, fields.state)
  if (state === undefined) return undefined
  return {
    state,
    ...(typeof receipt === 'string' && { receipt }),
    ...(typeof variant === 'string' && { variant }),
    ...readPlace(fieldsOf(fields.place)),
    ...readOffer(fieldsOf(fields.offer)),
  }
}

function readPlace({ rank, of, offered }: Members = {}): Pick<EntryView, 'place'> {
  if (typeof rank !== 'number' || typeof of !== 'number') return {}
  return { place: { rank, of, ...(offered === true && { offered }) } }
}

const readOffer = ({ until }: Members = {}): Pick<EntryView, 'offer'> =>
  typeof until === 'number' ? { offer: { until } } : {}

/** `entry` is undefined for a shopper who has not signed in, or before the shop has answered. */
export function entryStageOf(
  entry: EntryView | undefined,
  { opensAt, closesAt, variants, isVoid }: DrawTimes,
  allocated: Allocated | undefined,
  now: number,
): EntryStage {
  const { state, place, offer, variant } = entry ?? {}
  if (now < opensAt) return { kind: 'before' }
  if (now < closesAt) return { kind: state === 'entered' ? 'entered' : 'open' }
  // Who has a rank has it from the shop, which a file in the caches may lag behind.
  if (isVoid && place === undefined) return { kind: 'void' }
  if (state !== 'entered') return { kind: 'closed' }
  if (offer !== undefined && now < offer.until) return { kind: 'won', ...offer }
  if (place === undefined) return { kind: 'awaited' }
  if (place.offered) return { kind: 'over' }
  const offered = allocated?.offered[variant === undefined ? 0 : variants.indexOf(variant)] ?? 0
  const ahead = place.rank - 1 - offered
  return ahead < 0 ? { kind: 'over' } : { kind: 'standby', ...place, ahead }
}

/** Fewer ranks than that are soon offered a unit. */
const nearAhead = 3

/** After how long the page looks at the published allocation again, ms; undefined: not before the stage changes. */
export function nextAllocationPollMs(
  stage: EntryStage,
  { drawnAt }: Pick<DrawTimes, 'drawnAt'>,
  now: number,
): number | undefined {
  // The turn of the first ones may come with the next unit.
  if (stage.kind === 'standby') return stage.ahead < nearAhead ? 15_000 : 60_000
  // A list that is published late after all is followed by its result.
  if (stage.kind === 'void') return 60_000
  if (stage.kind !== 'awaited') return undefined
  if (now < drawnAt) return drawnAt - now
  return now < drawnAt + 300_000 ? 5000 : 60_000
}

/** A file of the draw as the CDN has it; undefined where it is missing or the network is. */
export async function publicText(fetch: Fetch, saleId: SaleId, file: string): Promise<string | undefined> {
  try {
    const response = await fetch(`/${addedFilePath(saleId, 'draw', file)}`, {
      cache: 'no-cache',
      credentials: 'omit',
      signal: AbortSignal.timeout(8000),
    })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

/** The lines of `list.txt` or `allocation.txt`. */
export function linesIn(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

/** What the published allocation says: its steps, and how many entries of each variant were offered a unit. */
export type Allocated = { steps: number; offered: readonly number[] }

/** A last line that cannot be read says nothing: the check names it. */
export function allocatedIn(text: string): Allocated {
  const lines = linesIn(text)
  const offered = payloadIn(lines.at(-1) ?? '')?.offered
  return { steps: lines.length, offered: Array.isArray(offered) ? offered.map(Number) : [] }
}

/** As many lines of each kind are kept, the last ones. */
const maxLines = 20

const keyOf = (saleId: SaleId) => `sluice.draw.${saleId}`

export function loadKnownOfDraw(saleId: SaleId): Required<Omit<KnownOfDraw, 'rules'>> & { rules?: string } {
  const fields = fieldsInText(openStore('localStorage').getItem(keyOf(saleId))) ?? {}
  const lines = (value: unknown) => (Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [])
  const { rules } = fields
  return {
    ...(typeof rules === 'string' && { rules }),
    receipts: lines(fields.receipts),
    lists: lines(fields.lists),
    steps: lines(fields.steps),
  }
}

/** Keeps more. The first hash of the rules stays: they never change. */
export function saveKnownOfDraw(
  saleId: SaleId,
  seen: { rules?: string; receipt?: string; list?: string; step?: string },
): void {
  const kept = loadKnownOfDraw(saleId)
  const more = (lines: readonly string[], line: string | undefined) =>
    line === undefined || lines.includes(line) ? lines : [...lines, line].slice(-maxLines)
  const rules = kept.rules ?? seen.rules
  const text = JSON.stringify({
    ...(rules !== undefined && { rules }),
    receipts: more(kept.receipts, seen.receipt),
    lists: more(kept.lists, seen.list),
    steps: more(kept.steps, seen.step),
  })
  try {
    openStore('localStorage').setItem(keyOf(saleId), text)
  } catch {
    // The browser has no room left; the receipt is still on the page to be saved as a file.
  }
}
