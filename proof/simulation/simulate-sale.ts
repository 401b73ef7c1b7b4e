/**
 * Simulates one sale: a phase with faults, a phase without faults until the sale is at rest, then the sale of the
 * remaining stock. Some sales are visited afterwards, with faults again.
 */
import { parseSaleId } from '../../core/ids.ts'
import { eachOf } from '../../core/lib/fold.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { SaleDefinition } from '../../core/sale/sale.ts'
import { handlePaymentTimers } from '../../functions/orders/cancel-unpaid.ts'
import { writeOrders } from '../../functions/orders/write-orders.ts'
import { fullBatch } from '../../functions/table/orders/order-entry.ts'
import { proofs } from '../../options/registry/proofs.ts'
import { wakingQueues } from '../../system/queues.ts'
import { addShopper, requestWrongKind } from './actors/arrivals.ts'
import { runCustomers } from './actors/customers.ts'
import { drawEnds, sellRemaining } from './actors/ends.ts'
import { serveQueue } from './actors/event-source.ts'
import { drawIncidents } from './actors/incidents.ts'
import { runMarketer, sendCommandUntilFinal } from './actors/marketer.ts'
import { runSchedule, runWakeups, scheduleEveryMs } from './actors/reconcile.ts'
import { runStaffOrders, runWarehouse } from './actors/staff.ts'
import { startVisits } from './actors/visits.ts'
import { checkAtRest } from './checks/at-rest.ts'
import { pendingWork } from './checks/pending-work.ts'
import { checkViews } from './checks/views.ts'
import { drawFaultProfile, endFaults, noFaults } from './engine/faults.ts'
import { openRandom, type Random, seedOf } from './engine/random.ts'
import { openSimulation } from './engine/simulation.ts'
import type { FaultCounts } from './engine/trace.ts'
import type { Mutation } from './mutation.ts'
import type { OptionCounts, SimulatedOption } from './option.ts'
import type { RealRedis } from './parts/redis.ts'
import { drawKind, drawSale, drawShards, drawVariants, maxUnwanted, withCheckout, withVariants } from './sale.ts'
import { openSaleWorld, type World } from './world.ts'

export type SimulatedSale = Awaited<ReturnType<typeof simulateSale>>

/** An arbitrary time, the same for every sale. */
const start = Date.UTC(2030, 0, 1, 12)

/** Limit of faults during the start: warming takes many steps, and any of them may fail. */
const startingMs = 120_000

/** Longer than all scheduled work, minutes. */
const restMinutes = 150

/**
 * Each setting overrides what the seed draws. `isSplit` and `option` (a name, or `none`) apply to goods and coupons,
 * `hasVariants` and `hasCheckout` to goods, `hasCustomers` to goods and coupons. A stock is split and has variants only
 * with both settings. A sale with an option is not split, and its variants come from the option.
 */
export type SimulateOptions = {
  kind?: SaleKind
  isSplit?: boolean
  hasVariants?: boolean
  hasCheckout?: boolean
  option?: string
  hasCustomers?: boolean
  mutation?: Mutation
}

/** Each of these decisions has its own random stream, so that it does not change other draws. */
const shardStream = 0x5a1e

const variantStream = 0x7a91

/** The share of sales of goods with shipments. */
const shippedRate = 0.25
const shippedStream = 0x0b0c

/** The share of sales of goods that are paid in the checkout of the shop. */
const checkoutRate = 0.25
const checkoutStream = 0xca27

/** The share of sales of goods and coupons with customers of the shop. */
const customersRate = 0.25
const customersStream = 0xc057

/** The share of sales that are visited afterwards. */
const visitedRate = 0.4
const visitedStream = 0x5ee4

