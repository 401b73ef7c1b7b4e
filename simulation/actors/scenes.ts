/** What befalls a whole part at once: it is unavailable for a while, or it loses what it knew. */
import { settledAfterMs } from '../../core/admission.ts'
import type { SaleKind } from '../../core/sale.ts'
import type { Dice } from '../engine/dice.ts'
import type { Part } from '../engine/weather.ts'
import type { World } from '../world.ts'
import { comeBy } from './crowd.ts'
import { fallBack, lose } from './losses.ts'
import { command } from './marketer.ts'

type Scene = (world: World) => Promise<void>

const scenes: readonly Scene[] = [
  (world) => darken(world, ['stock']),
  (world) => darken(world, ['stock', 'gate']),
  (world) => darken(world, ['gate']),
  (world) => darken(world, ['sqs']),
  (world) => darken(world, ['table']),
  (world) => darken(world, ['provider']),
  (world) => darken(world, ['site']),
  (world) => holdUp(world, 'busy'),
  (world) => holdUp(world, 'refused'),
  poison,
  strayMoney,
  (world) => lose(world, ['gate']),
  (world) => fallBack(world, 'gate'),
]

/** Redis forgets what it said yes to; the table then has to refuse some of it. */
const losses: readonly Scene[] = [
  (world) => lose(world, ['counters']),
  (world) => lose(world, ['stock']),
  (world) => lose(world, ['stock', 'gate']),
  loseWhileNothingIsWritten,
  loseWhileNothingIsWritten,
  // As often as all others: nothing tells Redis, or anybody, that it happened.
  ...Array.from({ length: 3 }, (): Scene => (world) => fallBack(world, 'stock')),
]

/** Red packets lie beside their counters, and so do their claims. */
const packetLosses: readonly Scene[] = [
  ...losses,
  (world) => lose(world, ['packets']),
  (world) => lose(world, ['buyers']),
  (world) => lose(world, ['outbox']),
]

/** What matters of a claim happens in a few seconds, so what keeps it from its wallet has to come more often. */
const packetScenes: readonly Scene[] = [
  ...scenes,
  ...Array.from({ length: 3 }, (): Scene => (world) => darken(world, ['sqs'])),
  repairInVain,
  repairInVain,
]

/** What befalls a sale, and when. In half of all sales Redis keeps its data, and in a quarter of those of red packets. */
export function drawScenes(dice: Dice, kind: SaleKind): readonly { afterMs: number; scene: Scene }[] {
  const isRain = kind === 'red-packet'
  const drawn = Array.from({ length: dice.whole(0, 3) }, () => ({
    afterMs: dice.spread(2, 60_000),
    scene: dice.pick(isRain ? packetScenes : scenes),
  }))
  // Early, because what is lost is only missed while people still want to buy.
  const loss = { afterMs: dice.spread(1, 3000), scene: dice.pick(isRain ? packetLosses : losses) }
  return dice.chance(isRain ? 0.75 : 0.5) ? [...drawn, loss] : drawn
}

async function darken({ simulation }: World, parts: readonly Part[]): Promise<void> {
  const { weather, dice, diary, sleep } = simulation
  diary.write('scene', `${parts.join(' and ')} unavailable`)
  for (const part of parts) weather.unavailable.add(part)
  await sleep(dice.spread(500, 60_000))
  for (const part of parts) weather.unavailable.delete(part)
  diary.write('scene', `${parts.join(' and ')} back`)
}

/** What is there can be read, and nothing is written. */
async function holdUp({ simulation }: World, fault: 'busy' | 'refused'): Promise<void> {
  const { weather, dice, diary, sleep } = simulation
  diary.write('scene', `every transaction is ${fault}`)
  weather.transactions = fault
  await sleep(dice.spread(500, 20_000))
  weather.transactions = undefined
  diary.write('scene', 'the table is quick again')
}

