/**
 * A sale to the first who come that sells out, and its standby list until no unit moves any more, over the real stores and a
 * clock that the play moves. Of ten orders four are never paid. All chance follows from a seed.
 */
import { checkDraw } from '../../../../core/draw/check-draw.ts'
import type { OrderId } from '../../../../core/ids.ts'
import { isOnStandby } from '../../../../core/sale/early-access.ts'
import { createMembers } from '../../../../edge/memory/members.ts'
import { changeOrder } from '../../../../functions/orders/change-order.ts'
import { tick } from '../../../../functions/repair/tick.ts'
import { changeEntry, settleMs, viewEntry } from '../../../../functions/sales/draw/entries.ts'
import { tendDraws } from '../../../../functions/sales/draw/tend-draws.ts'
import { verifyOnce } from '../../../../functions/sales/draw/verify-once.ts'
import { readDrawState } from '../../../../functions/table/draw/draws.ts'
import { allOffers, ordersAmong } from '../../../../functions/table/draw/offers.ts'
import { saleTotals } from '../../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { openRandom, type Random } from '../../../../proof/simulation/engine/random.ts'
import { isMember } from '../../../../redis/gate/members.ts'
import { ordersOfShopper } from '../../../../redis/stock/stock.ts'
import { saleIdOf, shopperIdOf } from '../../../redis/support.ts'
import type { OwnRedis } from '../../../redis/test-store.ts'
import { type World, world } from '../../../world/world.ts'
import { beaconOfTest } from './beacon-of-test.ts'
import { drawFilesIn } from './draw-files.ts'

const phone = saleIdOf('phone')
const second = 1000
const minute = 60 * second
const joinSeconds = 120
const claimSeconds = 90
const mostSteps = 40

/** What a play ended with: `idleMs` is how long each unit from a buyer without an offer was idle while shoppers stood by. */
export type PlayedStandby = {
  broken: string[]
  orders: number
  unpaid: number
  offers: number
  idleMs: number[]
}

type Fate = 'unpaid' | 'cancelled' | 'refunded' | 'kept'
const fates: ReadonlyMap<Fate, number> = new Map([
  ['unpaid', 4],
  ['cancelled', 1],
  ['refunded', 1],
  ['kept', 4],
])

type Buyer = {
  number: number
  order: OrderId
  fate: Fate
  endsAt: number
  isFirstCome: boolean
  hasEnded?: true
}

type Play = {
  rig: World
  redis: OwnRedis
  random: Random
  stock: number
  /** Who joined earlier comes first. */
  isByJoining: boolean
  joiners: number[]
  /** The rank that each joiner on the list sees, from 1. */
  ranks: Map<string, number>
  buyers: Buyer[]
  broken: string[]
  idleMs: number[]
  /** When units came back that are not seen in an offer yet, in the order of time. */
  backAt: number[]
  published: Map<string, Uint8Array>
  gate: ReturnType<typeof createMembers>
}

/** The latest time of a play: a round of the beacon may come then. */
const shown = { now: 0 }
const beacon = beaconOfTest(() => shown.now)

/** Plays the sale of `seed`. */
export async function playStandby(redis: OwnRedis, seed: number): Promise<PlayedStandby> {
  const random = openRandom(seed)
  const rig = await world({ redis })
  const play: Play = {
    ...{ rig, redis, random, stock: random.whole(1, 6), buyers: [], broken: [], idleMs: [], backAt: [] },
    isByJoining: random.chance(0.3),
    joiners: Array.from({ length: random.whole(0, 9) }, (_, n) => 101 + n),
    ranks: new Map(),
    published: new Map(),
    gate: createMembers(
      { isMember: (saleId, shopperId, basket) => isMember(redis, saleId, shopperId, basket) },
      () => rig.clock.now,
      () => undefined,
    ),
  }
  const from = await sellOut(play)
  await rank(play, from)
  await sell(play)
  const offers = await allOffers(rig.table, phone)
  const { faults } = await checkDraw(drawFilesIn(play.published).read, { verifyRound: verifyOnce })
  play.broken.push(...faults.map(({ fault, detail }) => `a reader finds ${fault}: ${detail}`))
  const unpaid = play.buyers.filter(({ fate }) => fate === 'unpaid').length
  return {
    broken: play.broken,
    orders: play.buyers.length,
    unpaid,
    offers: offers.length,
    idleMs: play.idleMs,
  }
}

async function drawn({ rig, published }: Play): Promise<void> {
  shown.now = rig.clock.now
  await tendDraws({ ...rig.ports, filesOf: () => drawFilesIn(published), beacon }, rig.clock.now)
}

