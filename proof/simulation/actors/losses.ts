/** Redis loses data or is rolled back to an older copy, without any notice to its clients. */
import { shardsOf } from '../../../redis/shards.ts'
import type { Losable, LosableKeys } from '../parts/redis.ts'
import { availableUnits } from '../units-left.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { claimUntilAnswered } from './claimer.ts'
import { trackLoss } from './data-loss.ts'
import { sendCommand } from './marketer.ts'

/** A restart of Redis without its file. */
export async function loseRedis(world: World, what: readonly Losable[], withinMs = 40_000): Promise<void> {
  const { redis, saleId, simulation } = world
  await simulation.sleep(simulation.random.spread(10, withinMs))
  const shards = await drawShards(world)
  await simulation.aside(async () => {
    for (const one of what) {
      await trackLoss(world, one, 'lost', () => redis.lose({ saleId, what: one, shards }))
    }
    await redis.forgetScripts()
  })
  simulation.trace.countFault(what.join(' and '), 'lost')
  simulation.trace.write('incident', `Redis loses ${what.join(' and ')} of shards ${shards.join(' ')}`)
  await reactToLoss(world)
}

/** A replica that was behind becomes the primary. */
export async function rollBackRedis(world: World, what: Losable): Promise<void> {
  const { redis, saleId, simulation, stocks, truth } = world
  const { random, trace, sleep, aside } = simulation
  const lost: LosableKeys = { saleId, what, shards: await drawShards(world) }
  await aside(() => redis.keepCopy(lost))
  trace.write('incident', `the replica of ${what} stops following`)
  await sleep(random.spread(100, 20_000))
  // The worst moment is when all units are reserved.
  for (
    let left = random.pick([0, 40, 40, 40]);
    left > 0 && (await aside(() => availableUnits(stocks, truth.table, saleId))) > 0;
    left -= 1
  )
    await sleep(500)
  await aside(async () => {
    await trackLoss(world, what, 'rolled back', () => redis.rollBack(lost))
    await redis.forgetScripts()
  })
  trace.countFault(what, 'older')
  trace.write('incident', `Redis is rolled back to an older ${what} of shards ${lost.shards.join(' ')}`)
  await reactToLoss(world)
}

/** What follows a loss: many shoppers arrive to buy, and several operators start a recovery. */
async function reactToLoss(world: World): Promise<void> {
  const { random, sleep, spawn } = world.simulation
  const sale = await world.sale()
  for (let left = random.whole(3, 14); left > 0; left -= 1) addShopper(world, sale, { isHurried: true })
  if (world.kind === 'red-packet') claimAgain(world)
  const noticedMs = random.spread(1000, 40_000)
  for (let left = random.whole(0, 4); left > 0; left -= 1) {
    spawn(`caller-${left}`, async () => {
      await sleep(noticedMs)
      for (let presses = random.whole(1, 5); presses > 0; presses -= 1) {
        await sleep(random.spread(10, 10_000))
        await sendCommand(world, `sales/${world.saleId}/recover`)
      }
    })
  }
}

/** Shoppers who claimed before claim again, maybe before their first claim is written. */
function claimAgain(world: World): void {
  const { random, sleep, spawn } = world.simulation
  for (let left = Math.min(random.whole(0, 6), world.shoppers.length); left > 0; left -= 1) {
    const shopperId = random.pick(world.shoppers)
    spawn('returning shopper', async () => {
      await sleep(random.spread(1000, 60_000))
      await claimUntilAnswered(world, { shopperId, patience: 12, isDoubled: false, passesGate: true })
    })
  }
}

/** Most often one shard of a split stock loses data, now and then all at once. */
async function drawShards(world: World): Promise<readonly number[]> {
  const { random } = world.simulation
  const all = [...(await shardsOf(world.stocks, world.saleId)).keys()]
  return all.length === 1 || random.chance(0.2) ? all : [random.pick(all)]
}