/** Somebody presses the button that repairs while nothing is written. */
async function repairInVain(world: World): Promise<void> {
  const { dice, sleep } = world.simulation
  const press = async () => {
    for (let presses = dice.whole(1, 3); presses > 0; presses -= 1) {
      await sleep(dice.spread(10, 3000))
      await command(world, `sales/${world.saleId}/recover`)
    }
  }
  await Promise.all([holdUp(world, 'refused'), press()])
}

/**
 * Redis is lost while orders or claims wait in the queue, and nothing is written until long after the sale was rebuilt and others have
 * bought.
 */
async function loseWhileNothingIsWritten(world: World): Promise<void> {
  const { simulation, queues, kind } = world
  const { weather, dice, sleep, spawn } = simulation
  weather.transactions = 'busy'
  const queue = kind === 'red-packet' ? queues.claims : queues.orders
  // Before that the gate's store does not know how many were claimed, and everything is held back.
  if (kind === 'red-packet' && dice.chance(0.5)) await sleep(dice.spread(settledAfterMs, 2 * settledAfterMs))
  for (let left = 40; left > 0 && queue.bodies().length < 2; left -= 1) await sleep(500)
  spawn('caller', async () => {
    for (let presses = 4; presses > 0; presses -= 1) {
      await sleep(dice.spread(100, 8000))
      await command(world, `sales/${world.saleId}/recover`)
    }
  })
  await lose(world, ['stock'], 100)
  // Their packets must be others than those of the claims that wait.
  if (kind === 'red-packet') await newcomers(world)
  await sleep(dice.spread(10_000, 40_000))
  weather.transactions = undefined
}

async function newcomers(world: World): Promise<void> {
  const sale = await world.sale()
  for (let left = world.simulation.dice.whole(4, 12); left > 0; left -= 1) {
    comeBy(world, sale, { isHurried: false })
  }
}

/** Messages that nothing can be made of, in every queue. */
async function poison({ simulation, queues, saleId, kind }: World): Promise<void> {
  const { dice, diary } = simulation
  const message = {
    orderId: `${saleId}-${'p'.repeat(26)}`,
    saleId,
    shopperId: 'poisoner',
    quantity: 1,
    epoch: 1,
    reservedAt: 1,
    requestId: 'r',
  }
  const orders = [
    'no JSON',
    '{}',
    JSON.stringify({ ...message, quantity: -1 }),
    JSON.stringify({ ...message, saleId: 'another-sale' }),
    JSON.stringify({ ...message, extra: true }),
  ]
  const timers = ['no JSON', '{"orderIds":[],"at":1}', JSON.stringify({ orderIds: [message.orderId], at: 1 })]
  const claim = { saleId, shopperId: 'poisoner', packet: 0, amount: 1, claimedAt: 1, requestId: 'r' }
  const claims = [
    'no JSON',
    '{}',
    JSON.stringify({ ...claim, amount: 0 }),
    JSON.stringify({ ...claim, saleId: 'another-sale' }),
    JSON.stringify({ ...claim, extra: true }),
    ...(kind === 'red-packet' ? [] : [JSON.stringify(claim)]),
  ]
  for (let left = dice.whole(1, 5); left > 0; left -= 1) {
    queues.orders.put(dice.pick(orders))
    queues.deadlines.put(dice.pick(timers))
    queues.claims.put(dice.pick(claims))
    for (const name of ['orders', 'deadlines', 'claims']) diary.strikes(`sqs ${name}`, 'poison')
  }
}

/** Somebody pays for an order that there never was. */
async function strayMoney({ simulation, provider, saleId }: World): Promise<void> {
  const { dice, now } = simulation
  const orderId = `${saleId}-${'s'.repeat(26)}`
  const paymentId = `stray-${dice.whole(1, 1e9)}`
  provider.stray({ paymentId, orderId, amount: dice.whole(1, 5000), currency: 'EUR', until: now() })
}
