/**
 * A sale that draws, from its first entry until no unit moves any more, over the real stores and a clock that the play moves.
 * Any call of a part may be throttled or lose its reply, a run may be killed, and a second one may come in the middle of it.
 * All chance follows from a seed.
 */
import type { OrderId, ShopperId } from '../../../../core/ids.ts'
import type { LifeEvent } from '../../../../core/orders/order-life.ts'
import { listMember } from '../../../../core/sale/invited.ts'
import { allUnits, sumByVariant, type VariantUnits } from '../../../../core/sale/variants.ts'
import { plusParts } from '../../../../core/stock/divided-units.ts'
import { createMembers } from '../../../../edge/memory/members.ts'
import { changeOrder } from '../../../../functions/orders/change-orders.ts'
import { openRandom, type Random } from '../../../../proof/simulation/engine/random.ts'
import { isMember, readMembers } from '../../../../redis/gate/members.ts'
import { lockKey } from '../../../../redis/keys.ts'
import { ordersOfShopper } from '../../../../redis/stock/stock.ts'
import { raw, saleIdOf, shopperIdOf } from '../../../../test/redis/support.ts'
import type { OwnRedis } from '../../../../test/redis/test-store.ts'
import { type World, world } from '../../../../test/world/world.ts'
import { checkDraw } from '../../core/check-draw.ts'
import { fileLines, readLine, stepLine } from '../../core/rules.ts'
import { advanceDraws, delistingMs, graceMs, verifyRoundCached } from '../../functions/advance-draws.ts'
import { type DrawFiles, listDelayMs } from '../../functions/draw-of-sale.ts'
import { changeEntry, viewEntry } from '../../functions/entries/handlers.ts'
import { allOffers, type HeldOffer, readDrawState } from '../../functions/table.ts'
import { storeDrawKeys } from '../../proof/simulated-draws.ts'
import { beaconOfTest } from './beacon-of-test.ts'
import { drawFilesIn } from './draw-files.ts'

const phone = saleIdOf('phone')
const minute = 60_000
const hour = 60 * minute
const claimMs = hour

/** The result of a play. `idleMs` are the times from the removal of a shopper from the list to the end of the offer, in a play without faults. */
export type PlayedDraw = { broken: string[]; offers: number; returned: number; idleMs: number[] }

/** The fate of an order: of ten, four are never paid, one is cancelled, one refunded, and four stay. */
type Fate = 'unpaid' | 'cancelled' | 'refunded' | 'kept'
const fates: ReadonlyMap<Fate, number> = new Map([
  ...([['unpaid', 4]] as const),
  ...(['cancelled', 'refunded'] as const).map((fate) => [fate, 1] as const),
  ['kept', 4],
])

type Shopper = {
  number: number
  id: ShopperId
  orders: number
  /** The variant of the next click. */
  variant?: string | undefined
  order?: { id: OrderId; fate: Fate; at: number; isPaid?: true; isWritten?: true }
  lastEnd?: Exclude<Fate, 'kept'>
  clicksAt?: number
}

type Play = {
  rig: World
  redis: OwnRedis
  random: Random
  shoppers: Shopper[]
  /** The violations, in the order in which they were found. */
  broken: string[]
  stock: number
  /** The units of each variant by its id; undefined in a sale without variants. */
  units: VariantUnits | undefined
  now0: number
  faults: { rate: number; second: number }
  published: Map<string, Uint8Array>
  receipts: string[]
  draws: ReturnType<typeof openDraws>
}

class Throttled extends Error {
  override name = 'ProvisionedThroughputExceededException'
}

