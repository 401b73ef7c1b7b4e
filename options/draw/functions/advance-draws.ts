/**
 * Advances draws from one phase to the next on a schedule: it publishes the rules, signs the list after the close, decides
 * with the beacon's round, and updates offers until the sale ends. Every step is safe to repeat, so the next run completes an
 * interrupted one. Steps that write hold the lock of the sale.
 *
 * Holders of an offer are on the list of the sale, by which the gate lets them buy. An offer ends when its time is over
 * without an order, or when its order ends. Then the shopper is removed from the list. Once no click can be in flight any
 * more, the unit is offered to the next rank. So a unit is never offered to two shoppers at a time, and an offer lasts a
 * little longer than its page says, never shorter.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { SaleId } from '../../../core/ids.ts'
import { setBounded } from '../../../core/lib/bounded-map.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { listMember } from '../../../core/sale/invited.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { type LockPorts, withLock } from '../../../functions/lib/lock.ts'
import type { ShopContext, Table } from '../../../functions/lib/shop/shop.ts'
import { errorFacts } from '../../../functions/lib/telemetry.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { addInvited, makeListKey, removeInvited } from '../../../functions/table/sale/invited.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { capState } from '../../../functions/table/stock/cap-parts.ts'
import { addMembers, removeMembers } from '../../../redis/gate/members.ts'
import { ordersOfShopper } from '../../../redis/stock/stock.ts'
import { type DrawBeacon, verifyRound } from '../core/beacon.ts'
import { stepsFile, type VerifyRound } from '../core/check-draw.ts'
import type { SaleDraw } from '../core/fields.ts'
import { idOf, recordOf, variantOf } from '../core/list.ts'
import { type DrawEvent, fileLines, type returnReasons, roundOfDraw, timeOfRound } from '../core/rules.ts'
import {
  closeDraw,
  type DecidedDraw,
  type DrawPorts,
  decideDraw,
  type FilesOfDraw,
  listDelayMs,
  loadDrawKeys,
  openDraw,
  readDecided,
  returnUnits,
  writableUntil,
  writeRanks,
} from './draw-of-sale.ts'
import {
  allOffers,
  type DrawState,
  entryPages,
  type HeldOffer,
  listedDraws,
  orderStates,
  readDrawState,
  saveDrawState,
  saveOffers,
  shoppersOfEntries,
  unlistDraw,
} from './table.ts'

type AdvanceDrawsPorts = LockPorts &
  Pick<ShopContext, 'table' | 'stock' | 'clock' | 'meter' | 'log'> & { filesOf: FilesOfDraw; beacon: DrawBeacon }

/** Pause before a missing round is requested again, and the age at which it counts as late. */
const beaconPauseMs = 3000
const beaconLateMs = 60_000

/** Minimum pause between two runs over a draw. */
const minWaitMs = 1000

/**
 * Advances all draws concurrently until `until` (epoch ms) or until nothing more is due before then. The failure of one is
 * logged and does not stop the others.
 * @throws when the draws cannot be listed
 */
export async function advanceDraws(ports: AdvanceDrawsPorts, until: number): Promise<void> {
  const saleIds = await listedDraws(ports.table)
  await Promise.all(saleIds.map((saleId) => advanceUntil(ports, saleId, until)))
}

async function advanceUntil(ports: AdvanceDrawsPorts, saleId: SaleId, until: number): Promise<void> {
  const memo: OffersMemo = {}
  for (;;) {
    const next = await advanceOrReport(ports, saleId, memo)
    const wait = Math.max(next - ports.clock(), minWaitMs)
    if (ports.clock() + wait > until) return
    await ports.sleep(Math.min(wait, 10 * minWaitMs))
  }
}

async function advanceOrReport(ports: AdvanceDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  try {
    return await advanceDraw(ports, saleId, memo)
  } catch (error) {
    // The memo may have the state of a half-finished step.
    for (const name of Object.keys(memo)) delete memo[name as keyof OffersMemo]
    ports.meter.count('DrawFailed')
    ports.log.warn('draw not advanced', { saleId, ...errorFacts(error) })
    return ports.clock() + minWaitMs
  }
}

const never = Number.POSITIVE_INFINITY

/** Advances a draw by one step, and returns when to run again, epoch ms. */
async function advanceDraw(ports: AdvanceDrawsPorts, saleId: SaleId, memo: OffersMemo): Promise<number> {
  const { table, clock } = ports
  const sale = (await findSale(table, saleId))?.sale
  const draw = sale?.draw
  if (sale === undefined || draw === undefined || sale.archivedAt !== undefined || hasEnded(sale, clock())) {
    await unlistDraw(table, saleId)
    return never
  }
  const state = await readDrawState(table, saleId)
  const run = { ...ports, sale, draw, state }
  switch (state?.phase) {
    case undefined:
      return publishRules(run)
    case 'open':
      return closeEntries({ ...run, state })
    case 'closed':
      return decide({ ...run, state })
    case 'decided':
      return updateOffers(ports, sale, await drawPorts(run), memo)
    case 'void':
      ports.meter.count('ListMissing')
      return never
  }
}

