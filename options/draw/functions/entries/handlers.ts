/**
 * `GET`, `PUT` and `DELETE /api/entries/{saleId}`: a shopper enters the draw of a sale, changes the entry, or leaves. A
 * receipt promises that the list has this change or a later one. So it is returned only while that is certain: the change
 * was in the table within `putMs` after the close, and the list is read `listDelayMs` after the close. Clocks differ by less
 * than the remaining time.
 */
import { createHmac, hash } from 'node:crypto'
import { bytesToHex } from '@noble/hashes/utils.js'
import { invitedCookieText, shopperHashLength } from '../../../../core/gate/pass.ts'
import type { SaleId, ShopperId } from '../../../../core/ids.ts'
import { problem } from '../../../../core/outcome.ts'
import { type Refusal, refusalText } from '../../../../core/refusals.ts'
import { unknownSale } from '../../../../functions/control/answers.ts'
import { onControl } from '../../../../functions/control/staff.ts'
import { connectS3 } from '../../../../functions/entries/adapters/site.s3.ts'
import type { HandlersSeam } from '../../../../functions/entries/seams.ts'
import { nonEmpty } from '../../../../functions/lib/env.ts'
import {
  answerOf,
  type HttpAnswer,
  invalid,
  notFound,
  problemAnswer,
  unavailable,
} from '../../../../functions/lib/http/answer.ts'
import { on, withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopContext } from '../../../../functions/lib/shop/shop.ts'
import { findListKey } from '../../../../functions/table/sale/invited.ts'
import { type EntryRequest, type EntryView, operations } from '../../core/operations.ts'
import { receiptLine } from '../../core/rules.ts'
import { s3DrawFiles } from '../draw-files.s3.ts'
import { type FilesOfDraw, findRank, loadDrawKeys, type OwnKeys } from '../draw-of-sale.ts'
import {
  type DrawnEntry,
  type DrawState,
  entrantId,
  findEntry,
  findOffer,
  readDrawState,
  readSaleDraw,
  saveEntry,
} from '../table.ts'

/** A change that takes longer after the close gets no receipt. */
const putMs = 3000

/** Limit of the changes of one entry. */
const maxChanges = 20

/** Limit of the tries after conflicts between two requests of one shopper. */
const maxTries = 5

export type EntryPorts = Pick<ShopContext, 'table' | 'clock'> & { filesOf: FilesOfDraw }

/** The draw of one sale, for one request. */
type LoadedDraw = { saleId: SaleId; state: DrawState; keys: OwnKeys }

async function loadDraw(ports: EntryPorts, saleId: SaleId): Promise<LoadedDraw | undefined> {
  const state = await readDrawState(ports.table, saleId)
  return state && { saleId, state, keys: await loadDrawKeys(ports.table, saleId) }
}

/** Reads the shopper's entry; undefined for a sale whose draw is not published. @throws when a part is unavailable */
export async function viewEntry(
  ports: EntryPorts,
  saleId: SaleId,
  shopperId: ShopperId,
): Promise<EntryView | undefined> {
  const draw = await loadDraw(ports, saleId)
  if (draw === undefined) return undefined
  const id = bytesToHex(entrantId(draw.keys.ids, shopperId))
  return viewOf(ports, draw, id, await findEntry(ports.table, saleId, id))
}

async function viewOf(
  ports: EntryPorts,
  { saleId, state }: LoadedDraw,
  id: string,
  entry: DrawnEntry | undefined,
): Promise<EntryView> {
  if (entry === undefined) return { state: 'none' }
  const { receipt } = entry
  if (state.phase !== 'decided') {
    const isSure = state.phase === 'open' && ports.clock() < state.closesAt + putMs
    return { ...entryStateOf(state, entry.variant), ...(isSure && { receipt }) }
  }
  const drawn = await findRank(ports.filesOf(saleId), state.rankDigits ?? 0, id)
  if (drawn === undefined) return { state: 'none' }
  const { rank, change, variant } = drawn
  // A change that was written too late is not on the list.
  const common = { ...entryStateOf(state, variant), ...(change === entry.changes && { receipt }) }
  if (rank === 0) return common
  const offer = await findOffer(ports.table, saleId, id)
  const isOffered = offer !== undefined && offer.endingAt === undefined && offer.endedAt === undefined
  const isKept = isOffered && (offer.boughtAt !== undefined || ports.clock() < offer.until)
  return {
    ...common,
    place: { rank, of: state.queues?.[variant - 1] ?? 0, ...(offer && { offered: true }) },
    ...(isKept && { offer: { until: offer.until } }),
  }
}

/** Returns the state of an entry for the variant with this number. The page knows variants by their ids. */
function entryStateOf({ variants }: DrawState, variant: number): EntryView {
  if (variant === 0) return { state: 'left' }
  const id = variants?.[variant - 1]
  return { state: 'entered', ...(id !== undefined && { variant: id }) }
}

export type EntryResult =
  | { kind: 'done'; view: EntryView }
  | { kind: 'no-draw' | 'busy' }
  | { kind: 'invalid'; field: string; detail: string }
  | ({ kind: 'refused' } & Refusal)