/** Sells all units at once, and begins the list. */
async function sellOut(play: Play): Promise<number> {
  const { rig, stock, isByJoining } = play
  const { now } = rig.clock
  const standby = { joinSeconds, claimSeconds, ...(isByJoining && { rank: 'joined' }) }
  const terms = {
    stock,
    limitPerShopper: 1,
    maxPerOrder: 1,
    startsAt: now,
    endsAt: now + 600 * minute,
    paymentWindowSeconds: 300,
    standby,
  }
  const created = await rig.create(terms)
  if (created.status !== 201) throw new Error(`the sale was not created: ${JSON.stringify(created.body)}`)
  await rig.act('start', { now: true })
  for (let number = 1; number <= stock; number += 1) await buy(play, number, true)
  await rig.deliver()
  // The gate learns that it sold out, then the list begins.
  for (let looks = 0; looks < 2; looks += 1) await tick(rig.ports, rig.clock.now + second)
  const from = (await findSale(rig.table, phone))?.sale.standbyFrom
  if (from === undefined) throw new Error('no standby list began')
  return from
}

async function buy(play: Play, number: number, isFirstCome: boolean): Promise<void> {
  const { rig, random, buyers } = play
  const earlier = buyers.filter((one) => one.number === number).length
  const order = await rig.buy(number, { order: earlier + 1 })
  const endsAt = rig.clock.now + random.whole(1, isFirstCome ? 40 : 20) * minute
  buyers.push({ number, order, fate: random.weighted(fates), endsAt, isFirstCome })
}

async function rank(play: Play, from: number): Promise<void> {
  const { rig, random, joiners, ranks, published, isByJoining, broken } = play
  rig.clock.now = from + minute
  await drawn(play)
  const ports = { ...rig.ports, filesOf: () => drawFilesIn(published) }
  for (const number of joiners) {
    await changeEntry(ports, phone, shopperIdOf(number), {})
    if (random.chance(0.1)) await changeEntry(ports, phone, shopperIdOf(number), undefined)
    if (!isByJoining) continue
    // Each joins in a batch of its own.
    rig.clock.now += 11 * second
    await drawn(play)
  }
  // What comes back before the ranks are known waits for them.
  await endOrders(play)
  for (const ms of [settleMs, 2 * minute]) {
    rig.clock.now = from + minute + joinSeconds * second + ms
    await drawn(play)
  }
  await drawn(play)
  for (const number of joiners) {
    const place = (await viewEntry(ports, phone, shopperIdOf(number)))?.view.place
    if (place !== undefined) ranks.set(shopperIdOf(number), place.rank)
  }
  const seen = [...ranks.values()]
  if (isByJoining && seen.some((rank, n) => rank !== n + 1))
    broken.push(`shoppers who joined one after the other have the ranks ${seen.join()}`)
  play.backAt.length = 0
}

/** One run of the schedule for all of the sale, between whose looks the rest happens. */
async function sell(play: Play): Promise<void> {
  const { rig, published } = play
  const until = rig.clock.now + 500 * minute
  let steps = 0
  shown.now = until
  const sleep = async () => {
    steps += 1
    await moveOn(play)
    if (steps === mostSteps || (await isAtRest(play))) rig.clock.now = until
  }
  const files = drawFilesIn(published)
  await tendDraws({ ...rig.ports, filesOf: () => files, beacon, sleep }, until)
}

/** Whether no unit moves any more: all orders have ended or are kept, and so have all offers. */
async function isAtRest({ rig, buyers }: Play): Promise<boolean> {
  if (rig.queue.messages.length > 0 || buyers.some(({ hasEnded }) => !hasEnded)) return false
  const kept = new Set(buyers.flatMap(({ fate, number }) => (fate === 'kept' ? [shopperIdOf(number)] : [])))
  const offers = await allOffers(rig.table, phone)
  const isOver = offers.every(({ endedAt, shopperId }) => endedAt !== undefined || kept.has(shopperId))
  return isOver && (await readDrawState(rig.table, phone))?.isOver !== true
}

/** What the last look did is checked, and some time passes; then things happen, a second before the next look. */
async function moveOn(play: Play): Promise<void> {
  const { rig, random } = play
  await look(play)
  rig.clock.now += random.pick([0, 0, 10 * second, minute, 3 * minute])
  await endOrders(play)
  await click(play)
  if (random.chance(0.7)) await rig.deliver()
  const sale = (await findSale(rig.table, phone))?.sale
  if ((await readDrawState(rig.table, phone))?.isOver && sale && isOnStandby(sale))
    await tick(rig.ports, rig.clock.now + 1)
  rig.clock.now += second
}