const verifiedRounds = new Map<string, ReturnType<VerifyRound>>()

/** Caches verified rounds: every run checks its draws again, and a pairing is the slowest part. */
export const verifyRoundCached: VerifyRound = (chain, round, signature) => {
  const question = `${chain.hash} ${chain.publicKey} ${round} ${signature}`
  if (!verifiedRounds.has(question)) setBounded(verifiedRounds, question, verifyRound(chain, round, signature), 100)
  return verifiedRounds.get(question)
}

type DrawRun = AdvanceDrawsPorts & { sale: Sale; draw: SaleDraw; state: DrawState | undefined }
type StartedDraw = DrawRun & { state: DrawState }

async function drawPorts(
  { table, clock, filesOf, sale: { saleId } }: DrawRun,
  signal?: AbortSignal,
): Promise<DrawPorts> {
  const files = signal === undefined ? filesOf(saleId) : writableUntil(signal, filesOf(saleId))
  const { sign } = await loadDrawKeys(table, saleId)
  return { files, sign, clock, verifyRound: verifyRoundCached }
}

/** Runs a step that writes, unless another run holds the lock or has done the step. */
async function runUnderLock(ports: DrawRun, step: (draw: DrawPorts) => Promise<void>): Promise<number> {
  const { table, clock, sale, state } = ports
  await withLock(ports, sale.saleId, async (signal) => {
    const present = await readDrawState(table, sale.saleId)
    if (present?.phase === state?.phase) await step(await drawPorts(ports, signal))
  })
  return clock()
}

async function publishRules(ports: DrawRun): Promise<number> {
  const { table, clock, sale, draw, beacon, meter, log } = ports
  const { saleId, stock, variants, minLevel } = sale
  const { opensAt, closesAt, commitSeconds, claimSeconds: claimWindowSeconds } = draw
  if (!sale.warmed) return never
  if (clock() >= closesAt) {
    meter.count('ListMissing')
    log.error('a draw was not opened before its close', { saleId })
    return never
  }
  return runUnderLock(ports, async (files) => {
    const { chain } = beacon
    const { publicKey: key } = await loadDrawKeys(table, saleId)
    const round = roundOfDraw({ closesAt, commitSeconds, beacon: chain })
    const units = variants?.map((variant) => ({ id: variant.id, units: variant.stock })) ?? [{ units: stock }]
    const times = { opensAt, closesAt, commitSeconds, round, claimWindowSeconds }
    const level = minLevel > 0 ? { minLevel } : {}
    const rules = { ...times, beacon: chain, variants: units, ...level, key }
    const rulesHash = await openDraw(files, { version: 1, sale: saleId, ...rules })
    await makeListKey(table, saleId)
    await saveDrawState(table, saleId, {
      phase: 'open',
      opensAt,
      closesAt,
      rulesHash,
      round,
      roundAt: timeOfRound(chain, round),
      ...(variants && { variants: variants.map(({ id }) => id) }),
    })
    log.info('draw opened', { saleId, round })
  })
}

/** Publishes the list once it certainly has every entry with a receipt. */
async function closeEntries(ports: StartedDraw): Promise<number> {
  const { table, clock, sale, state, log, meter } = ports
  const { saleId } = sale
  if (clock() < state.closesAt + listDelayMs) return state.closesAt + listDelayMs
  return runUnderLock(ports, async (draw) => {
    const list = await closeDraw(draw, () => readRecords(table, saleId))
    if (list === undefined) {
      meter.count('ListMissing')
      log.error('the list of a draw came too late, so the draw is void', { saleId })
      await saveDrawState(table, saleId, { ...state, phase: 'void' })
      return
    }
    await saveDrawState(table, saleId, { ...state, phase: 'closed' })
    log.info('draw closed', { saleId, records: list.count })
  })
}

async function readRecords(table: Table, saleId: SaleId): Promise<Uint8Array[]> {
  const records: Uint8Array[] = []
  for await (const page of entryPages(table, saleId)) {
    for (const { id, changes: change, variant } of page) records.push(recordOf({ id: hexToBytes(id), change, variant }))
  }
  return records
}

