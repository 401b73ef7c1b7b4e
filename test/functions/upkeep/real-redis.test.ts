/** The same repairs through the real scripts: what the fakes of Redis promise must be what Redis does. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { redisAvailability, redisStockReader } from '../../../functions/adapters/availability.redis.ts'
import { redisGate, redisGateReader, redisStockShelf } from '../../../functions/adapters/effects.redis.ts'
import { redisHoldings } from '../../../functions/adapters/holdings.redis.ts'
import { redisHolds } from '../../../functions/adapters/holds.redis.ts'
import { redisLocks } from '../../../functions/adapters/locks.redis.ts'
import { redisOutbox } from '../../../functions/adapters/outbox.redis.ts'
import { changeOrder } from '../../../functions/order-life/change-order.ts'
import { createPublisher } from '../../../functions/publishing/publisher.ts'
import { recover, recoveryPatienceMs } from '../../../functions/upkeep/recover.ts'
import { maxSends, relay } from '../../../functions/upkeep/relay.ts'
import { keepTrue } from '../../../functions/upkeep/upkeep.ts'
import { readBooks } from '../../../redis/books.ts'
import { reserve } from '../../../redis/reserve.ts'
import { orderIdOf, type RedisRig, raw, shopperIdOf, startRedisRig } from '../../redis/support.ts'
import { type ControlRig, controlRig, phone } from '../control/rig.ts'

let server: RedisRig
let rig: ControlRig
beforeAll(async () => {
  server = await startRedisRig()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await raw(server.redis, 'FLUSHALL')
  rig = controlRig()
  const { redis } = server
  const publisher = createPublisher({
    site: rig.site,
    sales: rig.sales,
    stock: redisAvailability(redis),
    templates: { salePage: () => '', indexPage: () => '' },
    clock: () => rig.clock.now,
  })
  Object.assign(rig.ports, {
    outbox: redisOutbox(redis),
    holds: redisHolds(redis),
    holdings: redisHoldings(redis),
    stock: redisStockShelf(redis),
    stockReader: redisStockReader(redis),
    gate: redisGate(redis),
    gateReader: redisGateReader(redis),
    locks: redisLocks(redis),
    publisher,
    shopfront: { refresh: publisher.pointer },
  })
})

const sale = async () => {
  const record = await rig.sales.find(phone)
  if (record === undefined) throw new Error('the sale is gone')
  return record.sale
}
const upkeep = async () =>
  keepTrue(
    rig.ports,
    await sale(),
    { minAgeMs: 10_000, holdAgeMs: 900_000, everyHold: false },
    rig.clock.now + 10_000,
  )
const books = async () => {
  const found = await readBooks(server.redis, phone)
  if (found === undefined) throw new Error('there is no stock')
  return found
}
const rebuild = () =>
  recover(rig.ports, { who: 'mia', requestId: 'r' }, phone, rig.clock.now + recoveryPatienceMs)

async function take(shopper: number, order = 1, quantity = 1) {
  const orderId = orderIdOf(phone, shopper, order)
  const { startToken } = await sale()
  return reserve(server.redis, {
    orderId,
    saleId: phone,
    shopperId: shopperIdOf(shopper),
    quantity,
    startToken: startToken ?? '',
    now: rig.clock.now,
    requestId: 'r',
  })
}

/** Reserves one unit for each of shoppers 1 to `count`, and writes the orders. */
async function sell(count: number): Promise<OrderId[]> {
  const orderIds: OrderId[] = []
  for (let shopper = 1; shopper <= count; shopper += 1) {
    const reservation = await take(shopper)
    if (reservation.kind !== 'reserved') throw new Error(`shopper ${shopper} was told ${reservation.kind}`)
    orderIds.push(reservation.message.orderId)
    rig.queue.messages.push(reservation.message)
  }
  await rig.ports.outbox.acknowledge(phone, orderIds)
  await rig.deliver()
  return orderIds
}

