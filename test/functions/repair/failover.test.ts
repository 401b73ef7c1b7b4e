/** The same repairs through the real scripts: Redis must behave as its fakes do. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { maxSends, resendOutbox } from '../../../functions/repair/orders/resend-outbox.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { reconcileSale } from '../../../functions/repair/reconcile-sale.ts'
import { recover, recoveryPatienceMs } from '../../../functions/repair/stock/recover.ts'
import { replenishAdmissions } from '../../../functions/sales/admissions.ts'
import { applyEffects } from '../../../functions/sales/effects.ts'
import { tryFinishStockChange } from '../../../functions/sales/finish-stock-change.ts'
import { deleteReleases } from '../../../functions/table/orders/releases.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { readCounts } from '../../../proof/all-holds.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import type { Command } from '../../../redis/command.ts'
import { completeAdmissions } from '../../../redis/gate/complete-admissions.ts'
import { gateFactsOf, publishSoldOut, readGates, setGate } from '../../../redis/gate/gate.ts'
import { gateKey, shopperField, stockKeys } from '../../../redis/keys.ts'
import { acknowledge } from '../../../redis/orders/outbox.ts'
import { list } from '../../../redis/reply.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { aSale, orderIdOf, raw, shopperIdOf, startRedisRig } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { inSample } from '../../whole-plays.ts'
import { phone } from '../../world/stock-record.ts'
import { savesSale } from '../../world/wire.ts'
import { readEach, useWorld } from '../../world/world.ts'

const server = useRedis()
const rig = useWorld({ redis: server })

const reconcileNow = async () =>
  reconcileSale(
    { ...rig.ports, minAgeMs: 10_000, holdAgeMs: 900_000, full: false, deadline: rig.clock.now + 10_000 },
    await rig.sale(),
  )
const books = async () => {
  const found = await readCounts(server, phone)
  if (found === undefined) throw new Error('there is no stock')
  return found
}
const rebuild = () => recover(rig.ports, { who: 'mia', requestId: 'r' }, phone, rig.clock.now + recoveryPatienceMs)

async function take(shopper: number, order = 1, quantity = 1) {
  const orderId = orderIdOf(phone, shopper, order)
  const { startToken } = await rig.sale()
  const reservation = await reserve(server, {
    orderId,
    saleId: phone,
    shopperId: shopperIdOf(shopper),
    quantity,
    startToken: startToken ?? '',
    now: rig.clock.now,
    requestId: 'r',
  })
  if (reservation.kind === 'reserved') {
    await completeAdmissions(server, phone, { seconds: [], seen: reservation, now: rig.clock.now })
  }
  return reservation
}

/** Reserves one unit for each of shoppers 1 to `count`, and writes the orders. */
async function sell(count: number): Promise<OrderId[]> {
  const orderIds: OrderId[] = []
  for (let shopper = 1; shopper <= count; shopper += 1) {
    const reservation = await take(shopper)
    if (reservation.kind !== 'reserved') throw new Error(`shopper ${shopper} got ${reservation.kind}`)
    orderIds.push(reservation.message.orderId)
    rig.queue.messages.push(reservation.message)
  }
  await acknowledge(server, phone, orderIds)
  await rig.deliver()
  return orderIds
}