async function decide(ports: StartedDraw): Promise<number> {
  const { table, clock, beacon, sale, state, meter, log } = ports
  const { round, roundAt: due } = state
  if (clock() < due) return due
  const answer = await beacon.round(round)
  if (answer.kind === 'late') {
    if (clock() > due + beaconLateMs) meter.count('BeaconLate')
    log.warn('the round of a draw is late', { saleId: sale.saleId, reasons: answer.reasons.join('; ') })
    return clock() + beaconPauseMs
  }
  return runUnderLock(ports, async (draw) => {
    const { list, queues, allocation } = await decideDraw(draw, answer)
    const rankDigits = await writeRanks(draw.files, list, queues)
    const counts = queues.map(({ length }) => length)
    await saveDrawState(table, sale.saleId, { ...state, phase: 'decided', queues: counts, rankDigits })
    log.info('draw decided', { saleId: sale.saleId, offers: allocation.holds.size })
  })
}

/** The state of a decided draw that a run keeps between two updates. */
type OffersMemo = { decided?: DecidedDraw; offers?: HeldOffer[]; cap?: string; comparedAt?: number }

type OfferPorts = LockPorts & Pick<ShopContext, 'table' | 'stock' | 'clock' | 'log'>

/** An offer lasts this much longer than its page says. */
export const graceMs = 5000

/**
 * Time until a removal from the list is certainly in effect: an instance of the gate caches members for 5 s (`memberMs` of
 * edge/memory/members.ts), and a click that it lets through takes some time to reach the stock.
 */
export const delistingMs = 8000

/** Offers are compared with the orders at this interval even when no unit has moved. */
const compareEveryMs = 30_000

const minuteMs = 60_000
/** Shoppers in one command to the gate's store. */
const batchSize = 1000

/** Updates the offers, and returns when to run again, epoch ms. @throws when a part is unavailable, and for a draw with a fault */
async function updateOffers(ports: OfferPorts, sale: Sale, draw: DrawPorts, memo: OffersMemo): Promise<number> {
  const { table, clock } = ports
  const { saleId } = sale
  memo.decided ??= await readDecided(draw)
  memo.offers ??= await allOffers(table, saleId)
  const cap = await capState(table, saleId)
  const now = clock()
  const hasMoved = cap !== memo.cap || now >= (memo.comparedAt ?? 0) + compareEveryMs
  if (
    hasMoved ||
    entriesWithoutOffer(memo.decided, memo.offers).length > 0 ||
    memo.offers.some((one) => isDue(one, now))
  ) {
    const updated = await withLock(ports, saleId, (signal) => updateUnderLock(ports, { sale, draw, memo, signal }))
    if (updated.kind === 'done') Object.assign(memo, { cap, comparedAt: now })
  }
  // If no entry waits for a unit, a returned one is not urgent.
  const { allocation, queues } = memo.decided
  const isAwaited =
    queues.some(({ length }, n) => (allocation.offered()[n] ?? 0) < length) || memo.offers.some(isEnding)
  return clock() + (isAwaited ? minWaitMs : minuteMs)
}

const isOpen = ({ endedAt }: HeldOffer) => endedAt === undefined
const isEnding = (offer: HeldOffer) => isOpen(offer) && offer.endingAt !== undefined
/** True for an offer that must end now, or whose end is due. */
const isDue = (offer: HeldOffer, now: number) =>
  isOpen(offer) &&
  (offer.endingAt === undefined
    ? offer.boughtAt === undefined && now >= offer.until + graceMs
    : now >= offer.endingAt + delistingMs)

/** Returns the entries that hold a unit and have no offer in the table yet. */
function entriesWithoutOffer({ allocation }: DecidedDraw, known: readonly HeldOffer[]): number[] {
  const entries = new Set(known.map(({ entry }) => entry))
  return [...allocation.holds].flatMap(([entry, holds]) => (holds && !entries.has(entry) ? [entry] : []))
}

type OffersRun = { sale: Sale; draw: DrawPorts; memo: OffersMemo; signal: AbortSignal }

