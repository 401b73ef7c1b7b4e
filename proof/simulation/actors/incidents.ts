/** Incidents of a whole part: it is unavailable for a while, or it loses data. */
import { admissionExpiryMs } from '../../../core/gate/admission.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { ShardTarget, StepTarget } from '../engine/faults.ts'
import { maxSimulatedShards } from '../sale.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { sendClaimRequest } from './claimer.ts'
import { loseRedis, rollBackRedis } from './losses.ts'
import { sendCommand } from './marketer.ts'
import { drawUnits, sendBuyRequest } from './shopper.ts'

type Incident = (world: World) => Promise<void>

const incidents: readonly Incident[] = [
  (world) => makeUnavailable(world, ['stock']),
  (world) => makeUnavailable(world, ['stock', 'gate']),
  (world) => makeUnavailable(world, ['gate']),
  (world) => makeUnavailable(world, ['sqs']),
  (world) => makeUnavailable(world, ['table']),
  (world) => makeUnavailable(world, ['provider']),
  (world) => makeUnavailable(world, ['site']),
  (world) => makeUnavailable(world, ['edge']),
  (world) => failTransactions(world, 'busy'),
  (world) => failTransactions(world, 'refused'),
  poison,
  strayPayment,
  (world) => loseRedis(world, ['gate']),
  rollBackGate,
]

function rollBackGate(world: World): Promise<void> {
  return rollBackRedis(world, 'gate')
}

/** Redis loses reservations or messages; then the table has to reject some of the orders. */
const losses: readonly Incident[] = [
  (world) => loseRedis(world, ['counters']),
  (world) => loseRedis(world, ['stock']),
  (world) => loseRedis(world, ['stock', 'gate']),
  (world) => loseRedis(world, ['outbox']),
  loseWhileNothingIsWritten,
  loseWhileNothingIsWritten,
  loseAfterRepeat,
  loseAfterRepeat,
  // Frequent, because no error ever reports a rollback.
  ...Array.from({ length: 3 }, (): Incident => (world) => rollBackRedis(world, 'stock')),
]

/** Red packets are stored beside the counters, so they can be lost alone. */
const packetLosses: readonly Incident[] = [...losses, (world) => loseRedis(world, ['packets'])]

/** A claim is credited within seconds, so incidents that delay it are more frequent. */
const packetIncidents: readonly Incident[] = [
  ...incidents,
  ...Array.from({ length: 3 }, (): Incident => (world) => makeUnavailable(world, ['sqs'])),
  recoverWithoutTable,
  recoverWithoutTable,
]

/** Each shard of a split stock has its own database, so each can be unavailable alone. */
const splitIncidents: readonly Incident[] = [
  ...incidents,
  ...Array.from({ length: 6 }, (): Incident => makeShardUnavailable),
]

/**
 * Without rollbacks of the gate: an older copy of a sale's list admits shoppers who were removed, and no client can
 * detect it.
 */
const listIncidents: readonly Incident[] = incidents.filter((incident) => incident !== rollBackGate)

function incidentsOf({ kind, databases }: Sale, option: World['option']): readonly Incident[] {
  if (kind === 'red-packet') return packetIncidents
  if (option !== undefined) return listIncidents
  return databases.length > 1 ? splitIncidents : incidents
}

/**
 * Draws the incidents of a sale and their times. Redis loses no data in half of all sales, and in a quarter of those of
 * red packets.
 */
export function drawIncidents(
  { simulation: { random }, option }: World,
  sale: Sale,
): readonly { afterMs: number; incident: Incident }[] {
  const isPackets = sale.kind === 'red-packet'
  const drawn = Array.from({ length: random.whole(0, 3) }, () => ({
    afterMs: random.spread(2, option?.incidentsWithinMs ?? 60_000),
    incident: random.pick(incidentsOf(sale, option)),
  }))
  // Early: a loss matters only while shoppers are still buying.
  const loss = { afterMs: random.spread(1, 3000), incident: random.pick(isPackets ? packetLosses : losses) }
  return random.chance(isPackets ? 0.75 : 0.5) ? [...drawn, loss] : drawn
}

function makeShardUnavailable(world: World): Promise<void> {
  return makeUnavailable(world, [`shard ${world.simulation.random.whole(0, maxSimulatedShards - 1)}`])
}

async function makeUnavailable({ simulation }: World, parts: readonly (StepTarget | ShardTarget)[]): Promise<void> {
  const { profile, random, trace, sleep } = simulation
  trace.write('incident', `${parts.join(' and ')} unavailable`)
  for (const part of parts) profile.unavailable.add(part)
  await sleep(random.spread(500, 60_000))
  for (const part of parts) profile.unavailable.delete(part)
  trace.write('incident', `${parts.join(' and ')} back`)
}

/** The table can be read, but every transaction fails. */
async function failTransactions({ simulation }: World, fault: 'busy' | 'refused'): Promise<void> {
  const { profile, random, trace, sleep } = simulation
  trace.write('incident', `every transaction is ${fault}`)
  profile.transactions = fault
  await sleep(random.spread(500, 20_000))
  profile.transactions = undefined
  trace.write('incident', 'transactions succeed again')
}