/** The functions of the draw, each run of which is a process of its own. */
function openDraws({ rig, redis, random, faults, published }: Omit<Play, 'draws'>) {
  let isSecond = false
  let made = 0

  /** The parts of one run. */
  function process() {
    const run = { isDead: false }
    const renewals = new Set<() => void>()
    const faulty =
      <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (!isSecond && random.chance(faults.second)) await runAnother(renewals)
        if (run.isDead) throw new Throttled('the run is dead')
        const fault = random.chance(faults.rate) ? random.pick(['refused', 'lost', 'killed'] as const) : undefined
        if (fault === 'refused') throw new Throttled('refused')
        const answer = await call(...args)
        if (fault === 'killed') run.isDead = true
        if (fault !== undefined) throw new Throttled(fault)
        return answer
      }
    const send = faulty((command: object) => (rig.table.client.send as (command: object) => Promise<object>)(command))
    const store = { exec: faulty((command: Parameters<OwnRedis['exec']>[0]) => redis.exec(command)) }
    const { read, write } = drawFilesIn(published)
    const files: DrawFiles = { read: faulty(read), write: faulty(write) }
    const ports = {
      ...rig.ports,
      table: { ...rig.ports.table, client: { send } as typeof rig.ports.table.client },
      gate: store,
      stock: store,
      filesOf: () => files,
      beacon: beaconOfTest(() => rig.clock.now),
      newId() {
        made += 1
        return `run-${made}`
      },
      every(_: number, task: () => void) {
        renewals.add(task)
        return () => void renewals.delete(task)
      },
    }
    return { ports }
  }

  /** A second run in the middle of the first one, which may have lost its lock with the gate's store, and knows it then. */
  async function runAnother(renewals: ReadonlySet<() => void>): Promise<void> {
    isSecond = true
    if (renewals.size > 0 && random.chance(0.3)) {
      await raw(redis, 'DEL', lockKey(phone))
      for (let turn = 0; turn < 5; turn += 1) {
        for (const renew of renewals) renew()
        await redis.settled()
      }
    }
    await advance()
    isSecond = false
  }

  /** One run of the schedule, which looks for so long. A lock that it could not give back expires before the next one. */
  async function advance(forMs = 0): Promise<void> {
    const { ports } = process()
    try {
      await advanceDraws(ports, rig.clock.now + forMs)
    } catch (error) {
      if (!(error instanceof Error) || faults.rate === 0) throw error
    }
    await raw(redis, 'DEL', lockKey(phone))
  }

  return { advance, process }
}

export async function playDraw(redis: OwnRedis, seed: number): Promise<PlayedDraw> {
  const random = openRandom(seed)
  const rig = await world({ redis })
  const units = random.chance(0.5)
    ? { red: random.whole(0, 2), blue: random.whole(1, 2), gold: random.whole(0, 1) }
    : undefined
  const stock = units === undefined ? random.whole(1, 3) : allUnits(units)
  const shoppers = Array.from({ length: random.whole(1, 9) }, (_, n): Shopper => {
    return { number: n + 1, id: shopperIdOf(n + 1), orders: 0 }
  })
  const isCalm = random.chance(0.2)
  const faults = isCalm ? { rate: 0, second: 0 } : { rate: random.pick([0.01, 0.05, 0.15]), second: 0.01 }
  const begun = {
    rig,
    redis,
    random,
    shoppers,
    broken: [],
    stock,
    units,
    now0: rig.clock.now,
    faults,
    published: new Map(),
    receipts: [],
  }
  const play: Play = { ...begun, draws: openDraws(begun) }
  await storeDrawKeys(rig.ports.table, phone, seed)
  await playEntries(play)
  await sell(play)
  const offers = await endDraw(play)
  const idleMs = offers.flatMap(({ endingAt = 0, endedAt }) => (endedAt === undefined ? [] : [endedAt - endingAt]))
  return { broken: play.broken, offers: offers.length, returned: idleMs.length, idleMs: isCalm ? idleMs : [] }
}

