/**
 * A shopper enters the draw of a sale, or joins its standby list, changes the entry, or leaves. The receipt of a change promises that the closing
 * head has its record. So it is handed out only while that is certain: the change was in the table within `putMs` of the
 * close, and the list is read `settleMs` after it, by clocks that differ by less than the rest.
 */
import type { EntryRequest, EntryView } from '../../../core/api/entries.ts'
import { hexOf } from '../../../core/draw/bytes.ts'
import { choicesOf, entryRecord, leftRecord, triesOf } from '../../../core/draw/record.ts'
import { receiptLine } from '../../../core/draw/signed-line.ts'
import { leafHash } from '../../../core/draw/tree.ts'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Refusal } from '../../../core/refusals.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { type DrawState, readDrawState } from '../../table/draw/draws.ts'
import { type DrawnEntry, findEntry, saveEntry } from '../../table/draw/entries.ts'
import { findOffer, ordersAmong } from '../../table/draw/offers.ts'
import { type FilesOfDraw, type OwnKeys, openKeys } from './draw-of-sale.ts'
import { findTries } from './draw-series.ts'
import { entrantId, groupNamed } from './entrants.ts'
import { findRank } from './ranks.ts'

/** A change that takes longer after the close gets no receipt. */
const putMs = 3000

/** The list is read so long after the close. */
export const settleMs = 6000

/** Changes of one entry, each of which is a record. */
const mostChanges = 20

/** Two requests of one shopper, or of two members of a group, may meet so often. */
const maxTries = 5

export type EntryPorts = Pick<Shop, 'table' | 'clock'> & { filesOf: FilesOfDraw }

/** The draw of one sale, for one request. */
type OpenedDraw = { saleId: SaleId; state: DrawState; keys: OwnKeys }

async function openedDraw(ports: EntryPorts, saleId: SaleId): Promise<OpenedDraw | undefined> {
  const state = await readDrawState(ports.table, saleId)
  return state && { saleId, state, keys: await openKeys(ports.table, saleId) }
}

/**
 * The shopper's entry; undefined for a sale whose draw is not published. `offerKey` is a secret of the shop, which signs the cookie of an
 * offer; absent in a draw that was opened before there were such cookies, whose clicks need none. @throws when a part is unavailable
 */
export async function viewEntry(
  ports: EntryPorts,
  saleId: SaleId,
  shopperId: ShopperId,
): Promise<{ view: EntryView; offerKey: string | undefined } | undefined> {
  const draw = await openedDraw(ports, saleId)
  if (draw === undefined) return undefined
  const id = hexOf(entrantId(draw.keys.ids, shopperId))
  const view = await viewOf(ports, draw, id, await findEntry(ports.table, saleId, id))
  return { view, offerKey: draw.state.offerKey }
}

async function viewOf(
  ports: EntryPorts,
  { saleId, state }: OpenedDraw,
  id: string,
  entry: DrawnEntry | undefined,
): Promise<EntryView> {
  const { entrants, headAt, phase, closesAt } = state
  const record = entry?.changes.at(-1)?.record
  const common = {
    ...{ entrants, entrantsAt: headAt },
    ...(state.tryDigits !== undefined && { tries: await triesNow(ports, { saleId, state }, id, record) }),
  }
  if (entry === undefined || record === undefined) return { state: 'none', ...common }
  const { receipt, group } = entry
  if (phase !== 'decided') {
    const isSure = phase === 'open' && ports.clock() < closesAt + putMs
    const kept = { ...(isSure && { receipt }), ...common }
    return hasLeft(record)
      ? { state: 'left', ...kept }
      : { state: 'entered', ...choicesIn(state, record), ...(group && { group }), ...kept }
  }
  const place = await findRank(ports.filesOf(saleId), state.rankDigits ?? 0, id, record)
  if (place === undefined) return { state: hasLeft(record) ? 'left' : 'none', ...common }
  const offer = await findOffer(ports.table, saleId, id)
  const isOffered = offer !== undefined && offer.endingAt === undefined && offer.endedAt === undefined
  const isKept = isOffered && (offer.boughtAt !== undefined || ports.clock() < offer.until)
  return {
    state: 'entered',
    ...(place.isDrawn && { receipt }),
    ...choicesIn(state, record),
    ...(group && { group }),
    ...common,
    place: { rank: place.rank, of: state.parties ?? 0, ...(offer && { offered: true }) },
    ...(isKept && { offer: { ...(offer.variant && { variant: offer.variant }), until: offer.until } }),
  }
}

/** The tries of the entry, or those that an entry would have. */
async function triesNow(
  { filesOf }: Pick<EntryPorts, 'filesOf'>,
  { saleId, state }: Pick<OpenedDraw, 'saleId' | 'state'>,
  id: string,
  record: Uint8Array | undefined,
): Promise<number> {
  const isEntered = record !== undefined && !hasLeft(record)
  return isEntered ? triesOf({ bytes: record, count: 1 }, 0) : findTries(filesOf(saleId), state.tryDigits, id)
}

