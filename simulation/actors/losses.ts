/** Redis loses what it knew, or goes back to an older state of it; nobody tells it. */
import { readStock } from '../../redis/stock.ts'
import type { Losable } from '../parts/redis.ts'
import type { World } from '../world.ts'
import { comeBy } from './crowd.ts'
import { forget } from './forgetting.ts'
import { command } from './marketer.ts'
import { catchPacket } from './tapper.ts'

/** A restart without a file. */
export async function lose(world: World, what: readonly Losable[], withinMs = 40_000): Promise<void> {
  const { redis, saleId, simulation } = world
  await simulation.sleep(simulation.dice.spread(10, withinMs))
  await simulation.aside(async () => {
    for (const one of what) await forget(world, one, 'lost', () => redis.lose(saleId, one))
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
    await forget(world, what, 'rolled back', () => redis.fallBack(saleId, what))
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
  for (let left = dice.whole(3, 14); left > 0; left -= 1) comeBy(world, sale, { isHurried: true })
  if (world.kind === 'red-packet') tapAgain(world)
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

/** Shoppers who came before look whether they still have their packet, maybe before the first claim has arrived. */
function tapAgain(world: World): void {
  const { dice, sleep, spawn } = world.simulation
  for (let left = Math.min(dice.whole(0, 6), world.shoppers.length); left > 0; left -= 1) {
    const shopperId = dice.pick(world.shoppers)
    spawn('shopper who looks again', async () => {
      await sleep(dice.spread(1000, 60_000))
      await catchPacket(world, { shopperId, patience: 12, clicksTwice: false, passesGate: true })
    })
  }
}

function available({ simulation, redis, saleId }: World): Promise<number> {
  return simulation.aside(async () => (await readStock(redis, saleId))?.available ?? 0)
}