/** The orders whose time has come end, or are paid and kept. */
async function endOrders({ rig, buyers, backAt }: Play): Promise<void> {
  await rig.deliver()
  for (const buyer of buyers) {
    if (buyer.hasEnded || rig.clock.now < buyer.endsAt) continue
    buyer.hasEnded = true
    const { order, fate } = buyer
    const change = (event: Parameters<typeof changeOrder>[2]) => changeOrder(rig.ports, order, event)
    if (fate === 'kept' || fate === 'refunded')
      await change({ kind: 'payment-succeeded', paymentId: `${order}.1`, amount: 10, currency: 'CNY' })
    if (fate === 'kept') continue
    const ended = {
      unpaid: 'payment-window-over',
      cancelled: 'cancelled-by-shopper',
      refunded: 'refunded-by-marketer',
    } as const
    const { kind } = await change({ kind: ended[fate] })
    if (kind === 'not-yet') {
      // Its time to pay is not over.
      delete buyer.hasEnded
      continue
    }
    if (kind !== 'moved') throw new Error(`an order did not end: ${kind}`)
    if (buyer.isFirstCome) backAt.push(rig.clock.now)
  }
}

/** Shoppers with an offer click, and programs that have none. What the gate lets through is at the stock at once. */
async function click(play: Play): Promise<void> {
  const { rig, redis, random, joiners, published, gate, broken } = play
  const sale = (await findSale(rig.table, phone))?.sale
  if (sale === undefined || !isOnStandby(sale)) return
  const ports = { ...rig.ports, filesOf: () => drawFilesIn(published) }
  // Asked at once, to be quick: a click of another shopper changes neither.
  const shoppers = await Promise.all(
    [...joiners, 900].map(async (number) => {
      const shopperId = shopperIdOf(number)
      const [orders, seen] = await Promise.all([
        ordersOfShopper(redis, phone, shopperId),
        viewEntry(ports, phone, shopperId),
      ])
      const hasUnits = orders.some(({ quantity }) => quantity > 0)
      return { number, shopperId, hasUnits, isOffered: seen?.view.offer !== undefined }
    }),
  )
  for (const { number, shopperId, hasUnits, isOffered } of shoppers) {
    if (hasUnits) continue
    if (!random.chance(isOffered ? 0.5 : 0.2) || !(await gate.has(phone, shopperId, undefined))) continue
    const open = (await allOffers(rig.table, phone)).find((one) => one.shopperId === shopperId)
    if (open === undefined || open.endedAt !== undefined) broken.push(`${number} bought without an offer`)
    try {
      await buy(play, number, false)
    } catch (error) {
      if (!/got (?:sold-out|limit-reached)/.test(String(error))) throw error
      if (isOffered) broken.push(`${number} has an offer and got ${String(error)}`)
    }
  }
}

/** What must hold after each look. */
async function look(play: Play): Promise<void> {
  const { rig, redis, stock, ranks, buyers, broken, backAt, idleMs } = play
  const state = await readDrawState(rig.table, phone)
  const numbers = [...new Set(buyers.map(({ number }) => number))]
  const held = await Promise.all(numbers.map((number) => ordersOfShopper(redis, phone, shopperIdOf(number))))
  const sold = held.flat().reduce((sum, { quantity }) => sum + quantity, 0)
  if (sold > stock) broken.push(`${sold} of ${stock} units are sold`)
  const offers = await allOffers(rig.table, phone)
  const offered = offers.map(({ shopperId }) => ranks.get(shopperId) ?? 0).toSorted((a, b) => a - b)
  if (offered.some((rank, n) => rank !== n + 1)) broken.push(`the ranks ${offered.join()} were offered a unit`)
  const waiting = ranks.size - offered.length
  if (state?.phase !== 'decided' || waiting === 0) {
    backAt.length = 0
    return
  }
  const open = offers.filter(({ endedAt }) => endedAt === undefined).map(({ shopperId }) => shopperId)
  const orders = await ordersAmong(rig.table, phone, open)
  const unwritten = open.filter((shopperId) => orders.get(shopperId) !== 'standing').length
  const left = (await saleTotals(rig.table, phone))?.remaining ?? 0
  if (left > unwritten) broken.push(`${left - unwritten} units are idle, and ${waiting} shoppers wait`)
  for (const at of backAt.splice(0)) idleMs.push(rig.clock.now - at)
}