/** The choices of a record as the shopper named them; nothing in a sale without variants. */
function choicesIn({ variants }: DrawState, record: Uint8Array): Pick<EntryView, 'choices'> {
  if (variants === undefined) return {}
  const numbers = [...choicesOf({ bytes: record, count: 1 }, 0)]
  return { choices: numbers.flatMap((number) => variants[number - 1] ?? []) }
}

const hasLeft = (bytes: Uint8Array) => triesOf({ bytes, count: 1 }, 0) === 0

export type Entering =
  | { kind: 'done'; view: EntryView }
  | { kind: 'no-draw' | 'busy' }
  | { kind: 'invalid'; field: string; detail: string }
  | ({ kind: 'refused' } & Refusal)

/** Enters, changes the entry, or leaves with `undefined`. Safe to repeat (I5). @throws when a part is unavailable */
export async function changeEntry(
  ports: EntryPorts,
  saleId: SaleId,
  shopperId: ShopperId,
  wanted: EntryRequest | undefined,
): Promise<Entering> {
  const draw = await openedDraw(ports, saleId)
  if (draw === undefined) return { kind: 'no-draw' }
  const fault = faultOf(draw.state, wanted)
  if (fault !== undefined) return { kind: 'invalid', ...fault }
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const changed = await changeOnce(ports, draw, shopperId, wanted)
    if (changed !== 'again') return changed
  }
  return { kind: 'busy' }
}

function faultOf({ mostInGroup, variants }: DrawState, wanted: EntryRequest | undefined) {
  const what = wanted && faultOfChoices(variants, wanted.choices)
  if (what !== undefined) return { field: 'choices', detail: `choices ${what}` }
  if (wanted?.group !== undefined && mostInGroup === 1)
    return { field: 'group', detail: 'group must be absent: this draw has no groups' }
  return undefined
}

function faultOfChoices(variants: DrawState['variants'], choices: EntryRequest['choices']) {
  if (variants === undefined) return choices === undefined ? undefined : 'must be absent: this sale has no variants'
  if (choices === undefined) return 'must name at least one variant'
  if (choices.some((id) => !variants.includes(id))) return 'must be variants of this sale'
  return new Set(choices).size < choices.length ? 'must name each variant once' : undefined
}

async function changeOnce(
  ports: EntryPorts,
  draw: OpenedDraw,
  shopperId: ShopperId,
  wanted: EntryRequest | undefined,
): Promise<Entering | 'again'> {
  const { saleId, state, keys } = draw
  const { opensAt, closesAt } = state
  const bytes = entrantId(keys.ids, shopperId)
  const id = hexOf(bytes)
  const before = await findEntry(ports.table, saleId, id)
  const last = before?.changes.at(-1)?.record
  const group = wanted?.group
  const groupBytes = group === undefined ? undefined : groupNamed(keys.ids, group)
  const choices = wanted?.choices?.map((one) => 1 + (state.variants ?? []).indexOf(one)) ?? [1]
  const tries = () => findTries(ports.filesOf(saleId), state.tryDigits, id)
  const record = wanted
    ? entryRecord({ id: bytes, choices, tries: await tries(), ...(groupBytes && { group: groupBytes }) })
    : leftRecord(bytes)
  const isSame = last === undefined ? wanted === undefined : Buffer.compare(last, record) === 0
  if (isSame) return { kind: 'done', view: await viewOf(ports, draw, id, before) }
  const at = ports.clock()
  if (at < opensAt) return { kind: 'refused', reason: 'entries-not-open', values: { at: opensAt } }
  if (at >= closesAt || state.phase !== 'open')
    return { kind: 'refused', reason: 'entries-closed', values: { at: closesAt } }
  const changes = before?.changes ?? []
  if (changes.length >= mostChanges) return { kind: 'refused', reason: 'changes-used', values: { limit: mostChanges } }
  if (state.isStandby && wanted && (await ordersAmong(ports.table, saleId, [shopperId])).size > 0)
    return { kind: 'refused', reason: 'has-ordered' }
  const receipt = await keys.sign(receiptLine, { sale: saleId, at, id, leaf: hexOf(leafHash(record)) })
  const next: DrawnEntry = {
    ...{ shopperId, receipt, changes: [...changes, { at, record }] },
    ...(group !== undefined && { group }),
  }
  const joins = groupBytes && hexOf(groupBytes)
  const leaves = before?.group === undefined ? undefined : hexOf(groupNamed(keys.ids, before.group))
  const groups = { joins, leaves, most: state.mostInGroup }
  const saved = await saveEntry(ports.table, saleId, { id, before: changes.length, next, groups })
  if (saved === 'group-full')
    return { kind: 'refused', reason: 'group-full', field: 'group', values: { limit: state.mostInGroup } }
  if (saved !== 'saved') return 'again'
  if (ports.clock() >= closesAt + putMs) return { kind: 'busy' }
  return { kind: 'done', view: await viewOf(ports, draw, id, next) }
}
