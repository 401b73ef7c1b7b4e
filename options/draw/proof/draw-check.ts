/**
 * Checks the invariants of a draw: published files and every receipt agree, units are offered in the order of ranks that a
 * reader recomputes, and an offered unit is sold to no other shopper.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import type { ShopperId } from '../../../core/ids.ts'
import { ownValue } from '../../../core/lib/own-value.ts'
import type { Order } from '../../../core/orders/order.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import type { OptionCounts } from '../../../proof/simulation/option.ts'
import { checkDraw, type DrawCheck } from '../core/check-draw.ts'
import { idOf, variantOf } from '../core/list.ts'
import { verifyRoundCached } from '../functions/advance-draws.ts'
import { loadDrawKeys } from '../functions/draw-of-sale.ts'
import { allOffers, type DrawState, entrantId, type HeldOffer, readDrawState } from '../functions/table.ts'
import type { DrawWorld } from './simulated-draws.ts'

const checkEveryMs = 2000

/** Checks the offers every two seconds while the sale is simulated. */
export async function watchDraw(world: DrawWorld): Promise<void> {
  const { sleep, runExclusively } = world.simulation
  let check: DrawCheck | undefined
  for (;;) {
    await sleep(checkEveryMs)
    await runExclusively(async () => {
      if ((await stateOf(world))?.phase !== 'decided') return
      check ??= await readAsReader(world)
      await checkOffers(world, check)
    })
  }
}

const stateOf = ({ truth, saleId }: DrawWorld): Promise<DrawState | undefined> => readDrawState(truth.table, saleId)

/** Checks the draw as a reader who knows every receipt. */
function readAsReader({ draws, entries, simulation }: DrawWorld): Promise<DrawCheck> {
  return checkDraw(async (path) => draws.files.get(path), {
    ...{ verifyRound: verifyRoundCached, now: simulation.now() },
    known: { receipts: [...entries.receipts] },
  })
}

/** Returns the entries of each variant by rank; the key is undefined in a sale without variants. */
function ranksIn({ result, rules }: DrawCheck): Map<string | undefined, number[]> {
  return new Map((rules?.variants ?? []).map(({ id }, n) => [id, [...(result?.queues[n] ?? [])]]))
}

/** Checks that each offer went to the next rank, and that its unit is available to its shopper until it ends. */
async function checkOffers(world: DrawWorld, check: DrawCheck): Promise<void> {
  const { truth, saleId, violated } = world
  const offers = await allOffers(truth.table, saleId)
  for (const [variant, ranks] of ranksIn(check)) {
    const made = offers.filter((one) => one.variant === variant)
    const first = new Set(ranks.slice(0, made.length))
    if (made.some(({ entry }) => !first.has(entry)))
      violated(`of the ranks ${ranks.join()} the entries ${made.map(({ entry }) => entry).join()} were offered units`)
    const kept = made.filter((one) => isKept(world, one)).length
    const left = await unitsLeft(world, variant)
    if (left < kept) violated(`${kept} offers of ${variant ?? 'a unit'} are open, and ${left} units are left for them`)
  }
}

/** True when a unit must be available to the shopper. */
const isKept = ({ truth, saleId }: DrawWorld, { endedAt, shopperId }: HeldOffer) =>
  endedAt === undefined && truth.bought(saleId, shopperId) === 0

/** Returns the units without an order, by the table. */
async function unitsLeft({ truth, saleId }: DrawWorld, variant: string | undefined): Promise<number> {
  const totals = await saleTotals(truth.table, saleId)
  return (variant === undefined ? totals?.remaining : ownValue(totals?.variants, variant)?.left) ?? 0
}

/** Checks the draw of a sale at rest. */
export async function checkDrawn(world: DrawWorld): Promise<void> {
  const { truth, saleId, violated } = world
  const phase = (await stateOf(world))?.phase
  const orders = truth.orders(saleId)
  const offers = await allOffers(truth.table, saleId)
  if (phase !== 'decided' && offers.length + orders.length > 0)
    violated(`a draw that is not decided has ${offers.length} offers and ${orders.length} orders`)
  checkBuyers(world, orders, offers)
  if (phase === undefined) return
  const check = await readAsReader(world)
  for (const { fault, detail } of check.faults) violated(`a reader of the draw finds ${fault}: ${detail}`)
  const read = { open: ['open', 'void'], closed: ['closed', 'drawn'], decided: ['drawn'], void: ['void'] }[phase]
  if (!read.includes(check.state ?? '')) violated(`a draw that is ${phase} is ${check.state} for a reader`)
  if (phase === 'closed' || phase === 'decided') await checkEntrants(world, check)
  if (phase !== 'decided') return
  await checkOffers(world, check)
  await checkNoUnitIdle(world, check, offers)
}

