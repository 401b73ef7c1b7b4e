/**
 * The state of a shopper's entry in the draw that the sale page shows, by the shop's answer and the published files, and when
 * to poll again. It reads the files as text from the CDN and does not verify signatures.
 */
import type { Fetch } from '../../../../client/http.ts'
import type { SaleId } from '../../../../core/ids.ts'
import { addedFilePath } from '../../../../core/sale/pointer.ts'
import { openStore } from '../../../../web/dom.ts'
import { fieldsInText, fieldsOf, type JsonMembers, oneOf, payloadIn } from '../../../../web/wire.ts'
import type { KnownOfDraw } from '../../core/check-draw.ts'
import type { EntryView } from '../../core/operations.ts'

/**
 * Times of the sale: when entries open and close and the round is due, epoch ms. `variants` are the ids of its variants, in
 * order. `isVoid`: the list was not published in time.
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

/** Reads the answer of `GET /api/entries/{saleId}`; undefined for another form. */
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

function readPlace({ rank, of, offered }: JsonMembers = {}): Pick<EntryView, 'place'> {
  if (typeof rank !== 'number' || typeof of !== 'number') return {}
  return { place: { rank, of, ...(offered === true && { offered }) } }
}

const readOffer = ({ until }: JsonMembers = {}): Pick<EntryView, 'offer'> =>
  typeof until === 'number' ? { offer: { until } } : {}

/** Returns the stage of the entry. `entry` is undefined for a shopper who has not signed in, or before the shop has answered. */
export function entryStageOf(
  entry: EntryView | undefined,
  { opensAt, closesAt, variants, isVoid }: DrawTimes,
  allocation: PublishedAllocation | undefined,
  now: number,
): EntryStage {
  const { state, place, offer, variant } = entry ?? {}
  if (now < opensAt) return { kind: 'before' }
  if (now < closesAt) return { kind: state === 'entered' ? 'entered' : 'open' }
  // A rank comes from the shop, and cached files may lag behind it.
  if (isVoid && place === undefined) return { kind: 'void' }
  if (state !== 'entered') return { kind: 'closed' }
  if (offer !== undefined && now < offer.until) return { kind: 'won', ...offer }
  if (place === undefined) return { kind: 'awaited' }
  if (place.offered) return { kind: 'over' }
  const offered = allocation?.offered[variant === undefined ? 0 : variants.indexOf(variant)] ?? 0
  const ahead = place.rank - 1 - offered
  return ahead < 0 ? { kind: 'over' } : { kind: 'standby', ...place, ahead }
}

/** With fewer entries ahead than this, an offer may come soon. */
const nearAhead = 3

/** Returns the wait before the next poll of the published allocation, ms; undefined: none before the stage changes. */
export function nextAllocationPollMs(
  stage: EntryStage,
  { drawnAt }: Pick<DrawTimes, 'drawnAt'>,
  now: number,
): number | undefined {
  // The first ones may get the next unit.
  if (stage.kind === 'standby') return stage.ahead < nearAhead ? 15_000 : 60_000
  // A list that is published late after all is followed by its result.
  if (stage.kind === 'void') return 60_000
  if (stage.kind !== 'awaited') return undefined
  if (now < drawnAt) return drawnAt - now
  return now < drawnAt + 300_000 ? 5000 : 60_000
}

/** Reads a file of the draw from the CDN; undefined when the file is missing or the network fails. */
export async function fetchPublicText(fetch: Fetch, saleId: SaleId, file: string): Promise<string | undefined> {
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

/** Returns the lines of `list.txt` or `allocation.txt`. */
export function nonEmptyLines(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}

/** The published allocation: its number of steps, and how many entries of each variant were offered a unit. */
export type PublishedAllocation = { steps: number; offered: readonly number[] }

/** Reads the published allocation. An unreadable last line counts as no offers; the check reports it as a fault. */
export function readAllocation(text: string): PublishedAllocation {
  const lines = nonEmptyLines(text)
  const offered = payloadIn(lines.at(-1) ?? '')?.offered
  return { steps: lines.length, offered: Array.isArray(offered) ? offered.map(Number) : [] }
}

/** Limit of the stored lines of each kind; the last ones are kept. */
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

/** Adds lines. The first hash of the rules is kept, because rules never change. */
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
    // The storage is full; the shopper can still save the receipt on the page as a file.
  }
}
