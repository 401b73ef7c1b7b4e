/**
 * Works out what a data loss of Redis destroys: the reservations and claims recorded nowhere else.
 * Only those are excused from the invariants.
 */

import { type OrderId, parseOrderId } from '../../../core/ids.ts'
import { findWrittenOrders } from '../../../functions/table/orders/orders.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { claimsInMessages, claimsInOutbox, claimsInRedis, claimsInTable } from '../claim-names.ts'
import type { SimulatedQueue } from '../parts/queue.ts'
import type { Losable } from '../parts/redis.ts'
import { textsOf } from '../parts/watch-stock.ts'
import type { World } from '../world.ts'

/**
 * Runs `loseData`, which makes Redis lose `what`, and records the reservations and claims lost with
 * it.
 */
export async function trackLoss(
  world: World,
  what: Losable,
  how: 'lost' | 'rolled back',
  loseData: () => Promise<void>,
): Promise<void> {
  world.statusRecord.redisLostData()
  if (what === 'gate') {
    await loseData()
    // The gate's counts of reserved units and claimed packets are then older than they seem.
    if (how === 'rolled back') {
      world.reservations.redisLostData(how)
      world.packets.gateRolledBack()
    }
    world.locksLost()
    return
  }
  await (world.kind === 'red-packet' ? trackClaimLoss(world, what, loseData) : trackOrderLoss(world, how, loseData))
}

async function trackOrderLoss(world: World, how: 'lost' | 'rolled back', loseData: () => Promise<void>): Promise<void> {
  const { reservations, truth, queues } = world
  const before = await waitingOrders(world)
  await loseData()
  reservations.redisLostData(how)
  await world.unitsLeft.count()
  const still = new Set(await waitingOrders(world))
  const written = await findWrittenOrders(truth.table, before)
  const sent = bodiesOf(queues.orders).join('\n')
  for (const orderId of before) {
    if (!still.has(orderId) && !written.has(orderId) && !sent.includes(orderId)) reservations.excused.add(orderId)
  }
}

/** The orders whose message is in the outbox. */
async function waitingOrders({ stocks, saleId }: World): Promise<OrderId[]> {
  const orderIds: OrderId[] = []
  for (const { shard, exec } of await shardsOf(stocks, saleId)) {
    const words = textsOf(await exec(['HKEYS', stockKeys(saleId, shard).outbox]))
    orderIds.push(...words.flatMap((word) => parseOrderId(`${saleId}-${word}`) ?? []))
  }
  return orderIds
}

/**
 * The owners of packets are stored with the claims and with the messages in the outbox: a claim is
 * lost only when both are.
 */
async function trackClaimLoss(world: World, what: Losable, loseData: () => Promise<void>): Promise<void> {
  const { packets, queues, simulation } = world
  const before = await claimsInOutbox(world)
  await loseData()
  packets.redisLost(what === 'stock' || what === 'claims' ? 'owners' : 'other')
  const known = new Set([
    ...(await claimsInOutbox(world)),
    ...(await claimsInRedis(world)),
    ...(await claimsInTable(world)),
    ...claimsInMessages(bodiesOf(queues.claims)),
  ])
  for (const name of before) {
    if (what === 'claims') packets.overwritable.add(name)
    if (known.has(name)) continue
    packets.excused.add(name)
    simulation.trace.write('incident', `only Redis had ${name}`)
  }
}

function bodiesOf({ bodies, dead }: SimulatedQueue): readonly string[] {
  return [...bodies(), ...dead.map(({ body }) => body)]
}