describe('with a real Redis', () => {
  it('two dispatchers send a message once, and give up on one that is never accepted (O5, O7)', async () => {
    await rig.open()
    const one = await take(1)
    const two = await take(2, 1, 2)
    if (one.kind !== 'reserved' || two.kind !== 'reserved') throw new Error('no shopper could buy')
    const refused = two.message.orderId
    rig.queue.refused.add(refused)
    rig.clock.now += 60_000
    const open = await rig.sale()
    const both = await Promise.all([resendOutbox(rig.ports, open, 10_000), resendOutbox(rig.ports, open, 10_000)])
    expect(both.map(({ resent }) => resent).sort()).toEqual([0, 1])
    for (let sends = 1; sends <= maxSends; sends += 1) {
      rig.clock.now += 60_000
      await resendOutbox(rig.ports, open, 10_000)
    }
    expect(await rig.table.find(refused)).toMatchObject({ reason: 'undeliverable', quantity: 2 })
    await rig.deliver()
    expect(await books()).toMatchObject({ booked: 1, outbox: 0 })
    expect(await take(2, 1, 2)).toMatchObject({ kind: 'repeat', quantity: 0 })
  })

  it('reconcile restores a lost hold and releases one without an order (I4)', async () => {
    await rig.open()
    const [lost, cancelled] = await sell(3)
    if (lost === undefined || cancelled === undefined) throw new Error('nothing was sold')
    await raw(server, 'HDEL', `stock:{${phone}:0}`, shopperField(shopperIdOf(1)))
    await raw(server, 'HINCRBY', `stock:{${phone}:0}`, 'booked', '-1')
    expect(await reconcileNow()).toMatchObject({ drift: -1, holds: { restored: 1 } })
    expect(await books()).toMatchObject({ booked: 3 })
    expect(await take(1)).toMatchObject({ kind: 'repeat', quantity: 1 })
    const heal = rig.stock.fail('release')
    await changeOrder(rig.ports, cancelled, { kind: 'cancelled-by-shopper' })
    await deleteReleases(rig.table.table, phone, [cancelled])
    heal()
    rig.clock.now += 900_000
    expect(await reconcileNow()).toMatchObject({ drift: 1, holds: { released: 1 } })
    expect(await books()).toMatchObject({ booked: 2 })
    expect(await take(2)).toMatchObject({ kind: 'repeat', quantity: 0 })
  })

  it('a sale that lost everything is recovered, and every shopper finds their order (P10)', async () => {
    await rig.open()
    const orderIds = await sell(4)
    await changeOrder(rig.ports, orderIds[0] as OrderId, { kind: 'cancelled-by-shopper' })
    // The released unit is published to the gate, as in each second of a running sale.
    rig.clock.now += 3000
    await replenishAdmissions(rig.ports, phone)
    await removeStock(server, phone)
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3, units: 3 })
    expect(await books()).toMatchObject({ total: 10, booked: 3 })
    expect(await rig.facts()).toMatchObject({ frozen: false, soldOut: false })
    expect(await take(1)).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(await take(2)).toMatchObject({ kind: 'repeat', quantity: 1 })
    expect(await take(5)).toMatchObject({ kind: 'reserved', remaining: 6 })
    expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
  })

  const many = inSample(1000, 10_000)
  it(`${many} orders are recovered (P10)`, async () => {
    await rig.open({ stock: 2 * many })
    for (let shopper = 0; shopper < many; shopper += 1) {
      const orderId = orderIdOf(phone, shopper, 1)
      const shopperId = shopperIdOf(shopper)
      const message = { orderId, saleId: phone, shopperId, quantity: 1, requestId: 'r' }
      rig.queue.messages.push({ ...message, reservedAt: rig.clock.now })
    }
    await rig.deliver()
    await removeStock(server, phone)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: many, units: many })
    const { booked, holds } = await books()
    expect([booked, holds.length]).toEqual([many, many])
  })
})

const hashes = Object.values(stockKeys(phone))

/** All keys of the sale in Redis; `fallBackTo` restores them, as a failover does. */
async function keepCopy(): Promise<Map<string, unknown[]>> {
  const copy = new Map<string, unknown[]>()
  for (const key of hashes) copy.set(key, list(await raw(server, 'HGETALL', key), key))
  return copy
}

async function fallBackTo(copy: ReadonlyMap<string, unknown[]>): Promise<void> {
  for (const [key, fields] of copy) {
    await raw(server, 'DEL', key)
    if (fields.length > 0) await raw(server, 'HSET', key, ...fields.map(String))
  }
}

/** Reconciles each minute, and recovers when needed, until the sale is in step. */
async function minutes(count: number): Promise<string[]> {
  const states: string[] = []
  for (let minute = 0; minute < count; minute += 1) {
    rig.clock.now += 60_000
    const { state } = await reconcileNow()
    if (state === 'to-recover') expect(await rebuild()).toMatchObject({ kind: 'recovered' })
    states.push(state)
  }
  return states
}

