/** Plays one sale: a storm, then calm weather until all is at rest, then the rest of the stock is sold. */
import { parseSaleId } from '../core/ids.ts'
import type { SaleKind } from '../core/sale.ts'
import { fullBatch } from '../functions/orders/order-entry.ts'
import { cancelUnpaidOrders } from '../functions/orders/payment-timers.ts'
import { writeOrders } from '../functions/orders/write-orders.ts'
import { fullGroup } from '../functions/packets/credit.ts'
import { creditWallets } from '../functions/packets/credit-wallets.ts'
import { comeBy, knockAtTheWrongDoor } from './actors/crowd.ts'
import { drawEnds, sellTheRest } from './actors/ends.ts'
import { serveQueue } from './actors/event-source.ts'
import { insist, runTheSale } from './actors/marketer.ts'
import { everyMs, keepSchedule } from './actors/reconcile.ts'
import { drawScenes } from './actors/scenes.ts'
import { checkAtRest } from './checks/at-rest.ts'
import { unrest } from './checks/while-running.ts'
import type { Tally } from './engine/diary.ts'
import { rollDice, seedOf } from './engine/dice.ts'
import { openSimulation } from './engine/simulation.ts'
import { calm, clearUp, drawWeather } from './engine/weather.ts'
import type { Mutation } from './mutation.ts'
import type { RealRedis } from './parts/redis.ts'
import { drawKind, drawSale } from './sale.ts'
import { openWorld, type World } from './world.ts'

export type PlayedSale = {
  number: number
  violations: readonly string[]
  /** Every step, in the order they were taken. */
  lines: readonly string[]
  tally: Tally
  kind: SaleKind
  /** Orders and packets that somebody was told of, and those that Redis lost before anybody else knew of them. */
  promised: { orders: number; packets: number }
  excused: number
  /** How long after the storm nothing was on its way any more, in minutes of the sale. */
  restAfterMinutes: number
}

/** Any moment will do; it is the same for every sale. */
const start = Date.UTC(2030, 0, 1, 12)

/** How long a storm may keep a sale from being started: putting it on the shelf has many steps, and one of them fails. */
const startingMs = 120_000

/** Longer than everything that is due takes to come, in minutes. */
const restMinutes = 150

/** `kind` plays a sale of that kind, whatever the seed would choose. */
export type PlayOptions = { kind?: SaleKind; mutation?: Mutation }

/** Plays sale `number` of `seed`: the same one every time. */
export async function playSale(
  redis: RealRedis,
  seed: number,
  number: number,
  options: PlayOptions = {},
): Promise<PlayedSale> {
  const dice = rollDice(seedOf(seed, number))
  const drawn = drawKind(dice)
  const weather = calm()
  const simulation = openSimulation(dice, weather, start)
  const saleId = parseSaleId(`sale-${number}`)
  if (saleId === undefined) throw new Error('a sale needs an id')
  await redis.clear()
  const world = openWorld(simulation, { saleId, kind: options.kind ?? drawn }, redis, options.mutation)
  try {
    await simulation.run(() => play(world))
  } catch (error) {
    world.violated(`the run ended early: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const { violations, promises, packets } = world
  return {
    number,
    violations,
    lines: simulation.diary.lines,
    tally: simulation.diary,
    kind: world.kind,
    promised: { orders: promises.given.size, packets: packets.told() },
    excused: promises.excused.size + packets.excused.size,
    restAfterMinutes: world.restAfterMinutes,
  }
}

async function play(world: World): Promise<void> {
  const { simulation, saleId, kind, functions, queues } = world
  const { dice, weather, serve, spawn, sleep, now } = simulation
  const definition = drawSale(dice, kind, saleId, now())
  let isStarted = false
  if (dice.chance(0.3)) {
    Object.assign(weather, drawWeather(dice))
    serve('sky', async () => {
      await sleep(startingMs)
      if (!isStarted) clearUp(weather)
    })
  }
  await insist(world, 'sales', definition)
  while ((await world.sale()).flag !== 'on') await insist(world, `sales/${saleId}/start`, { now: true })
  isStarted = true
  for (const receiver of [1, 2]) {
    serve(`orders-${receiver}`, () =>
      serveQueue(simulation, queues.orders, functions.writeOrders, fullBatch, writeOrders),
    )
    serve(`claims-${receiver}`, () =>
      serveQueue(simulation, queues.claims, functions.creditWallets, fullGroup, creditWallets),
    )
    serve(`timers-${receiver}`, () =>
      serveQueue(simulation, queues.deadlines, functions.cancelUnpaid, 10, cancelUnpaidOrders),
    )
  }
  serve('schedule', () => keepSchedule(world))

  Object.assign(weather, drawWeather(dice))
  const sale = await world.sale()
  for (let left = dice.whole(2, 20); left > 0; left -= 1) comeBy(world, sale, { isHurried: false })
  if (dice.chance(0.1)) spawn('stranger', () => knockAtTheWrongDoor(world))
  spawn('marketer', () => runTheSale(world))
  for (const { afterMs, scene } of drawScenes(dice, kind)) {
    spawn('scene', async () => {
      await sleep(afterMs)
      if (weather.rate > 0) await scene(world)
    })
  }
  await sleep(dice.spread(20_000, 400_000))
  clearUp(weather)
  simulation.diary.write('main', 'the weather clears up')

  if (!(await comesToRest(world))) return
  await simulation.aside(() => checkAtRest(world, { isOver: false }))
  for (const end of kind === 'red-packet' ? drawEnds(dice) : [sellTheRest]) {
    if (!(await end(world)) || !(await comesToRest(world))) return
    await simulation.aside(() => checkAtRest(world, { isOver: true }))
  }
}

async function comesToRest(world: World): Promise<boolean> {
  const { simulation } = world
  let left: string[] = []
  let quietFor = 0
  // Between two runs of the schedule.
  await simulation.sleep(everyMs - (simulation.now() % everyMs) + everyMs / 2)
  for (let minute = 0; minute < restMinutes; minute += 1) {
    await simulation.sleep(everyMs)
    left = await simulation.aside(() => unrest(world))
    if (left.length > 0) world.restAfterMinutes = Math.max(world.restAfterMinutes, minute + 2)
    quietFor = left.length === 0 ? quietFor + 1 : 0
    // A comparison of every hold comes once in ten minutes, and what a clock that lags told nobody once in each.
    if (quietFor > 1 && minute > 20) return true
  }
  world.violated(`no rest: ${left.join(', ')}`)
  return false
}
