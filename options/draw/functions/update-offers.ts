/**
 * The offers of a decided draw. Who holds one is on the list of the sale, by which the gate lets shoppers buy. An offer
 * ends when its time is over without an order, or when its order ends. Then the shopper leaves the list, and once no
 * click can be on its way any more, the unit goes to the next rank. So a unit is never offered twice at a time, and an
 * offer is kept a little longer than its page says, never shorter.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { listMember } from '../../../core/sale/invited.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type LockPorts, withLock } from '../../../functions/lib/lock.ts'
import type { Shop } from '../../../functions/lib/shop/shop.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { addInvited, removeInvited } from '../../../functions/table/sale/invited.ts'
import { capState } from '../../../functions/table/stock/cap-parts.ts'
import { addMembers, removeMembers } from '../../../redis/gate/members.ts'
import { ordersOfShopper } from '../../../redis/stock/stock.ts'
import { stepsFile } from '../core/check-draw.ts'
import { idOf, variantOf } from '../core/list.ts'
import { type DrawEvent, lineTextsOf, type returnReasons } from '../core/rules.ts'
import { type DecidedDraw, type DrawPorts, readDecided, returnUnits, writtenUntil } from './draw-of-sale.ts'
import { allOffers, type HeldOffer, ordersAmong, saveOffers, shoppersOfEntries } from './table.ts'

/** What a run remembers of a decided draw between two looks. */
export type OffersMemo = { decided?: DecidedDraw; offers?: HeldOffer[]; cap?: string; lookedAt?: number }

type OfferPorts = LockPorts & Pick<Shop, 'table' | 'stock' | 'clock' | 'log'>

/** An offer is kept so much longer than its page says. */
export const graceMs = 5000

/**
 * After a shopper left the list, an instance of the gate may know it from before for 5 s (`memberMs` of
 * edge/memory/members.ts), and a click that it lets through takes some time to the stock.
 */
export const unlistedMs = 8000

/** All offers are compared with the orders so often, also when no unit has moved. */
const everyMs = 30_000

const lookMs = 1000
const minuteMs = 60_000
/** Shoppers in one command to the gate's store. */
const atOnce = 1000

/** When to look again, epoch ms. @throws when a part is unavailable, and for a draw with a fault */
export async function updateOffers(ports: OfferPorts, sale: Sale, draw: DrawPorts, memo: OffersMemo): Promise<number> {
  const { table, clock } = ports
  const { saleId } = sale
  memo.decided ??= await readDecided(draw)
  memo.offers ??= await allOffers(table, saleId)
  const cap = await capState(table, saleId)
  const now = clock()
  const hasMoved = cap !== memo.cap || now >= (memo.lookedAt ?? 0) + everyMs
  if (hasMoved || freshOf(memo.decided, memo.offers).length > 0 || memo.offers.some((one) => isDue(one, now))) {
    const updated = await withLock(ports, saleId, (signal) => updateAlone(ports, { sale, draw, memo, signal }))
    if (updated.kind === 'done') Object.assign(memo, { cap, lookedAt: now })
  }
  // Where no entry waits for a unit, one that comes back is in no hurry.
  const { allocation, queues } = memo.decided
  const isAwaited =
    queues.some(({ length }, n) => (allocation.offered()[n] ?? 0) < length) || memo.offers.some(isEnding)
  return clock() + (isAwaited ? lookMs : minuteMs)
}

const isOpen = ({ endedAt }: HeldOffer) => endedAt === undefined
const isEnding = (offer: HeldOffer) => isOpen(offer) && offer.endingAt !== undefined
/** An offer that must end now, or whose end is due. */
const isDue = (offer: HeldOffer, now: number) =>
  isOpen(offer) &&
  (offer.endingAt === undefined
    ? offer.boughtAt === undefined && now >= offer.until + graceMs
    : now >= offer.endingAt + unlistedMs)

/** Offers of the draw that no shopper has yet. */
function freshOf({ allocation }: DecidedDraw, known: readonly HeldOffer[]): number[] {
  const entries = new Set(known.map(({ entry }) => entry))
  return [...allocation.holds].flatMap(([entry, holds]) => (holds && !entries.has(entry) ? [entry] : []))
}

type OffersRun = { sale: Sale; draw: DrawPorts; memo: OffersMemo; signal: AbortSignal }