/** From the creation to the first offers. */
async function playEntries(play: Play): Promise<void> {
  const { rig, random, shoppers, now0, faults, draws, stock, units, receipts } = play
  const startsAt = now0 + hour + 3 * minute
  const draw = {
    opensAt: now0,
    closesAt: now0 + hour,
    claimSeconds: claimMs / 1000,
  }
  const variants = units && Object.entries(units).map(([id, stock]) => ({ id, name: id, stock }))
  const terms = {
    stock,
    limitPerShopper: 1,
    maxPerOrder: 1,
    startsAt,
    endsAt: now0 + 24 * hour,
    draw,
    ...(variants && { variants }),
  }
  const created = await rig.create(terms)
  if (created.status !== 201) throw new Error(`the sale was not created: ${JSON.stringify(created.body)}`)
  await rig.act('warm')
  await rig.act('start', { now: false })
  await draws.advance()
  await calmly(faults, () => draws.advance())
  for (let left = random.whole(0, 3 * shoppers.length); left > 0; left -= 1) {
    rig.clock.now += random.whole(0, (2 * hour) / (3 * shoppers.length))
    const shopper = random.pick(shoppers)
    const variant = units && random.pick(Object.keys(units))
    const wanted = random.chance(0.15) ? undefined : { ...(variant !== undefined && { variant }) }
    const { ports } = draws.process()
    const entered = await changeEntry(ports, phone, shopper.id, wanted).catch(throttled)
    if (entered?.kind === 'done' && 'receipt' in entered.view && entered.view.receipt)
      receipts.push(entered.view.receipt)
    if (random.chance(0.3)) await draws.advance()
  }
  for (const time of [now0 + hour + listDelayMs, now0 + hour + 2 * minute]) {
    rig.clock.now = Math.max(rig.clock.now, time)
    for (let n = 0; n < 3; n += 1) await draws.advance(2000)
    await calmly(faults, () => draws.advance(2000))
  }
  rig.clock.now = Math.max(rig.clock.now, startsAt)
  await rig.reconcile()
}

const throttled = (error: unknown) => {
  if (error instanceof Throttled || /unavailable|Unavailable|answer/.test(String(error))) return undefined
  throw error
}

async function calmly(faults: Play['faults'], run: () => Promise<void>): Promise<void> {
  const before = { ...faults }
  Object.assign(faults, { rate: 0, second: 0 })
  await run()
  Object.assign(faults, before)
}

/** Shoppers click, pay or do not, and units come back; what must hold is checked after each step. */
async function sell(play: Play): Promise<void> {
  const { rig, redis, random, shoppers, draws, broken, units } = play
  const gate = createMembers(
    { isMember: (saleId, shopperId, variant) => isMember(redis, saleId, shopperId, variant) },
    () => rig.clock.now,
    () => undefined,
  )
  for (let step = 0; step < 24; step += 1) {
    rig.clock.now += random.pick([500, 1000, 3000, 8000, minute, 10 * minute, 20 * minute])
    for (const shopper of shoppers) {
      if (shopper.clicksAt !== undefined && rig.clock.now >= shopper.clicksAt) await reserve(play, shopper)
      if (shopper.order === undefined && shopper.clicksAt === undefined && random.chance(0.3)) {
        const { ports } = draws.process()
        const seen = await viewEntry(ports, phone, shopper.id).catch(throttled)
        const offer = seen?.offer
        // A program clicks without an offer, too, and at another variant.
        const isProgram = random.chance(0.2)
        const variant = isProgram ? units && random.pick(Object.keys(units)) : seen?.variant
        shopper.variant = variant
        // A click that the gate lets through is at the stock within three seconds.
        if ((isProgram || offer !== undefined) && (await gate.has(phone, shopper.id, shopper.variant)))
          shopper.clicksAt = rig.clock.now + random.whole(0, delistingMs - 5000)
      }
    }
    for (const shopper of shoppers) {
      if (shopper.clicksAt !== undefined) {
        rig.clock.now = Math.max(rig.clock.now, Math.min(shopper.clicksAt, rig.clock.now + 3000))
        await reserve(play, shopper)
      }
    }
    if (random.chance(0.7)) await deliver(play)
    await liveOn(play)
    await draws.advance(random.pick([0, 0, 15_000]))
    broken.push(...(await brokenNow(play)))
  }
}

async function reserve({ rig, random }: Play, shopper: Shopper): Promise<void> {
  delete shopper.clicksAt
  if (shopper.order !== undefined) return
  shopper.orders += 1
  try {
    const { variant } = shopper
    const id = await rig.buy(shopper.number, { order: shopper.orders, ...(variant && { variant }) })
    shopper.order = { id, fate: random.weighted(fates), at: rig.clock.now }
  } catch (error) {
    if (!/got (?:sold-out|limit-reached|ended)/.test(String(error))) throw error
  }
}

