/** Redis loses what it knew, or goes back to an older state of it; nobody tells it. */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { readStock } from '../../../redis/stock.ts'
import type { Losable } from '../parts/redis.ts'
import type { World } from '../world.ts'
import { command } from './marketer.ts'
import { drawIntent, shop } from './shopper.ts'

/** A restart without a file. */
export async function lose(world: World, what: readonly Losable[]): Promise<void> {
  const { redis, saleId, simulation } = world
  await simulation.sleep(simulation.dice.spread(10, 40_000))
  await simulation.aside(async () => {
    for (const one of what) await forget(world, one, () => redis.lose(saleId, one))
    await redis.forgetScripts()
  })
  simulation.diary.strikes(what.join(' and '), 'lost')
  simulation.diary.write('scene', `Redis loses ${what.join(' and ')}`)
  await stir(world)
}

/** A replica that was behind takes over. */
export async function fallBack(world: World, what: Losable): Promise<void> {
  const { redis, saleId, simulation } = world
  const { dice, diary, sleep, aside } = simulation
  await aside(() => redis.keepCopy(saleId, what))
  diary.write('scene', `the replica of ${what} stands still`)
  await sleep(dice.spread(100, 20_000))
  // The worst moment is when everything is promised to somebody.
  for (let left = dice.pick([0, 40, 40, 40]); left > 0 && (await available(world)) > 0; left -= 1)
    await sleep(500)
  await aside(async () => {
    await forget(world, what, () => redis.fallBack(saleId, what))
    await redis.forgetScripts()
  })
  diary.strikes(what, 'older')
  diary.write('scene', `Redis falls back to an older ${what}`)
  await stir(world)
}

/** Word gets round: a crowd comes back to buy, and several people press the button that repairs. */
async function stir(world: World): Promise<void> {
  const { dice, sleep, spawn } = world.simulation
  const sale = await world.sale()
  for (let left = dice.whole(3, 14); left > 0; left -= 1) {
    const drawn = drawIntent(dice, world.newShopper(), sale)
    const intent = {
      ...drawn,
      quantity: sale.maxPerOrder,
      arrivesAfterMs: dice.spread(1, 2000),
      patience: 3,
      passesGate: dice.chance(0.2),
    }
    spawn(intent.shopperId, () => shop(world, intent))
  }
  const noticedMs = dice.spread(1000, 40_000)
  for (let left = dice.whole(0, 4); left > 0; left -= 1) {
    spawn(`caller-${left}`, async () => {
      await sleep(noticedMs)
      for (let presses = dice.whole(1, 5); presses > 0; presses -= 1) {
        await sleep(dice.spread(10, 10_000))
        await command(world, `sales/${world.saleId}/recover`)
      }
    })
  }
}

async function forget(world: World, what: Losable, doIt: () => Promise<void>): Promise<void> {
  const before = await waiting(world)
  await doIt()
  if (what === 'gate') world.locksLost()
  else await excuse(world, before)
}

function available({ simulation, redis, saleId }: World): Promise<number> {
  return simulation.aside(async () => (await readStock(redis, saleId))?.available ?? 0)
}

/** The orders whose message is in the outbox. */
async function waiting({ redis, saleId }: World): Promise<OrderId[]> {
  const ids = await redis.exec(['HKEYS', stockKeys(saleId).outbox])
  return Array.isArray(ids) ? ids.flatMap((id) => parseOrderId(id) ?? []) : []
}

/** Those of `before` that nobody but Redis knew of, and that it does not know of any more. */
async function excuse(world: World, before: readonly OrderId[]): Promise<void> {
  const { promises, truth, queues } = world
  promises.redisForgot()
  const still = new Set(await waiting(world))
  const written = await truth.table.findMany(before)
  const sent = [...queues.orders.bodies(), ...queues.orders.dead.map(({ body }) => body)].join('\n')
  for (const orderId of before) {
    if (!still.has(orderId) && !written.has(orderId) && !sent.includes(orderId)) promises.excused.add(orderId)
  }
}