/** An operator starts recoveries while every transaction fails. */
async function recoverWithoutTable(world: World): Promise<void> {
  const { random, sleep } = world.simulation
  const press = async () => {
    for (let presses = random.whole(1, 3); presses > 0; presses -= 1) {
      await sleep(random.spread(10, 3000))
      await sendCommand(world, `sales/${world.saleId}/recover`)
    }
  }
  await Promise.all([failTransactions(world, 'refused'), press()])
}

/**
 * Redis loses its data while orders or claims are in the queue, and nothing is written until long after the sale was
 * recovered and others have bought.
 */
async function loseWhileNothingIsWritten(world: World): Promise<void> {
  const { simulation, queues, kind } = world
  const { profile, random, sleep, spawn } = simulation
  profile.transactions = 'busy'
  // Before `admissionExpiryMs` the gate's store has no count of the claims, and recovery holds everything back.
  if (kind === 'red-packet' && random.chance(0.5)) await sleep(random.spread(admissionExpiryMs, 2 * admissionExpiryMs))
  for (let left = 40; left > 0 && queues.orders.bodies().length < 2; left -= 1) await sleep(500)
  spawn('caller', async () => {
    for (let presses = 4; presses > 0; presses -= 1) {
      await sleep(random.spread(100, 8000))
      await sendCommand(world, `sales/${world.saleId}/recover`)
    }
  })
  await loseRedis(world, ['stock'], 100)
  // They must not get the packets of claims in the queue, nor the variants of orders in it.
  if (kind === 'red-packet' || (await world.sale()).variants !== undefined) await addShoppers(world)
  await sleep(random.spread(10_000, 40_000))
  profile.transactions = undefined
}

/**
 * A reply of Redis is lost, the repeat is answered, and then Redis loses its data: an answer must not depend on Redis
 * alone.
 */
async function loseAfterRepeat(world: World): Promise<void> {
  const { simulation, gate, kind } = world
  const { profile, random, sleep } = simulation
  // Only shoppers on the list of this sale may buy.
  if (gate.refuses !== undefined) return loseRedis(world, ['stock'], 100)
  const shopperId = world.newShopper()
  const wanted = { shopperId, ...drawUnits(random, await world.sale(), 1) }
  const key = world.newKey()
  const send = async () => {
    const pass = await gate.passAnyway()
    return kind === 'red-packet' ? sendClaimRequest(world, shopperId, pass) : sendBuyRequest(world, wanted, key, pass)
  }
  const { rate, weights } = profile
  Object.assign(profile, { rate: 1, weights: new Map([['reply lost', 1]]) })
  await send()
  Object.assign(profile, { rate: profile.rate === 0 ? 0 : rate, weights })
  for (let tries = 8; tries > 0 && (await send())?.statusCode !== 200; tries -= 1) await sleep(200)
  await loseRedis(world, ['stock'], 100)
}

async function addShoppers(world: World): Promise<void> {
  const sale = await world.sale()
  for (let left = world.simulation.random.whole(4, 12); left > 0; left -= 1) {
    addShopper(world, sale, { isHurried: false })
  }
}

/** Puts invalid messages into every queue. */
async function poison({ simulation, queues, saleId, kind }: World): Promise<void> {
  const { random, trace } = simulation
  const message = {
    orderId: `${saleId}-${'p'.repeat(26)}`,
    saleId,
    shopperId: 'poisoner',
    quantity: 1,
    reservedAt: 1,
    requestId: 'r',
  }
  const orders = [
    'no JSON',
    '{}',
    JSON.stringify({ ...message, quantity: -1 }),
    JSON.stringify({ ...message, saleId: 'another-sale' }),
    JSON.stringify({ ...message, extra: true }),
    JSON.stringify({ ...message, packet: { number: 0, amount: 0, currency: 'CNY' } }),
    // A message of another kind of sale, or with no units.
    JSON.stringify(kind === 'red-packet' ? message : { ...message, quantity: 0 }),
  ]
  const timers = ['no JSON', '{"orderIds":[],"at":1}', JSON.stringify({ orderIds: [message.orderId], at: 1 })]
  for (let left = random.whole(1, 5); left > 0; left -= 1) {
    queues.orders.put(random.pick(orders))
    queues.deadlines.put(random.pick(timers))
    for (const name of ['orders', 'deadlines']) trace.countFault(`sqs ${name}`, 'poison')
  }
}

/** A payment arrives for an order that does not exist. */
async function strayPayment({ simulation, provider, saleId }: World): Promise<void> {
  const { random, now } = simulation
  const orderId = `${saleId}-${'s'.repeat(26)}`
  const paymentId = `stray-${random.whole(1, 1e9)}`
  provider.payUnknownOrder({
    paymentId,
    orderId,
    amount: random.whole(1, 5000),
    currency: 'EUR',
    product: 'A stray',
    startedAt: now(),
    until: now(),
  })
}