async function updateAlone(ports: OfferPorts, run: OffersRun): Promise<void> {
  const { table, clock, log } = ports
  const { sale, draw, memo, signal } = run
  const { saleId } = sale
  // Another run may have published a step since.
  const steps = lineTextsOf(await draw.files.read(stepsFile)).length
  if (memo.decided?.steps.length !== steps) memo.decided = await readDecided(draw)
  const { decided } = memo
  const offers = await allOffers(table, saleId)
  memo.offers = offers
  await endGivenBack(ports, saleId, decided, offers)
  offers.push(...(await giveOut({ ...ports, signal }, sale, decided, offers)))
  const open = offers.filter(isOpen)
  const bought = await ordersAmong(
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
    if (order === 'standing') {
      if (boughtAt === undefined || endingAt !== undefined) changed.push(keep(offer, now))
    } else if (endingAt === undefined) {
      if (order === 'ended') offer.boughtAt ??= now
      if (offer.boughtAt !== undefined || now >= offer.until + graceMs) leaving.push(offer)
    } else if (now >= endingAt + unlistedMs) {
      const orders = await ordersOfShopper(ports.stock, saleId, shopperId)
      // The order is accepted and not written yet.
      if (orders.some(({ quantity }) => quantity > 0)) changed.push(keep(offer, now))
      else returns.push({ entry: offer.entry, reason: await reasonOf(ports, offer, orders) })
    }
  }
  signal.throwIfAborted()
  await takeOff(ports, saleId, leaving)
  // The gate may remember a shopper from right before that, and a call of it may take long.
  const leftAt = clock()
  for (const offer of leaving) changed.push(Object.assign(offer, { endingAt: leftAt }))
  await saveOffers(table, saleId, changed)
  if (returns.length === 0) return
  const made = await returnUnits({ ...draw, files: writtenUntil(signal, draw.files) }, returns, decided)
  log.info('units of a draw came back', { saleId, units: returns.length, offers: made })
  await endGivenBack(ports, saleId, decided, offers)
  offers.push(...(await giveOut({ ...ports, signal }, sale, decided, offers)))
}

function keep(offer: HeldOffer, now: number): HeldOffer {
  delete offer.endingAt
  offer.boughtAt ??= now
  return offer
}

/**
 * Notes the end of offers whose units are given back, also those of a run that was cut off. A run that has lost its
 * lock may find offers of a later step than it knows: they are held.
 */
async function endGivenBack(
  { table, clock }: OfferPorts,
  saleId: SaleId,
  { allocation }: DecidedDraw,
  offers: readonly HeldOffer[],
): Promise<void> {
  const ended = offers.filter((one) => isOpen(one) && allocation.holds.get(one.entry) === false)
  for (const offer of ended) offer.endedAt = clock()
  await saveOffers(table, saleId, ended)
}

/** Puts the shoppers of new offers on the list of the sale, and writes their offers last: a repeat does all of it again. */
async function giveOut(
  { table, gate, clock, log, signal }: OfferPorts & Pick<OffersRun, 'signal'>,
  { saleId, endsAt }: Sale,
  decided: DecidedDraw,
  known: readonly HeldOffer[],
): Promise<HeldOffer[]> {
  const fresh = freshOf(decided, known)
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
  for (const some of slicesOf(offers, atOnce)) {
    // A run that has lost its lock would list shoppers whose offers another one has ended since.
    signal.throwIfAborted()
    await addInvited(table, saleId, some)
    signal.throwIfAborted()
    await addMembers(gate, saleId, some.map(memberByOffer))
    signal.throwIfAborted()
    await saveOffers(table, saleId, some)
  }
  log.info('units of a draw are offered', { saleId, offers: offers.length })
  return offers
}

async function takeOff({ table, gate }: OfferPorts, saleId: SaleId, offers: readonly HeldOffer[]) {
  for (const some of slicesOf(offers, atOnce)) {
    await removeInvited(table, saleId, some)
    await removeMembers(gate, saleId, some.map(memberByOffer))
  }
}

/** A winner may buy the variant that was drawn, and no other. */
const memberByOffer = ({ shopperId, variant }: HeldOffer) => listMember(shopperId, variant)

/** Why an offer ends, by the last order of its shopper. */
async function reasonOf(
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