async function deliver({ rig, shoppers }: Play): Promise<void> {
  await rig.deliver()
  for (const { order } of shoppers) if (order !== undefined) order.isWritten = true
}

/** Every written order takes the step that is due. */
async function liveOn({ rig, shoppers, random }: Play): Promise<void> {
  const change = async (shopper: Shopper, event: LifeEvent): Promise<boolean> =>
    shopper.order !== undefined && (await changeOrder(rig.ports, shopper.order.id, event)).kind === 'moved'
  for (const shopper of shoppers) {
    const { order } = shopper
    if (order?.isWritten === undefined) continue
    const { fate, id } = order
    const money = { paymentId: `${id}.1`, amount: 10, currency: 'CNY' }
    if (fate !== 'unpaid' && fate !== 'cancelled' && !order.isPaid) {
      if (await change(shopper, { kind: 'payment-succeeded', ...money })) order.isPaid = true
      continue
    }
    if (fate === 'kept' || (fate !== 'unpaid' && random.chance(0.5))) continue
    const event = {
      unpaid: { kind: 'payment-window-over' },
      cancelled: { kind: 'cancelled-by-shopper' },
      refunded: { kind: 'refunded-by-marketer' },
    } as const
    if (!(await change(shopper, event[fate]))) continue
    shopper.lastEnd = fate
    delete shopper.order
  }
}

/** Returns the current violations: a unit that is sold twice, or an active order on an offer that has ended. */
async function brokenNow({ rig, redis, shoppers, stock, units }: Play): Promise<string[]> {
  const offers = await allOffers(rig.table, phone)
  const open = new Map(offers.filter(({ endedAt }) => endedAt === undefined).map((one) => [one.shopperId, one]))
  const standing = await Promise.all(
    shoppers.map(async ({ id }) => ({
      id,
      ...unitsIn(await ordersOfShopper(redis, phone, id)),
    })),
  )
  const byVariant = standing.reduce<VariantUnits>((sum, { byVariant: own }) => plusParts(sum, own), {})
  const sold = standing.reduce((sum, { units }) => sum + units, 0)
  return [
    ...(sold > stock ? [`${sold} of ${stock} units are sold`] : []),
    ...(open.size > stock ? [`${open.size} of ${stock} units are offered at a time`] : []),
    ...standing.filter(({ units }) => units > 1).map(({ id, units }) => `${id} has ${units} units`),
    ...standing
      .filter(({ id, units }) => units > 0 && !open.has(id))
      .map(({ id }) => `${id} has a unit on an offer that has ended`),
    ...standing
      .filter(({ id, byVariant: own }) => Object.keys(own).some((one) => one !== open.get(id)?.variant))
      .map(({ id, byVariant: own }) => `${id} has ${JSON.stringify(own)}, was offered ${open.get(id)?.variant}`),
    ...Object.entries(units ?? {})
      .filter(([id, some]) => (byVariant[id] ?? 0) > some)
      .map(([id, some]) => `${byVariant[id]} of ${some} units of ${id} are sold`),
  ]
}

/** Returns the units of a shopper's active orders. */
function unitsIn(orders: Awaited<ReturnType<typeof ordersOfShopper>>): { units: number; byVariant: VariantUnits } {
  const held = orders.filter(({ quantity }) => quantity > 0)
  return { units: held.reduce((sum, { quantity }) => sum + quantity, 0), byVariant: sumByVariant(held) }
}