describe('with a real Redis', () => {
  it('a relay that meets another sends once, and gives up what is never taken (O5, O7)', async () => {
    await rig.open()
    const one = await take(1)
    const two = await take(2, 1, 2)
    if (one.kind !== 'reserved' || two.kind !== 'reserved') throw new Error('nobody could buy')
    const refused = two.message.orderId
    rig.queue.refused.add(refused)
    rig.clock.now += 60_000
    const open = await sale()
    const both = await Promise.all([relay(rig.ports, open, 10_000), relay(rig.ports, open, 10_000)])
    expect(both.map(({ resent }) => resent).sort()).toEqual([0, 1])
    for (let sends = 1; sends <= maxSends; sends += 1) {
      rig.clock.now += 60_000
      await relay(rig.ports, open, 10_000)
    }
    expect(await rig.table.find(refused)).toMatchObject({ reason: 'undeliverable', quantity: 2 })
    expect(await books()).toMatchObject({ booked: 1, outbox: 0 })
    expect(await take(2, 1, 2)).toMatchObject({ kind: 'repeat', quantity: 0 })
  })

  it('a hold that was lost is put back, one without a right is released (I4)', async () => {
    await rig.open()
    const [lost, cancelled] = await sell(3)
    if (lost === undefined || cancelled === undefined) throw new Error('nothing was sold')
    await raw(server.redis, 'HDEL', `stock:{${phone}:0}:holds`, lost)
    await raw(server.redis, 'HDEL', `stock:{${phone}:0}:buyers`, shopperIdOf(1))
    await raw(server.redis, 'HINCRBY', `stock:{${phone}:0}`, 'booked', '-1')
    expect(await upkeep()).toMatchObject({ drift: -1, holds: { restored: 1 } })
    expect(await books()).toMatchObject({ booked: 3 })
    expect(await take(1)).toMatchObject({ kind: 'repeat', quantity: 1 })
    const { holdings } = rig.ports
    rig.ports.holdings = { ...holdings, release: () => Promise.reject(new Error('Redis is dark')) }
    await changeOrder(rig.ports, cancelled, { kind: 'cancelled-by-shopper' })
    await rig.table.releases.done(phone, [cancelled])
    rig.ports.holdings = holdings
    rig.clock.now += 900_000
    expect(await upkeep()).toMatchObject({ drift: 1, holds: { released: 1 } })
    expect(await books()).toMatchObject({ booked: 2 })
    expect(await take(2)).toMatchObject({ kind: 'repeat', quantity: 0 })
  })

  it('a sale that lost everything is rebuilt, and everybody finds what they had (P10)', async () => {
    await rig.open()
    const orderIds = await sell(4)
    await changeOrder(rig.ports, orderIds[0] as OrderId, { kind: 'cancelled-by-shopper' })
    await raw(server.redis, 'FLUSHALL')
    expect(await upkeep()).toMatchObject({ state: 'to-recover' })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3, units: 3 })
    expect(await books()).toMatchObject({ total: 10, booked: 3 })
    expect(await rig.ports.gateReader.read(phone)).toMatchObject({ fenced: false, soldOut: false })
    expect(await take(1)).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(await take(2)).toMatchObject({ kind: 'repeat', quantity: 1 })
    expect(await take(5)).toMatchObject({ kind: 'reserved', remaining: 6 })
    expect(await upkeep()).toMatchObject({ state: 'in-step' })
  })

  it('ten thousand orders are back within seconds (P10)', async () => {
    await rig.open({ stock: 20_000 })
    const { epoch } = await sale()
    for (let shopper = 0; shopper < 10_000; shopper += 1) {
      const orderId = orderIdOf(phone, shopper, 1)
      const shopperId = shopperIdOf(shopper)
      const message = { orderId, saleId: phone, shopperId, quantity: 1, epoch, requestId: 'r' }
      rig.queue.messages.push({ ...message, reservedAt: rig.clock.now })
    }
    await rig.deliver()
    await raw(server.redis, 'FLUSHALL')
    const startedAt = performance.now()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 10_000, units: 10_000 })
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const { booked, holds } = await books()
    expect([booked, holds.length]).toEqual([10_000, 10_000])
  })
})
