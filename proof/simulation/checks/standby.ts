/**
 * What must hold of a standby list: ranks are offered units in their order, no unit is idle while an entrant waits for longer
 * than the schedule of draws allows, and a reader who checks its files finds no fault.
 */
import { checkDraw } from '../../../core/draw/check-draw.ts'
import type { ShopperId } from '../../../core/ids.ts'
import { isOnStandby } from '../../../core/sale/early-access.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { viewEntry } from '../../../functions/sales/draw/entries.ts'
import { verifyOnce } from '../../../functions/sales/draw/verify-once.ts'
import { type DrawState, readDrawState } from '../../../functions/table/draw/draws.ts'
import { allOffers, ordersAmong } from '../../../functions/table/draw/offers.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { isBeingChecked, ordersOfShopper, readStock } from '../../../redis/stock/stock.ts'
import type { World } from '../world.ts'

/** The schedule looks once a second, and one run follows another within six; a lock of the sale may come between. */
const longestIdleMs = 10_000

/** A run that a fault froze or cut off is over by then. */
const calmAfterMs = 120_000

/** Looks once a second as long as the sale is simulated. */
export async function watchStandby(world: World): Promise<void> {
  const { sleep, aside, now, profile } = world.simulation
  let calmAt = now() + calmAfterMs
  let idleSince: number | undefined
  let ranks: ReadonlyMap<ShopperId, number> | undefined
  for (;;) {
    await sleep(1000)
    await aside(async () => {
      if (profile.rate > 0 || profile.unavailable.size > 0) calmAt = now() + calmAfterMs
      const state = await stateOfList(world)
      if (state?.phase !== 'decided') return
      ranks ??= await ranksOf(world)
      await checkOrder(world, ranks)
      const idle = await idleUnits(world, ranks)
      idleSince = idle > 0 ? (idleSince ?? now()) : undefined
      const idleMs = idleSince === undefined ? 0 : now() - Math.max(idleSince, calmAt)
      if (idleMs <= longestIdleMs) return
      world.violated(`${idle} units are idle for ${idleMs} ms, and an entrant stands by`)
      idleSince = undefined
    })
  }
}

/** The state of the list while offers alone let shoppers buy; undefined at any other time. */
async function stateOfList(world: World): Promise<DrawState | undefined> {
  const { truth, saleId, simulation } = world
  const sale = truth.sale(saleId)?.sale
  const isOn = sale !== undefined && isOnStandby(sale) && !hasEnded(sale, simulation.now())
  return isOn ? readDrawState(truth.table, saleId) : undefined
}

/** The rank of each entrant, as the entrant sees it. */
async function ranksOf({ truth, saleId, simulation, draws, entries }: World): Promise<Map<ShopperId, number>> {
  const files = { read: async (path: string) => draws.files.get(path), write: async () => undefined }
  const ports = { table: truth.table, clock: simulation.now, filesOf: () => files }
  const ranks = new Map<ShopperId, number>()
  for (const shopperId of entries.entrants.keys()) {
    const place = (await viewEntry(ports, saleId, shopperId))?.view.place
    if (place !== undefined) ranks.set(shopperId, place.rank)
  }
  return ranks
}

/** No rank is offered a unit before a better one. */
async function checkOrder({ truth, saleId, violated }: World, ranks: ReadonlyMap<ShopperId, number>): Promise<void> {
  const offers = await allOffers(truth.table, saleId)
  const offered = offers.map(({ shopperId }) => ranks.get(shopperId) ?? 0).toSorted((a, b) => a - b)
  if (offered.some((rank, at) => rank !== at + 1)) violated(`the ranks ${offered.join()} were offered units`)
}

/** The units that table and stock have left and that no offer keeps, while an entrant waits who had none. */
async function idleUnits({ truth, saleId, stocks }: World, ranks: ReadonlyMap<ShopperId, number>): Promise<number> {
  const offers = await allOffers(truth.table, saleId)
  const stock = await readStock(stocks, saleId)
  const sale = truth.sale(saleId)?.sale
  if (stock === undefined || stock.frozen || isBeingChecked(stock) || sale?.flag !== 'on') return 0
  if (offers.length >= ranks.size) return 0
  const open = offers.filter(({ endedAt }) => endedAt === undefined).map(({ shopperId }) => shopperId)
  const orders = await ordersAmong(truth.table, saleId, open)
  const kept = open.filter((shopperId) => orders.get(shopperId) !== 'standing')
  const held = await Promise.all(kept.map((shopperId) => ordersOfShopper(stocks, saleId, shopperId)))
  const keptInStock = held.filter((some) => some.every(({ quantity }) => quantity === 0)).length
  const inTable = (await saleTotals(truth.table, saleId))?.remaining ?? 0
  return Math.min(inTable - kept.length, stock.available - keptInStock)
}

/** At rest. A list that was not closed in time is void, and a reader finds it so. */
export async function checkStandby(world: World): Promise<void> {
  const { draws, entries, violated, truth, saleId, simulation } = world
  for (const shopperId of entries.letInOnce)
    if (!entries.entrants.has(shopperId)) violated(`${shopperId} was let in and is not on the standby list`)
  const phase = (await readDrawState(truth.table, saleId))?.phase
  if (phase === undefined) return
  const { faults, state } = await checkDraw(async (path) => draws.files.get(path), {
    verifyRound: verifyOnce,
    now: simulation.now(),
    known: { receipts: [...entries.receipts] },
  })
  if (phase === 'void' && state !== 'void' && state !== 'open') violated(`a list that is void is ${state} for a reader`)
  for (const { fault, detail } of faults) violated(`a reader of the standby list finds ${fault}: ${detail}`)
  if ((await stateOfList(world))?.phase !== 'decided') return
  const idle = await idleUnits(world, await ranksOf(world))
  if (idle > 0) violated(`${idle} units are idle at rest, and an entrant stands by`)
}

/** Lists that are to be ranked or ended, and offers that are to be used or end. */
export async function pendingStandby(world: World): Promise<{ lists: number; offers: number }> {
  const state = world.hasStandby ? await stateOfList(world) : undefined
  const sale = world.truth.sale(world.saleId)?.sale
  const isOn = sale !== undefined && isOnStandby(sale) && !hasEnded(sale, world.simulation.now())
  const offers = state === undefined ? [] : await allOffers(world.truth.table, world.saleId)
  return {
    lists: isOn && (state?.phase !== 'decided' || state.isOver === true) ? 1 : 0,
    offers: offers.filter(({ endedAt, boughtAt }) => endedAt === undefined && boughtAt === undefined).length,
  }
}
