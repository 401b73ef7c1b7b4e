/** What befalls a whole part at once: it is dark for a while, or it loses what it knew. */
import type { Dice } from '../engine/dice.ts'
import type { Part } from '../engine/weather.ts'
import type { World } from '../world.ts'
import { fallBack, lose } from './losses.ts'

type Scene = (world: World) => Promise<void>

const scenes: readonly Scene[] = [
  (world) => darken(world, ['stock']),
  (world) => darken(world, ['stock', 'gate']),
  (world) => darken(world, ['gate']),
  (world) => darken(world, ['sqs']),
  (world) => darken(world, ['table']),
  (world) => darken(world, ['provider']),
  (world) => darken(world, ['site']),
  throttle,
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
  // As often as all others: nothing tells Redis, or anybody, that it happened.
  ...Array.from({ length: 3 }, (): Scene => (world) => fallBack(world, 'stock')),
]

/** What befalls a sale, and when. In half of all sales Redis keeps its data. */
export function drawScenes(dice: Dice): readonly { afterMs: number; scene: Scene }[] {
  const drawn = Array.from({ length: dice.whole(0, 3) }, () => ({
    afterMs: dice.spread(2, 60_000),
    scene: dice.pick(scenes),
  }))
  // Early, because what is lost is only missed while people still want to buy.
  const lost = dice.chance(0.5) ? [{ afterMs: dice.spread(1, 3000), scene: dice.pick(losses) }] : []
  return [...drawn, ...lost]
}

async function darken({ simulation }: World, parts: readonly Part[]): Promise<void> {
  const { weather, dice, diary, sleep } = simulation
  diary.write('scene', `${parts.join(' and ')} dark`)
  for (const part of parts) weather.dark.add(part)
  await sleep(dice.spread(500, 60_000))
  for (const part of parts) weather.dark.delete(part)
  diary.write('scene', `${parts.join(' and ')} back`)
}

async function throttle({ simulation }: World): Promise<void> {
  const { weather, dice, diary, sleep } = simulation
  diary.write('scene', 'the table is throttled')
  weather.throttled = true
  await sleep(dice.spread(500, 20_000))
  weather.throttled = false
  diary.write('scene', 'the table is quick again')
}

/** Messages that nothing can be made of, in both queues. */
async function poison({ simulation, queues, saleId }: World): Promise<void> {
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
  for (let left = dice.whole(1, 5); left > 0; left -= 1) {
    queues.orders.put(dice.pick(orders))
    queues.deadlines.put(dice.pick(timers))
    diary.strikes('sqs orders', 'poison')
    diary.strikes('sqs deadlines', 'poison')
  }
}

/** Somebody pays for an order that there never was. */
async function strayMoney({ simulation, provider, saleId }: World): Promise<void> {
  const { dice, now } = simulation
  const orderId = `${saleId}-${'s'.repeat(26)}`
  const paymentId = `stray-${dice.whole(1, 1e9)}`
  provider.stray({ paymentId, orderId, amount: dice.whole(1, 5000), currency: 'EUR', until: now() })
}
