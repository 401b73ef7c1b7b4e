/**
 * What Redis loses when it loses something: what it had promised and nobody else knew of yet. Those promises are excused,
 * and no others.
 */
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import { stockKeys } from '../../redis/keys.ts'
import { claimsCredited, claimsIn, claimsKept, claimsWaiting } from '../claims-known.ts'
import type { SimulatedQueue } from '../parts/queue.ts'
import type { Losable } from '../parts/redis.ts'
import type { World } from '../world.ts'

/** Runs `doIt`, which makes Redis forget `what`, and notes whom it robs of a promise. */
export async function forget(
  world: World,
  what: Losable,
  how: 'lost' | 'rolled back',
  doIt: () => Promise<void>,
): Promise<void> {
  world.closed.redisForgot()
  if (what === 'gate') {
    await doIt()
    // What it knew of units that were promised is then older than it seems.
    if (how === 'rolled back') world.promises.redisForgot(how)
    world.locksLost()
    return
  }
  await (world.kind === 'red-packet' ? forgetClaims(world, what, doIt) : forgetOrders(world, how, doIt))
}

async function forgetOrders(
  world: World,
  how: 'lost' | 'rolled back',
  doIt: () => Promise<void>,
): Promise<void> {
  const { promises, truth, queues } = world
  const before = await waitingOrders(world)
  await doIt()
  promises.redisForgot(how)
  const still = new Set(await waitingOrders(world))
  const written = await truth.table.findMany(before)
  const sent = bodiesOf(queues.orders).join('\n')
  for (const orderId of before) {
    if (!still.has(orderId) && !written.has(orderId) && !sent.includes(orderId)) promises.excused.add(orderId)
  }
}

/** The orders whose message is in the outbox. */
async function waitingOrders({ redis, saleId }: World): Promise<OrderId[]> {
  const ids = await redis.exec(['HKEYS', stockKeys(saleId).outbox])
  return Array.isArray(ids) ? ids.flatMap((id) => parseOrderId(id) ?? []) : []
}

/** Who has a packet is kept with the claims, and with those that wait to be sent: only both together are lost for good. */
async function forgetClaims(world: World, what: Losable, doIt: () => Promise<void>): Promise<void> {
  const { packets, queues, simulation } = world
  const before = await claimsWaiting(world)
  await doIt()
  packets.redisLost(what === 'stock' || what === 'buyers' ? 'claims' : 'other')
  const known = new Set([
    ...(await claimsWaiting(world)),
    ...(await claimsKept(world)),
    ...(await claimsCredited(world)),
    ...claimsIn(bodiesOf(queues.claims)),
  ])
  for (const name of before) {
    if (what === 'buyers') packets.overwritable.add(name)
    if (known.has(name)) continue
    packets.excused.add(name)
    simulation.diary.write('scene', `nobody but Redis knew of ${name}`)
  }
}

function bodiesOf({ bodies, dead }: SimulatedQueue): readonly string[] {
  return [...bodies(), ...dead.map(({ body }) => body)]
}
