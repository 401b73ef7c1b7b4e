import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { minAgeMs } from '../../../functions/recovery/orders/resend-outbox.ts'
import type { ReconcileOptions } from '../../../functions/recovery/ports.ts'
import { compareCounts } from '../../../functions/recovery/reconcile-sale.ts'
import { holdAgeMs } from '../../../functions/recovery/stock/compare-holds.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { publishSoldOut } from '../../../redis/gate/gate.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { orderIdOf, raw } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { onWalks } from '../../world/wire.ts'
import { useWorld, world } from '../../world/world.ts'
import { cutOffAt, isCutOff, type Where } from './cut-off.ts'
import { repairsOf } from './repairs.ts'

const rig = useWorld()
beforeEach(() => rig.open())

const { recover, reconcileSale } = repairsOf(() => rig)
const run = (options: Partial<ReconcileOptions> = {}) => reconcileSale({ minAgeMs, holdAgeMs, ...options })
const stockRecord = () => rig.stockRecord()
const due = () => dueReleases(rig.table.table, phone)
/** The order of the first of the five shoppers who bought all. */
const first = orderIdOf(phone, 1, 1)

describe('reconciling a sale', () => {
  it('reports that nothing differs while all stores agree (I4)', async () => {
    await rig.sell(3)
    rig.log.length = 0
    expect(await run()).toEqual({
      resent: 0,
      waiting: 0,
      oldestAgeMs: 0,
      givenUp: 0,
      state: 'in-step',
      drift: 0,
      holds: undefined,
      released: 0,
    })
    expect(rig.log).toEqual(['sales/phone/current.json'])
    expect(rig.telemetry.counted('Drift')).toBe(0)
  })

  it('compares every hold once the counters disagree, and reports by how much (I4)', async () => {
    const [orderId] = await rig.sell(3)
    await rig.forget(orderId)
    expect(await run()).toMatchObject({ drift: -1, holds: { restored: 1 } })
    expect(rig.telemetry.counted('Drift')).toBe(1)
    expect(await run()).toMatchObject({ drift: 0, holds: undefined })
  })

  it('corrects nothing as long as an option fails to note what the sale takes', async () => {
    const [orderId] = await rig.sell(3)
    await rig.forget(orderId)
    const timed = { ...rig.ports, minAgeMs, holdAgeMs, full: false, deadline: rig.clock.now + 10_000 }
    const fails = () => Promise.reject(new Error('not noted'))
    await expect(compareCounts(timed, await rig.sale(), fails)).rejects.toThrow('not noted')
    expect(await run()).toMatchObject({ drift: -1, holds: { restored: 1 } })
  })

  it('reports no drift while a reservation is on its way, or the queue is unavailable (I4)', async () => {
    await rig.sell(1)
    await rig.reserve(2)
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
    rig.clock.now += minAgeMs
    expect(await run()).toMatchObject({ resent: 1, drift: null, holds: undefined })
    rig.queue.goDown()
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
    rig.queue.comeUp()
    await rig.deliver()
    expect(await run()).toMatchObject({ drift: 0 })
  })

  it('reports no drift for counters that change while it reads them (I4)', async () => {
    await rig.sell(1)
    let shopper = 1
    rig.ports.table = onWireAt(rig.ports.table, 'batch get CAP', async (send) => {
      shopper += 1
      await rig.buy(shopper)
      await rig.deliver()
      return send()
    })
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
  })

  it('restores what Redis lost before it releases what the table rejected (I1)', async () => {
    await rig.sellOut()
    const forgotten = (await rig.held()).slice(0, 2)
    for (const orderId of forgotten) await rig.forget(orderId)
    const refused = [await rig.buy(6, { quantity: 2 }), await rig.buy(7, { quantity: 2 })]
    await rig.deliver()
    expect((await due()).map(({ orderId }) => orderId).sort()).toEqual([...refused].sort())
    const seen: (number | undefined)[] = []
    rig.stock.before('release', async () => seen.push(await rig.booked()))
    expect(await run()).toMatchObject({ drift: null, holds: { restored: 2 }, released: 2 })
    expect(seen[0], 'the holds were complete before any unit was released').toBe(14)
    expect([await rig.booked(), await due()]).toEqual([10, []])
    expect(rig.pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it.each([
    ['is not listed yet', () => []],
    ['is not listed yet, and another that ended still is', (ended: OrderId) => [ended]],
  ])('releases nothing the table rejected while an order that Redis lost %s (I1, I2)', async (_what, alsoListed) => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ stock: 3 })
    const [ended, kept] = await rig.sell(2)
    const fallBack = await rig.keepStock()
    const forgotten = await rig.buy(3)
    await fallBack()
    const refused = await rig.buy(4)
    await rig.deliver()
    expect(await rig.table.find(refused)).toMatchObject({ reason: 'over-cap' })
    if (alsoListed(ended).length > 0) {
      rig.stock.goDown()
      await rig.cancel(ended)
      rig.stock.comeUp()
    }
    const { table } = rig.ports
    rig.ports.table = onWalks(table, phone, (page) =>
      page
        .filter(({ sk }) => sk !== forgotten)
        .map((order) => (order.sk === ended ? { ...order, status: 'awaiting-payment' } : order)),
    )
    await run()
    const isDue = (await due()).map(({ orderId }) => orderId)
    expect([isDue, (await stockRecord())?.holds.has(refused)]).toEqual([[refused], true])
    rig.ports.table = table
    expect(await run()).toMatchObject({ holds: { restored: 1 } })
    expect(await rig.held()).toEqual([kept, forgotten, ...(alsoListed(ended).length > 0 ? [] : [ended])].sort())
    expect(await due()).toEqual([])
  })

  it('leaves a sale to `recover` that Redis has lost, that is frozen, or whose stock was rolled back (P10)', async () => {
    await rig.sell(2)
    await rig.act('stock', { delta: 5 })
    await raw(rig.redis, 'HSET', stockKeys(phone).stock, 'total', '10')
    expect(await run()).toMatchObject({ state: 'to-recover', holds: undefined })
    await raw(rig.redis, 'HSET', stockKeys(phone).stock, 'total', '15')
    expect(await run()).toMatchObject({ state: 'in-step' })
    await freeze(rig.redis, phone)
    expect(await run()).toMatchObject({ state: 'to-recover' })
    expect(await rig.facts()).toMatchObject({ frozen: true })
    await rig.loseStock()
    expect(await run()).toMatchObject({ state: 'to-recover' })
    expect(await stockRecord()).toBeUndefined()
  })

  it.each([
    ['has units in the revision that was sold out', 0],
    ['is behind the revision that was sold out', 1],
  ])('treats a stock as rolled back that %s (G7, P10)', async (_name, ahead) => {
    await rig.sellOut()
    await publishSoldOut(rig.redis, phone, ahead)
    if (ahead === 0) expect(await run()).toMatchObject({ state: 'in-step' })
    await rig.forget(first)
    expect(await run()).toMatchObject({ state: 'to-recover' })
    await recover()
    expect(await rig.booked()).toBe(10)
    await rig.cancel(first)
    expect(await run()).toMatchObject({ state: 'in-step' })
    expect(await rig.facts()).toMatchObject({ soldOut: false })
  })

  it('does not treat a stock as rolled back that a marketer changes meanwhile (I1)', async () => {
    const done = rig.stock.before('hmget:stock', async () => {
      done()
      await rig.act('stock', { delta: 5 })
    })
    expect(await run()).toMatchObject({ state: 'in-step' })
  })

  it('does everything else when a stock change can never be finished, and reports why (I6)', async () => {
    const [orderId] = await rig.sell(2)
    rig.stock.goDown()
    await rig.cancel(orderId)
    await expect(rig.act('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
    rig.stock.comeUp()
    // 4: the stock has no limit.
    rig.stock.replace('add-stock', [4])
    await expect(run()).rejects.toThrow('unlimited only in Redis')
    expect([await rig.booked(), await due()]).toEqual([1, []])
  })

  it('compares a sale until its last order is paid or cancelled, and an hour more; after that it only finishes (I6)', async () => {
    const [orderId] = await rig.sell(2)
    await rig.forget(orderId)
    const { endsAt } = await rig.sale()
    rig.clock.now = endsAt + 1_020_000 + 3_600_000
    expect(await rig.held()).toHaveLength(1)
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
    rig.stock.goDown()
    await rig.cancel(orderId)
    rig.stock.comeUp()
    expect(await run()).toMatchObject({ released: 0 })
    expect(await due()).toEqual([])
    rig.clock.now -= 1
    expect(await run()).toMatchObject({ drift: 0 })
  })

  it('has nothing to do for a sale that is not warmed, and no orders of one that never started', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.create()
    rig.stock.goDown()
    expect(await run()).toMatchObject({ state: 'in-step', drift: null })
    rig.stock.comeUp()
    await rig.act('warm')
    expect(await run({ full: true })).toMatchObject({ state: 'in-step', drift: null, holds: undefined })
  })
})

describe('released units', () => {
  const names = ['stock', 'gate', 'shopfront', 'table'] as const

  it.each<Where>(['before', 'after'])('reach every store, even when cut off %s any call (O9, I5)', async (where) => {
    for (let last = 1; ; last += 1) {
      Object.assign(rig, await world({ redis: rig.redis }))
      await rig.open()
      await rig.sellOut()
      await run()
      const cut = cutOffAt(rig.ports, names, last, where)
      await rig.cancel(first, cut.ports).catch((error) => {
        if (!isCutOff(error)) throw error
      })
      if (cut.calls() < last) {
        expect(last).toBeGreaterThan(6)
        return
      }
      await run()
      const isCancelled = (await rig.table.find(first))?.status === 'cancelled'
      expect(isCancelled).toBe(last > 2 || (last === 2 && where === 'after'))
      expect([await rig.booked(), await due()], `cut off at call ${last}`).toEqual([isCancelled ? 8 : 10, []])
      expect(await rig.facts()).toMatchObject({ soldOut: !isCancelled })
      expect(rig.pointer()).toMatchObject({ remaining: isCancelled ? 2 : 0 })
      await expect(rig.reserve(1)).rejects.toThrow('repeat')
    }
  })
})
