/**
 * Redis loses data or is rolled back to an older copy, without notice to its clients. The invariants excuse only
 * reservations and claims that were recorded nowhere else, because the queue did not accept their message.
 */
import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { claimKey } from '../../../core/packets/packet.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { findWrittenOrders } from '../../../functions/table/orders/orders.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { holdPages } from '../../../redis/orders/holds.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { claimsInMessages, claimsInOutbox, claimsInRedis, claimsInTable } from '../claim-names.ts'
import type { SimulatedQueue } from '../parts/queue.ts'
import type { Losable, LosableKeys } from '../parts/redis.ts'
import { textsOf } from '../parts/watch-redis.ts'
import { availableUnits } from '../units-left.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { claimUntilAnswered } from './claimer.ts'
import { sendCommand } from './marketer.ts'

/** Redis restarts without its file. */
export async function loseRedis(world: World, what: readonly Losable[], withinMs = 40_000): Promise<void> {
  const { redis, saleId, simulation } = world
  await simulation.sleep(simulation.random.spread(10, withinMs))
  const shards = await drawShards(world)
  await simulation.runExclusively(async () => {
    for (const one of what) {
      await trackLoss(world, one, 'lost', () => redis.lose({ saleId, what: one, shards }))
    }
    await redis.forgetScripts()
  })
  simulation.trace.countFault(what.join(' and '), 'lost')
  simulation.trace.write('incident', `Redis loses ${what.join(' and ')} of shards ${shards.join(' ')}`)
  await reactToLoss(world)
}

/** A replica that lagged behind becomes the primary. */
export async function rollBackRedis(world: World, what: Losable): Promise<void> {
  const { redis, saleId, simulation, stocks, truth } = world
  const { random, trace, sleep, runExclusively } = simulation
  const lost: LosableKeys = { saleId, what, shards: await drawShards(world) }
  await runExclusively(() => redis.saveCopy(lost))
  trace.write('incident', `the replica of ${what} stops following`)
  await sleep(random.spread(100, 20_000))
  // The worst moment is when all units are reserved.
  for (
    let left = random.pick([0, 40, 40, 40]);
    left > 0 && (await runExclusively(() => availableUnits(stocks, truth.table, saleId))) > 0;
    left -= 1
  )
    await sleep(500)
  await runExclusively(async () => {
    await trackLoss(world, what, 'rolled back', () => redis.rollBack(lost))
    await redis.forgetScripts()
  })
  trace.countFault(what, 'older')
  trace.write('incident', `Redis is rolled back to an older ${what} of shards ${lost.shards.join(' ')}`)
  await reactToLoss(world)
}

/** After a loss, many shoppers arrive, and several operators start a recovery. */
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

/** Some shoppers claim again, maybe before their first claim is written. */
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

/** Draws the shards that lose data: usually one of a split stock, sometimes all. */
async function drawShards(world: World): Promise<readonly number[]> {
  const { random } = world.simulation
  const all = [...(await shardsOf(world.stocks, world.saleId)).keys()]
  return all.length === 1 || random.chance(0.2) ? all : [random.pick(all)]
}

/** Runs `loseData`, which makes Redis lose `what`, and records the lost reservations and claims. */
async function trackLoss(
  world: World,
  what: Losable,
  how: 'lost' | 'rolled back',
  loseData: () => Promise<void>,
): Promise<void> {
  world.statusRecord.redisLostData()
  if (what === 'gate') {
    await loseData()
    // The gate's counts of reserved units and claimed packets are stale then.
    if (how === 'rolled back') {
      world.reservations.redisLostData(how)
      world.packets.gateRolledBack()
    }
    world.locksLost()
    return
  }
  await (world.kind === 'red-packet'
    ? trackClaimLoss(world, what, how, loseData)
    : trackOrderLoss(world, how, loseData))
}

async function trackOrderLoss(world: World, how: 'lost' | 'rolled back', loseData: () => Promise<void>): Promise<void> {
  const { reservations, truth, queues } = world
  const before = await ordersInRedis(world)
  await loseData()
  reservations.redisLostData(how)
  await world.unitsLeft.count()
  const still = new Set(await ordersInRedis(world))
  const written = await findWrittenOrders(truth.table, before)
  const sent = bodiesOf(queues.orders).join('\n')
  for (const orderId of before) {
    const isElsewhere = still.has(orderId) || written.has(orderId) || sent.includes(orderId)
    if (!isElsewhere) reservations.lost.add(orderId)
  }
}

/** Returns the orders whose message is in the outbox, or can be written again from its hold. */
async function ordersInRedis({ stocks, saleId }: World): Promise<OrderId[]> {
  const orderIds: OrderId[] = []
  for (const { shard, exec } of await shardsOf(stocks, saleId)) {
    const words = textsOf(await exec(['HKEYS', stockKeys(saleId, shard).outbox]))
    orderIds.push(...words.flatMap((word) => parseOrderId(`${saleId}-${word}`) ?? []))
  }
  for await (const page of holdPages(stocks, saleId, 1000)) orderIds.push(...page.map(({ orderId }) => orderId))
  return orderIds
}

/** The owners of packets are in the stock and in the messages of the outbox: a claim is lost only when both are. */
async function trackClaimLoss(
  world: World,
  what: Losable,
  how: 'lost' | 'rolled back',
  loseData: () => Promise<void>,
): Promise<void> {
  const { packets, queues, simulation, reservations } = world
  const before = await claimsInOutbox(world)
  await loseData()
  reservations.redisLostData(how)
  packets.redisLost(what === 'stock' || what === 'counters' ? 'owners' : 'other')
  const known = new Set([
    ...(await claimsInOutbox(world)),
    ...(await claimsInRedis(world)),
    ...claimsInTable(world),
    ...claimsInMessages(bodiesOf(queues.orders)),
  ])
  for (const name of before) {
    if (what === 'counters') packets.overwritable.add(name)
    if (known.has(name)) continue
    const claim = packets.claimed.get(name)
    const orderId = claim && deriveOrderId(world.saleId, claim.shopperId, claimKey)
    // A claim without an answer needs no credit.
    if (claim?.isAnswered && orderId && !reservations.unsent.has(orderId)) continue
    packets.excused.add(name)
    simulation.trace.write('incident', `only Redis had ${name}`)
  }
}

function bodiesOf({ bodies, dead }: SimulatedQueue): readonly string[] {
  return [...bodies(), ...dead.map(({ body }) => body)]
}