/** Lets every offer and order come to its end without faults, and compares the whole draw with its rules. */
async function endDraw(play: Play): Promise<HeldOffer[]> {
  const { rig, shoppers, draws, faults, broken, receipts, published, stock } = play
  Object.assign(faults, { rate: 0, second: 0 })
  for (let round = 0; round < shoppers.length + 2; round += 1) {
    await deliver(play)
    await liveOn(play)
    const due = (await allOffers(rig.table, phone))
      .filter((one) => one.endedAt === undefined && one.boughtAt === undefined)
      .map(({ until }) => until + graceMs)
    rig.clock.now = Math.max(rig.clock.now + 16 * minute, ...due)
    await draws.advance(2 * delistingMs)
    broken.push(...(await brokenNow(play)))
  }
  const read = async (path: string) => published.get(path)
  const check = await checkDraw(read, { verifyRound: verifyRoundCached, known: { receipts } })
  broken.push(...check.faults.map(({ fault, detail }) => `a reader finds ${fault}: ${detail}`))
  const offers = await allOffers(rig.table, phone)
  if ((await readDrawState(rig.ports.table, phone))?.phase !== 'decided') return offers
  broken.push(...(await rankFaults(play, offers)))
  const standing = shoppers.filter(({ order }) => order !== undefined).length
  if (check.state !== 'drawn') broken.push(`the draw is ${check.state}`)
  if (standing > stock) broken.push(`${standing} orders of ${stock} units stand`)
  return offers
}

/**
 * Offers by the ranks that the entrants see, and by the returns that are published, in a second and simpler way: each entry of a
 * variant in turn, as soon as a unit of it is free.
 */
async function rankFaults(play: Play, offers: readonly HeldOffer[]): Promise<string[]> {
  const { shoppers, draws, published, stock, units } = play
  const { ports } = draws.process()
  const waiting: { id: ShopperId; variant: string; rank: number }[] = []
  for (const { id } of shoppers) {
    const seen = await viewEntry(ports, phone, id)
    if (seen?.state === 'entered' && seen.place !== undefined)
      waiting.push({ id, variant: seen.variant ?? '', rank: seen.place.rank })
  }
  waiting.sort((a, b) => a.rank - b.rank)
  const steps = fileLines(published.get('allocation.txt')).map((line) => readLine(stepLine, line)?.payload)
  const shopperOf = new Map(offers.map(({ entry, shopperId }) => [entry, shopperId]))
  const faults: string[] = []
  const offered = new Map<ShopperId, string>()
  const returned = new Set<number>()
  const free = new Map(Object.entries(units ?? { '': stock }))
  const change = (variant: string, by: number) => free.set(variant, (free.get(variant) ?? 0) + by)
  for (const step of steps) {
    if (step === undefined) return ['a step cannot be read']
    for (const event of step.number === 0 ? [undefined] : step.events) {
      if (event !== undefined) {
        const from = shopperOf.get(event.entry)
        change((from && offered.get(from)) ?? '', 1)
        if (returned.has(event.entry)) faults.push(`entry ${event.entry} came back twice`)
        returned.add(event.entry)
        const reason = shoppers.find(({ id }) => id === from)?.lastEnd ?? 'unclaimed'
        if (event.reason !== reason) faults.push(`${from} gave a unit back: ${event.reason}, not ${reason}`)
      }
      for (const { id, variant } of waiting) {
        if (offered.has(id) || (free.get(variant) ?? 0) === 0) continue
        change(variant, -1)
        offered.set(id, variant)
      }
    }
    const made = step.offered.reduce((sum, count) => sum + count, 0)
    if (made !== offered.size) faults.push(`after step ${step.number} ${made} were offered a unit, not ${offered.size}`)
  }
  const known = new Map(offers.map(({ shopperId, variant = '' }) => [shopperId, variant]))
  if (known.size !== offered.size || [...known].some(([id, variant]) => offered.get(id) !== variant))
    faults.push(`offers went to ${[...known].join()}, by rank to ${[...offered].join()}`)
  const memberOf = ({ shopperId, variant }: HeldOffer) => listMember(shopperId, variant)
  const members = await readMembers(play.redis, phone)
  const open = offers.filter(({ endedAt, endingAt }) => endedAt === undefined && endingAt === undefined)
  // Who ordered in the last seconds of an offer had left the list, and needs it no more.
  const unlisted = open.filter((one) => one.boughtAt === undefined && !members.includes(memberOf(one)))
  if (unlisted.length > 0) faults.push(`${unlisted.length} have an offer and are not listed`)
  const strangers = members.filter((member) => open.every((one) => memberOf(one) !== member))
  if (strangers.length > 0) faults.push(`${strangers.length} are listed without an offer`)
  return faults
}