describe('a real Redis that fails over', () => {
  it('sells the unit of a lost reservation again, though sold out was published to the gate (G7, I1)', async () => {
    await rig.open({ stock: 2 })
    await sell(1)
    const copy = await keepCopy()
    expect(await take(2)).toMatchObject({ kind: 'reserved', remaining: 0 })
    const refused = await take(3)
    if (refused.kind !== 'sold-out' || refused.stockRevision === undefined)
      throw new Error(`shopper 3 got ${refused.kind}`)
    await publishSoldOut(server, phone, refused.stockRevision)
    await fallBackTo(copy)
    expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect((await take(3)).kind, 'its message may still come').toBe('unavailable')
    expect(await minutes(2)).toEqual(['in-step', 'in-step'])
    expect(await take(3)).toMatchObject({ kind: 'reserved', remaining: 0 })
  })

  it('does not forward clicks for ever after a restock was lost (G4)', async () => {
    await rig.open({ stock: 1 })
    const [first] = await sell(1)
    await publishSoldOut(server, phone, 0)
    const copy = await keepCopy()
    await changeOrder(rig.ports, first as OrderId, { kind: 'cancelled-by-shopper' })
    const second = await take(2)
    if (second.kind !== 'reserved') throw new Error(`shopper 2 got ${second.kind}`)
    rig.queue.messages.push(second.message)
    await rig.deliver()
    await fallBackTo(copy)
    expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
    expect(await books()).toMatchObject({ total: 1, booked: 1, holds: [{ orderId: second.message.orderId }] })
    expect(await rig.facts()).toMatchObject({ soldOut: true })
  })

  it('gives no units to the old request of an order that was cancelled when Redis had forgotten it (I5)', async () => {
    await rig.open({ stock: 2 })
    const copy = await keepCopy()
    const [orderId] = await sell(1)
    await fallBackTo(copy)
    await changeOrder(rig.ports, orderId as OrderId, { kind: 'cancelled-by-shopper' })
    expect(await take(1)).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(await books()).toMatchObject({ booked: 0, outbox: 0, holds: [] })
  })

  it.each([-3, 3])(
    'applies a stock change of %d once when another worker finishes it during the recovery (I1, I5)',
    async (delta) => {
      await rig.open({ stock: 10 })
      await sell(1)
      const { table } = rig.ports
      let saves = 0
      rig.ports.table = onWireAt(table, savesSale, async (send) => {
        saves += 1
        if (saves === 2) throw new Error('killed')
        return send()
      })
      await expect(rig.act('stock', { delta })).rejects.toThrow('killed')
      rig.ports.table = table
      const done = rig.stock.before('unfreeze', async () => {
        done()
        await tryFinishStockChange(rig.ports, phone)
      })
      expect(await rebuild()).toMatchObject({ kind: 'recovered' })
      expect((await rig.sale()).stock).toBe(10 + delta)
      expect((await findSale(rig.table, phone))?.pendingStock).toBeUndefined()
      expect(await books()).toMatchObject({ total: 10 + delta, booked: 1 })
      expect(await saleTotals(rig.table.table, phone)).toMatchObject({ remaining: 9 + delta })
    },
  )

  it.each(['the stock alone', 'everything'])(
    'sells nothing twice of %s that a late warm restored (I1)',
    async (what) => {
      await rig.create()
      await rig.act('warm')
      const early = await findSale(rig.table, phone)
      await rig.act('start', { now: true })
      await sell(4)
      if (what === 'everything') await removeStock(server, phone)
      else await raw(server, 'DEL', ...hashes)
      if (early === undefined) throw new Error('the sale is gone')
      await applyEffects(rig.ports, early)
      expect(await books()).toMatchObject({ total: 10, booked: 0 })
      expect(await rig.act('start', { now: true })).toMatchObject({ status: 409 })
      expect(await rig.act('pause')).toMatchObject({ status: 200 })
      expect(await rig.act('resume')).toMatchObject({ status: 409 })
      expect((await take(9)).kind).toBe('not-started')
      expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
      expect(await books()).toMatchObject({ total: 10, booked: 4 })
      expect(await take(9)).toMatchObject({ kind: 'reserved', remaining: 5 })
    },
  )
})

describe('drafts in the real store of the gate', () => {
  const run = () => reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full: false }, rig.clock.now + 25_000)

  it('get their facts back when only the facts were lost and the list still names the drafts (I6)', async () => {
    await rig.create()
    await rig.create({ saleId: 'lamp' })
    expect(await raw(server, 'DEL', gateKey(phone))).toBe(1)
    expect(await run()).toMatchObject({ repaired: 1 })
    expect(await rig.facts()).toMatchObject({ flag: 'off', version: 1, frozen: false })
    expect(await run()).toMatchObject({ repaired: 0 })
  })

  it('are all read in one request, each as it is', async () => {
    const { redis, stop } = await startRedisRig()
    try {
      const sales = Array.from({ length: 5 }, () => aSale())
      for (const sale of sales) await setGate(redis, gateFactsOf(sale, { frozen: false }))
      let requests = 0
      const counting = {
        ...redis,
        pipeline: (reads: readonly Command[]) => {
          requests += 1
          return redis.pipeline(reads)
        },
      }
      const saleIds = sales.map(({ saleId }) => saleId)
      const facts = await readGates(counting, [...saleIds, phone])
      expect(requests).toBe(1)
      expect(facts).toEqual(await readEach(redis, [...saleIds, phone]))
      expect(facts.size).toBe(5)
    } finally {
      await stop()
    }
  })
})