/** Checks that shoppers who bought or were let in have an offer of that variant. */
function checkBuyers({ entries, violated }: DrawWorld, orders: readonly Order[], offers: readonly HeldOffer[]): void {
  const byShopper = new Map(offers.map((offer) => [offer.shopperId, offer]))
  for (const shopperId of entries.admitted)
    if (!byShopper.has(shopperId)) violated(`${shopperId} was let in without an offer`)
  for (const order of orders) {
    const offer = byShopper.get(order.shopperId)
    if (offer === undefined) violated(`${order.orderId} was bought without an offer`)
    else if (offer.variant !== order.variant) violated(`${order.orderId} is not of ${offer.variant}, which was offered`)
  }
}

/** Checks that each entrant is listed as the last receipt says, and that each offer names the record of its own entrant. */
async function checkEntrants({ entries, truth, saleId, violated }: DrawWorld, { list }: DrawCheck): Promise<void> {
  if (list === undefined) return
  const { ids } = await loadDrawKeys(truth.table, saleId)
  const offers = new Map((await allOffers(truth.table, saleId)).map((offer) => [offer.shopperId, offer]))
  const idOfShopper = (shopperId: ShopperId) => bytesToHex(entrantId(ids, shopperId))
  const all = Array.from({ length: list.count }, (_, entry) => entry)
  const listed = new Set(
    all.filter((entry) => variantOf(list, entry) > 0).map((entry) => bytesToHex(idOf(list, entry))),
  )
  for (const [shopperId, state] of entries.entrants) {
    const isIn = listed.has(idOfShopper(shopperId))
    if (state !== 'unsure' && isIn !== (state === 'in'))
      violated(`${shopperId} has a receipt of being ${state}, and the list says otherwise`)
  }
  for (const { shopperId, entry, id } of offers.values()) {
    const expected = idOfShopper(shopperId)
    if (id !== expected || bytesToHex(idOf(list, entry)) !== expected)
      violated(`${shopperId} was offered the unit of entry ${entry}, which is of another shopper`)
  }
}

/** Checks that no unit is left while an entrant waits for it, unless the sale was closed meanwhile. */
async function checkNoUnitIdle(world: DrawWorld, check: DrawCheck, offers: readonly HeldOffer[]): Promise<void> {
  if (hasEnded(await world.sale(), world.simulation.now())) return
  for (const [variant, ranks] of ranksIn(check)) {
    const made = offers.filter((one) => one.variant === variant)
    const free = (await unitsLeft(world, variant)) - made.filter((one) => isKept(world, one)).length
    if (free > 0 && made.length < ranks.length)
      world.violated(
        `${free} units of ${variant ?? 'the sale'} are left, and ${ranks.length - made.length} entrants wait`,
      )
  }
}

/** Counts the draws that are not decided yet, and the offers that are still open. */
export async function pendingDraw(world: DrawWorld, sale: Sale): Promise<Record<string, number>> {
  const { truth, saleId, draws, simulation } = world
  const phase = (await stateOf(world))?.phase
  if (phase === undefined || hasEnded(sale, simulation.now())) return {}
  const isAwaited = phase === 'open' || (phase === 'closed' && Number.isFinite(draws.lateMs))
  return {
    'draws are to be decided': isAwaited ? 1 : 0,
    'offers are to be used or end': (await allOffers(truth.table, saleId)).filter((one) => isKept(world, one)).length,
  }
}

/** Counts the decided draws and their offers. */
export async function countDraw(world: DrawWorld): Promise<OptionCounts> {
  if ((await stateOf(world))?.phase !== 'decided') return {}
  return { decided: 1, offers: (await allOffers(world.truth.table, world.saleId)).length }
}