/** Simulates sale `number` of `seed`, identically every time. */
export async function simulateSale(redis: RealRedis, seed: number, number: number, options: SimulateOptions = {}) {
  const random = openRandom(seedOf(seed, number))
  const drawn = drawKind(random)
  const profile = noFaults()
  const simulation = openSimulation(random, profile, start)
  const saleId = parseSaleId(`sale-${number}`)
  if (saleId === undefined) throw new Error('a sale needs an id')
  await redis.clear()
  const kind = options.kind ?? drawn
  const shards =
    kind === 'red-packet' || isNamed(options.option) || (options.hasVariants && !options.isSplit)
      ? 1
      : drawShards(openRandom(seedOf(seed ^ shardStream, number)), options.isSplit)
  const isPlain = shards === 1 && !options.isSplit && !options.hasVariants
  const ownSeed = seedOf(seed, number)
  const randomOf = ({ stream }: SimulatedOption<World>) => openRandom(seedOf(seed ^ stream, number))
  const mayHave = isPlain && kind !== 'red-packet'
  const chosen = mayHave ? allOptions.find((one) => isChosen(one, options.option, randomOf(one))) : undefined
  const world = openSaleWorld(simulation, { saleId, kind, shards }, redis, {
    mutation: options.mutation,
    openOption: chosen && ((parts) => chosen.open({ ...parts, random: randomOf(chosen), seed: ownSeed })),
  })
  const { option } = world
  try {
    const isShipped = kind === 'goods' && openRandom(seedOf(seed ^ shippedStream, number)).chance(shippedRate)
    const vary = option?.vary ?? drawDivision(openRandom(seedOf(seed ^ variantStream, number)), world, options)
    await option?.prepare()
    const isVisited = openRandom(seedOf(seed ^ visitedStream, number)).chance(visitedRate)
    const inShop =
      kind === 'goods' &&
      (options.hasCheckout ??
        openRandom(seedOf(seed ^ checkoutStream, number)).chance(chosen?.checkoutRate ?? checkoutRate))
    const hasCustomers =
      kind !== 'red-packet' &&
      option === undefined &&
      (options.hasCustomers ?? openRandom(seedOf(seed ^ customersStream, number)).chance(customersRate))
    const define: Vary = (sale) => (inShop ? withCheckout(vary(sale)) : vary(sale))
    await simulation.run(() => play(world, { isShipped, isVisited, hasCustomers, vary: define }))
  } catch (error) {
    world.violated(`the run ended early: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const { violations, reservations, packets } = world
  return {
    number,
    violations: violations as readonly string[],
    /** The trace: every step, in order. */
    lines: simulation.trace.lines as readonly string[],
    tally: simulation.trace as FaultCounts,
    kind: world.kind,
    shards: await world.stocks.shardCount(saleId),
    variants: world.truth.sale(saleId)?.sale.variants?.length ?? 0,
    option: chosen?.name,
    counts: (await option?.counts(world)) ?? ({} as OptionCounts),
    /** Orders and packets from answers to shoppers; `excused` were lost with Redis before they were recorded elsewhere. */
    answered: { orders: reservations.reserved.size, packets: packets.answeredCount() },
    excused: [...reservations.lost].filter(reservations.isExcused).length + packets.excused.size,
    /** Minutes from the end of the faults until the sale was at rest, in virtual time. */
    restAfterMinutes: world.restAfterMinutes,
  }
}

/** The simulated parts of all options. */
export const allOptions: readonly SimulatedOption<World>[] = eachOf(proofs, 'simulated')

const isNamed = (wanted: string | undefined) => allOptions.some(({ name }) => name === wanted)

const isChosen = ({ name, rate }: SimulatedOption<World>, wanted: string | undefined, random: Random) =>
  wanted === undefined ? random.chance(rate) : wanted === name

/** Adds variants, checkout or an option to a sale. */
type Vary = (sale: SaleDefinition) => SaleDefinition

function drawDivision(random: Random, { kind, shards }: World, { isSplit, hasVariants }: SimulateOptions): Vary {
  const mayHave = shards === 1 || (isSplit && hasVariants)
  const ids = kind === 'goods' && mayHave ? drawVariants(random, hasVariants) : []
  return (sale) => withVariants(random, sale, { ids, more: random.chance(0.5) ? maxUnwanted : 0 })
}

type Drawn = {
  isShipped: boolean
  isVisited: boolean
  hasCustomers: boolean
  vary: Vary
}

async function play(world: World, { isShipped, isVisited, hasCustomers, vary }: Drawn): Promise<void> {
  const { simulation, saleId, kind, shards, option, functions, queues, wakes } = world
  const { random, profile, serve, spawn, sleep, now } = simulation
  const definition = vary(drawSale(random, { kind, saleId, shards }, now()))
  let isStarted = false
  if (random.chance(0.3)) {
    Object.assign(profile, drawFaultProfile(random))
    serve('end of faults', async () => {
      await sleep(startingMs)
      if (!isStarted) endFaults(profile)
    })
  }
  if (option !== undefined) await option.start(world, definition)
  else {
    await sendCommandUntilFinal(world, 'sales', definition)
    while ((await world.sale()).flag !== 'on')
      await sendCommandUntilFinal(world, `sales/${saleId}/start`, { now: true })
  }
  isStarted = true
  for (const receiver of [1, 2]) {
    serve(`orders-${receiver}`, () =>
      serveQueue(simulation, queues.orders, functions.writeOrders, { batchSize: fullBatch, consume: writeOrders }),
    )
    serve(`timers-${receiver}`, () =>
      serveQueue(simulation, queues.deadlines, functions.cancelUnpaid, { batchSize: 10, consume: handlePaymentTimers }),
    )
  }
  if (option === undefined) {
    serve('schedule', () => runSchedule(world))
    const { batchSize } = wakingQueues.wake
    serve('wakes', () => serveQueue(simulation, wakes, functions.reconcile, { batchSize, consume: runWakeups }))
  }
  if (option !== undefined) serve('watcher', () => option.watch(world))

  Object.assign(profile, (option?.faultProfile ?? drawFaultProfile)(random))
  const sale = await world.sale()
  for (let left = random.whole(2, 20); left > 0; left -= 1) addShopper(world, sale, { isHurried: false })
  if (random.chance(0.1)) spawn('stranger', () => requestWrongKind(world))
  spawn('marketer', () => runMarketer(world))
  // Orders by staff bypass the gate, and would take units of shoppers on the list.
  if (kind !== 'red-packet' && random.chance(0.3) && option === undefined) spawn('staff', () => runStaffOrders(world))
  if (isShipped) spawn('warehouse', () => runWarehouse(world))
  if (hasCustomers) spawn('shop', () => runCustomers(world, sale))
  for (const { afterMs, incident } of drawIncidents(world, sale)) {
    spawn('incident', async () => {
      await sleep(afterMs)
      if (profile.rate > 0) await incident(world)
    })
  }
  await sleep(option === undefined ? random.spread(20_000, 400_000) : random.whole(...option.faultsMs))
  endFaults(profile)
  simulation.trace.write('main', 'the faults end')

  if (!(await comesToRest(world))) return
  await simulation.runExclusively(() => checkAtRest(world, { isOver: false }))
  for (const end of endsOf(world)) {
    if (!(await end(world)) || !(await comesToRest(world))) return
    await simulation.runExclusively(() => checkAtRest(world, { isOver: true }))
  }
  if (isVisited) await playVisits(world)
}

/** Returns the steps that end the sale. Remaining units of a sale with an option are not sold to other shoppers. */
function endsOf({ simulation: { random }, kind, option }: World) {
  if (kind === 'red-packet') return drawEnds(random)
  return option === undefined ? [sellRemaining] : []
}

async function playVisits(world: World): Promise<void> {
  const { simulation } = world
  const { random, profile, sleep, trace } = simulation
  Object.assign(profile, drawFaultProfile(random))
  trace.write('main', 'the sale is visited')
  startVisits(world)
  await sleep(random.spread(20_000, 120_000))
  endFaults(profile)
  trace.write('main', 'the faults end')
  if (!(await comesToRest(world))) return
  for (const sale of [world, ...world.others]) {
    await simulation.runExclusively(() => checkAtRest(sale, { isOver: false }))
  }
  await checkViews(world)
}

async function comesToRest(world: World): Promise<boolean> {
  const { simulation } = world
  let left: string[] = []
  let quietFor = 0
  // Starts between two runs of the schedule.
  await simulation.sleep(scheduleEveryMs - (simulation.now() % scheduleEveryMs) + scheduleEveryMs / 2)
  for (let minute = 0; minute < restMinutes; minute += 1) {
    await simulation.sleep(scheduleEveryMs)
    left = await simulation.runExclusively(async () => {
      const sales = [world, ...world.others]
      return (await Promise.all(sales.map(pendingWork))).flat()
    })
    if (left.length > 0) world.restAfterMinutes = Math.max(world.restAfterMinutes, minute + 2)
    quietFor = left.length === 0 ? quietFor + 1 : 0
    // A full comparison runs every ten minutes, and repairs reports that skewed clocks prevented.
    if (quietFor > 1 && minute > 20) return true
  }
  world.violated(`not at rest: ${left.join(', ')}`)
  return false
}