/** Enters or changes the entry; with `undefined`, leaves. Safe to repeat (I5). @throws when a part is unavailable */
export async function changeEntry(
  ports: EntryPorts,
  saleId: SaleId,
  shopperId: ShopperId,
  entryRequest: EntryRequest | undefined,
): Promise<EntryResult> {
  const draw = await loadDraw(ports, saleId)
  if (draw === undefined) return { kind: 'no-draw' }
  const fault = variantFault(draw.state, entryRequest)
  if (fault !== undefined) return { kind: 'invalid', field: 'variant', detail: fault }
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const changed = await changeOnce(ports, draw, shopperId, entryRequest)
    if (changed !== 'again') return changed
  }
  return { kind: 'busy' }
}

function variantFault({ variants }: DrawState, entryRequest: EntryRequest | undefined): string | undefined {
  if (entryRequest === undefined) return undefined
  if (variants === undefined)
    return entryRequest.variant === undefined ? undefined : 'variant must be absent: this sale has no variants'
  return variants.some((id) => id === entryRequest.variant) ? undefined : 'variant must be one of this sale'
}

async function changeOnce(
  ports: EntryPorts,
  draw: LoadedDraw,
  shopperId: ShopperId,
  entryRequest: EntryRequest | undefined,
): Promise<EntryResult | 'again'> {
  const { saleId, state, keys } = draw
  const { opensAt, closesAt } = state
  const id = bytesToHex(entrantId(keys.ids, shopperId))
  const before = await findEntry(ports.table, saleId, id)
  const variant =
    entryRequest === undefined
      ? 0
      : 1 + (entryRequest.variant === undefined ? 0 : (state.variants ?? []).indexOf(entryRequest.variant))
  if ((before?.variant ?? 0) === variant) return { kind: 'done', view: await viewOf(ports, draw, id, before) }
  const at = ports.clock()
  if (at < opensAt) return { kind: 'refused', reason: 'entries-not-open', values: { at: opensAt } }
  if (at >= closesAt || state.phase !== 'open')
    return { kind: 'refused', reason: 'entries-closed', values: { at: closesAt } }
  const change = 1 + (before?.changes ?? 0)
  if (change > maxChanges) return { kind: 'refused', reason: 'changes-used', values: { limit: maxChanges } }
  const receipt = await keys.sign(receiptLine, { sale: saleId, rules: state.rulesHash, at, id, change, variant })
  const next: DrawnEntry = { shopperId, receipt, changes: change, variant }
  if (!(await saveEntry(ports.table, saleId, id, next))) return 'again'
  if (ports.clock() >= closesAt + putMs) return { kind: 'busy' }
  return { kind: 'done', view: await viewOf(ports, draw, id, next) }
}

export const entryRoutes = [
  on(operations.getEntry, async (ports: EntryPorts, { caller: { shopperId }, params: { saleId } }) => {
    const view = await viewEntry(ports, saleId, shopperId)
    if (view === undefined) return notFound()
    const key = view.offer && (await findListKey(ports.table, saleId))
    if (key === undefined) return view
    return { ...answerOf(operations.getEntry, view), cookies: [invitationCookie(key, saleId, shopperId)] }
  }),
  on(operations.putEntry, async (ports: EntryPorts, { caller, params, body }) =>
    answerFor(await changeEntry(ports, params.saleId, caller.shopperId, body)),
  ),
  on(operations.eraseEntry, async (ports: EntryPorts, { caller, params }) =>
    answerFor(await changeEntry(ports, params.saleId, caller.shopperId, undefined)),
  ),
]

/** Returns the cookie of an invited shopper. */
function invitationCookie(key: string, saleId: SaleId, shopperId: ShopperId): string {
  // CloudFront Functions recognize the shopper by the same hash, which is in the pass.
  const shopperHash = hash('sha256', shopperId, 'base64url').slice(0, shopperHashLength)
  return invitedCookieText(saleId, createHmac('sha256', key).update(shopperHash).digest('base64url'))
}

function answerFor(result: EntryResult): EntryView | HttpAnswer {
  switch (result.kind) {
    case 'done':
      return result.view
    case 'no-draw':
      return notFound()
    case 'busy':
      return unavailable()
    case 'invalid':
      return invalid(result.field, result.detail)
    case 'refused': {
      const { reason, values, field } = result
      const at = values?.at
      const refusal = { reason, values: { ...values, ...(at !== undefined && { at: new Date(at).toISOString() }) } }
      const facts = { reason, ...(values && { values }), ...(field && { field }) }
      return problemAnswer(problem('conflict', refusalText(refusal), facts))
    }
  }
}

const drawRoute = onControl(
  operations.getDraw,
  async (ports: Pick<ShopContext, 'table'>, { params }) => (await readSaleDraw(ports, params.saleId)) ?? unknownSale(),
)

const variables = { SITE_BUCKET: nonEmpty }

export const handlers = {
  variables,
  routes: (ports, { SITE_BUCKET }) =>
    withPorts([...entryRoutes, drawRoute], { ...ports, filesOf: s3DrawFiles(connectS3(), SITE_BUCKET) }),
} satisfies HandlersSeam<typeof variables>