async function updateUnderLock(ports: OfferPorts, run: OffersRun): Promise<void> {
  const { table, clock, log } = ports
  const { sale, draw, memo, signal } = run
  const { saleId } = sale
  // Another run may have published a step since.
  const steps = fileLines(await draw.files.read(stepsFile)).length
  if (memo.decided?.steps.length !== steps) memo.decided = await readDecided(draw)
  const { decided } = memo
  const offers = await allOffers(table, saleId)
  memo.offers = offers
  await endReleasedOffers(ports, saleId, decided, offers)
  offers.push(...(await makeOffers({ ...ports, signal }, sale, decided, offers)))
  const open = offers.filter(isOpen)
  const bought = await orderStates(
    table,
    saleId,
    open.map(({ shopperId }) => shopperId),
  )
  const now = clock()
  const changed: HeldOffer[] = []
  const leaving: HeldOffer[] = []
  const returns: DrawEvent[] = []
  for (const offer of open) {
    const { shopperId, endingAt, boughtAt } = offer
    const order = bought.get(shopperId)
    if (order === 'active') {
      if (boughtAt === undefined || endingAt !== undefined) changed.push(markBought(offer, now))
    } else if (endingAt === undefined) {
      if (order === 'ended') offer.boughtAt ??= now
      if (offer.boughtAt !== undefined || now >= offer.until + graceMs) leaving.push(offer)
    } else if (now >= endingAt + delistingMs) {
      const orders = await ordersOfShopper(ports.stock, saleId, shopperId)
      // The order is accepted but not written yet.
      if (orders.some(({ quantity }) => quantity > 0)) changed.push(markBought(offer, now))
      else returns.push({ entry: offer.entry, reason: await releaseReason(ports, offer, orders) })
    }
  }
  signal.throwIfAborted()
  await removeFromList(ports, saleId, leaving)
  // The delay counts from here: the gate may have cached a shopper right before the removal, which may have been slow.
  const leftAt = clock()
  for (const offer of leaving) changed.push(Object.assign(offer, { endingAt: leftAt }))
  await saveOffers(table, saleId, changed)
  if (returns.length === 0) return
  const made = await returnUnits({ ...draw, files: writableUntil(signal, draw.files) }, returns, decided)
  log.info('units of a draw came back', { saleId, units: returns.length, offers: made })
  await endReleasedOffers(ports, saleId, decided, offers)
  offers.push(...(await makeOffers({ ...ports, signal }, sale, decided, offers)))
}

function markBought(offer: HeldOffer, now: number): HeldOffer {
  delete offer.endingAt
  offer.boughtAt ??= now
  return offer
}

/**
 * Marks offers as ended whose units were returned, also by an interrupted run. A run that has lost its lock may find offers
 * of a later step, which count as held.
 */
async function endReleasedOffers(
  { table, clock }: OfferPorts,
  saleId: SaleId,
  { allocation }: DecidedDraw,
  offers: readonly HeldOffer[],
): Promise<void> {
  const ended = offers.filter((one) => isOpen(one) && allocation.holds.get(one.entry) === false)
  for (const offer of ended) offer.endedAt = clock()
  await saveOffers(table, saleId, ended)
}

/** Adds the shoppers of new offers to the list of the sale, and writes the offers last, so that a repeat does all of it again. */
async function makeOffers(
  { table, gate, clock, log, signal }: OfferPorts & Pick<OffersRun, 'signal'>,
  { saleId, endsAt }: Sale,
  decided: DecidedDraw,
  known: readonly HeldOffer[],
): Promise<HeldOffer[]> {
  const fresh = entriesWithoutOffer(decided, known)
  if (fresh.length === 0) return []
  const { list, offeredAt, rules } = decided
  const ids = fresh.map((entry) => bytesToHex(idOf(list, entry)))
  const shoppers = await shoppersOfEntries(table, saleId, ids)
  const offers = fresh.map((entry, n): HeldOffer => {
    const [id = '', at = clock()] = [ids[n], offeredAt.get(entry)]
    const shopperId = shoppers.get(id)
    if (shopperId === undefined) throw new Error(`entry ${entry} has no shopper`)
    const variant = rules.variants[variantOf(list, entry) - 1]?.id
    const until = Math.min(at + 1000 * rules.claimWindowSeconds, endsAt)
    return { id, entry, shopperId, ...(variant && { variant }), at, until }
  })
  for (const some of slicesOf(offers, batchSize)) {
    // A run that has lost its lock could list shoppers whose offers another run has ended since.
    signal.throwIfAborted()
    await addInvited(table, saleId, some)
    signal.throwIfAborted()
    await addMembers(gate, saleId, some.map(memberOf))
    signal.throwIfAborted()
    await saveOffers(table, saleId, some)
  }
  log.info('units of a draw are offered', { saleId, offers: offers.length })
  return offers
}

async function removeFromList({ table, gate }: OfferPorts, saleId: SaleId, offers: readonly HeldOffer[]) {
  for (const some of slicesOf(offers, batchSize)) {
    await removeInvited(table, saleId, some)
    await removeMembers(gate, saleId, some.map(memberOf))
  }
}

/** A winner may buy the variant that was drawn, and no other. */
const memberOf = ({ shopperId, variant }: HeldOffer) => listMember(shopperId, variant)

/** Returns why an offer ends, by the last order of its shopper. */
async function releaseReason(
  { table }: OfferPorts,
  { boughtAt }: HeldOffer,
  orders: Awaited<ReturnType<typeof ordersOfShopper>>,
): Promise<(typeof returnReasons)[number]> {
  if (boughtAt === undefined) return 'unclaimed'
  const last = orders.at(-1)
  const order = last && (await findWrittenOrder(table, last.orderId))
  if (order?.status === 'refunded' || order?.status === 'refund-due') return 'refunded'
  return order?.reason === 'unpaid' ? 'unpaid' : 'cancelled'
}
