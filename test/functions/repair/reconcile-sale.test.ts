import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { holdAgeMs } from '../../../functions/repair/compare-holds.ts'
import { minAgeMs } from '../../../functions/repair/dispatch-outbox.ts'
import type { ReconciledSale, ReconcileOptions } from '../../../functions/repair/findings.ts'
import { reconcileSale } from '../../../functions/repair/reconcile-sale.ts'
import { recover } from '../../../functions/repair/recover.ts'
import { type ControlRig, controlRig, phone } from '../control/rig.ts'
import { CutOff, cutOffAt, type Where } from './cut-off.ts'

let rig: ControlRig
beforeEach(async () => {
  rig = controlRig()
  await rig.open()
})

const sale = async () => {
  const record = await rig.sales.find(phone)
  if (record === undefined) throw new Error('the sale is gone')
  return record.sale
}
const scheduled: ReconcileOptions = { minAgeMs, holdAgeMs, full: false }
const run = async (options: Partial<ReconcileOptions> = {}, ports = rig.ports): Promise<ReconciledSale> =>
  reconcileSale(ports, await sale(), { ...scheduled, ...options }, rig.clock.now + 10_000)
const shelf = () => rig.redis.stock.records.get(phone)
const booked = () => rig.redis.stock.booked(phone)
const due = () => rig.table.releases.due(phone)
const cancel = (orderId: OrderId, ports = rig.ports) =>
  changeOrder(ports, orderId, { kind: 'cancelled-by-shopper' })
const forget = (orderId: OrderId) => {
  const hold = shelf()?.holds.get(orderId)
  shelf()?.holds.delete(orderId)
  if (hold !== undefined) shelf()?.buyers.get(hold.shopperId)?.delete(orderId)
}
const first = ([orderId]: readonly OrderId[]): OrderId => {
  if (orderId === undefined) throw new Error('nothing was sold')
  return orderId
}

describe('the upkeep of a sale', () => {
  it('finds nothing to do while all agree, and says so (I4)', async () => {
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

  it('compares every hold once the counters disagree, and tells by how much (I4)', async () => {
    const orderId = first(await rig.sell(3))
    forget(orderId)
    expect(await run()).toMatchObject({ drift: -1, holds: { restored: 1 } })
    expect(rig.telemetry.counted('Drift')).toBe(1)
    expect(await run()).toMatchObject({ drift: 0, holds: undefined })
  })

  it('notices orders without holds when the units happen to agree (I4)', async () => {
    const orderIds = await rig.sell(2)
    forget(first(orderIds))
    const other = shelf()?.holds.get(orderIds[1] as OrderId)
    if (other !== undefined) other.quantity = 2
    expect(await run()).toMatchObject({ drift: 0, holds: { restored: 1 } })
  })

  it('calls nothing drift while a reservation is on its way, or the queue cannot be asked (I4)', async () => {
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

  it('calls nothing drift that moves while it looks (I4)', async () => {
    await rig.sell(1)
    const { totals } = rig.ports.saleOrders
    rig.ports.saleOrders = {
      pages: rig.table.pages,
      async totals(saleId) {
        await rig.buy(2)
        await rig.deliver()
        return totals(saleId)
      },
    }
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
  })

  it('puts back what Redis forgot before it gives back what the table refused (I1)', async () => {
    for (const shopper of [1, 2, 3, 4, 5]) await rig.buy(shopper, { quantity: 2 })
    await rig.deliver()
    const forgotten = [...(shelf()?.holds.keys() ?? [])].slice(0, 2)
    forgotten.forEach(forget)
    const refused = [await rig.buy(6, { quantity: 2 }), await rig.buy(7, { quantity: 2 })]
    await rig.deliver()
    expect((await due()).map(({ orderId }) => orderId).sort()).toEqual([...refused].sort())
    const seen: number[] = []
    const { release } = rig.ports.holdings
    rig.ports.holdings = {
      ...rig.ports.holdings,
      async release(...args) {
        seen.push(booked())
        return release(...args)
      },
    }
    expect(await run()).toMatchObject({ drift: null, holds: { restored: 2 }, released: 2 })
    expect(seen[0], 'the books were complete before anything came free').toBe(14)
    expect([booked(), await due()]).toEqual([10, []])
    expect(rig.pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it.each([
    ['is not listed yet', () => []],
    ['is not listed yet, and another that ended still is', (ended: OrderId) => [ended]],
  ])(
    'gives back nothing the table refused while an order that Redis forgot %s (I1, I2)',
    async (_what, alsoListed) => {
      rig = controlRig()
      await rig.open({ stock: 3 })
      const [ended, kept] = await rig.sell(2)
      if (ended === undefined || kept === undefined) throw new Error('nothing was sold')
      const before = structuredClone(shelf())
      const forgotten = await rig.buy(3)
      if (before !== undefined) rig.redis.stock.records.set(phone, before)
      const refused = await rig.buy(4)
      await rig.deliver()
      expect(await rig.table.find(refused)).toMatchObject({ reason: 'over-cap' })
      if (alsoListed(ended).length > 0) {
        rig.redis.goDown()
        await cancel(ended)
        rig.redis.comeUp()
      }
      const { pages } = rig.ports.saleOrders
      rig.ports.saleOrders = {
        totals: rig.table.totals,
        async *pages(saleId) {
          for await (const page of pages(saleId)) {
            yield page
              .filter(({ orderId }) => orderId !== forgotten)
              .map((order) => (order.orderId === ended ? { ...order, status: 'awaiting-payment' } : order))
          }
        },
      }
      await run()
      const isDue = (await due()).map(({ orderId }) => orderId)
      expect([isDue, shelf()?.holds.has(refused)]).toEqual([[refused], true])
      rig.ports.saleOrders = { totals: rig.table.totals, pages }
      expect(await run()).toMatchObject({ holds: { restored: 1 } })
      expect([...(shelf()?.holds.keys() ?? [])].sort()).toEqual(
        [kept, forgotten, ...(alsoListed(ended).length > 0 ? [] : [ended])].sort(),
      )
      expect(await due()).toEqual([])
    },
  )

  it('compares every hold when it is asked to (I4)', async () => {
    await rig.buy(1)
    rig.queue.messages.length = 0
    expect(await run({ full: true, holdAgeMs: 0 })).toMatchObject({ drift: 1, holds: { lost: 1 } })
    expect(booked()).toBe(0)
  })

  it('leaves a sale to recover that Redis has lost, or that is frozen, or whose stock went back in time (P10)', async () => {
    await rig.sell(2)
    await rig.act('stock', { delta: 5 })
    const there = shelf()
    if (there !== undefined) there.total = 10
    expect(await run()).toMatchObject({ state: 'to-recover', holds: undefined })
    if (there !== undefined) there.total = 15
    expect(await run()).toMatchObject({ state: 'in-step' })
    await rig.holdings.freeze(phone)
    expect(await run()).toMatchObject({ state: 'to-recover' })
    expect(await rig.gate.read(phone)).toMatchObject({ frozen: true })
    rig.redis.lose()
    expect(await run()).toMatchObject({ state: 'to-recover' })
    expect(shelf()).toBeUndefined()
  })

  it.each([
    ['has units in the revision that was sold out', 0],
    ['is behind the revision that was sold out', 1],
  ])('takes a stock for an old one that %s (G7, P10)', async (_name, ahead) => {
    for (const shopper of [1, 2, 3, 4, 5]) await rig.buy(shopper, { quantity: 2 })
    await rig.deliver()
    await rig.gate.publishSoldOut(phone, ahead)
    if (ahead === 0) expect(await run()).toMatchObject({ state: 'in-step' })
    forget(first([...(shelf()?.holds.keys() ?? [])]))
    expect(await run()).toMatchObject({ state: 'to-recover' })
    await recover(rig.ports, { who: 'mia', requestId: 'r' }, phone, rig.clock.now + 10_000)
    expect(booked()).toBe(10)
    await cancel(first([...(shelf()?.holds.keys() ?? [])]))
    expect(await run()).toMatchObject({ state: 'in-step' })
    expect(await rig.gate.read(phone)).toMatchObject({ soldOut: false })
  })

  it('does not take a stock for an old one that a marketer changes at this moment (I1)', async () => {
    const { read } = rig.ports.stockReader
    let asked = 0
    rig.ports.stockReader = {
      async read(saleId) {
        asked += 1
        if (asked === 1) await rig.act('stock', { delta: 5 })
        return read(saleId)
      },
    }
    expect(await run()).toMatchObject({ state: 'in-step' })
  })

  it('tells a gate the counters that it could not be told in time (G4, G7)', async () => {
    for (const shopper of [1, 2, 3, 4, 5]) await rig.buy(shopper, { quantity: 2 })
    await rig.deliver()
    await run()
    expect(await rig.gate.read(phone)).toMatchObject({ soldOut: true })
    const orderId = first([...(shelf()?.holds.keys() ?? [])])
    rig.gate.goDown()
    await cancel(orderId)
    expect(await rig.gate.read(phone).catch(() => 'unavailable')).toBe('unavailable')
    rig.gate.comeUp()
    await run()
    expect(await due()).toEqual([])
    expect(await rig.gate.read(phone)).toMatchObject({ soldOut: false })
  })

  it('does all else though a stock change can never be finished, and says why (I6)', async () => {
    const orderId = first(await rig.sell(2))
    rig.redis.goDown()
    await cancel(orderId)
    await expect(rig.act('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
    rig.redis.comeUp()
    rig.ports.stock = { ...rig.redis, add: async () => ({ kind: 'unlimited' }) }
    await expect(run()).rejects.toThrow('unlimited only in Redis')
    expect([booked(), await due()]).toEqual([1, []])
  })

  it('compares a sale until its last order is paid or cancelled, and an hour more; after that it only finishes (I6)', async () => {
    const orderId = first(await rig.sell(2))
    forget(orderId)
    const { endsAt } = await sale()
    rig.clock.now = endsAt + 1_020_000 + 3_600_000
    const late = await rig.redis.stock.records.get(phone)
    expect(late?.holds.size).toBe(1)
    expect(await run()).toMatchObject({ drift: null, holds: undefined })
    rig.redis.goDown()
    await cancel(orderId)
    rig.redis.comeUp()
    expect(await run()).toMatchObject({ released: 0 })
    expect(await due()).toEqual([])
    rig.clock.now -= 1
    expect(await run()).toMatchObject({ drift: 0 })
  })

  it('has nothing to do for a sale that is not on the shelf, and no orders of one that never started', async () => {
    rig = controlRig()
    await rig.create()
    rig.redis.goDown()
    expect(await run()).toMatchObject({ state: 'in-step', drift: null })
    rig.redis.comeUp()
    await rig.act('warm')
    expect(await run({ full: true })).toMatchObject({ state: 'in-step', drift: null, holds: undefined })
  })
})

describe('units given back', () => {
  const names = ['ledger', 'holdings', 'gate', 'shopfront', 'releases'] as const

  it.each<Where>(['before', 'after'])(
    'reach everybody, whichever call they are cut off %s (O9, I5)',
    async (where) => {
      for (let last = 1; ; last += 1) {
        rig = controlRig()
        await rig.open()
        for (const shopper of [1, 2, 3, 4, 5]) await rig.buy(shopper, { quantity: 2 })
        await rig.deliver()
        await run()
        const orderId = first([...(shelf()?.holds.keys() ?? [])])
        const cut = cutOffAt(rig.ports, names, last, where)
        await cancel(orderId, cut.ports).catch((error) => {
          if (!(error instanceof CutOff)) throw error
        })
        if (cut.calls() < last) {
          expect(last).toBeGreaterThan(6)
          return
        }
        await run()
        const isCancelled = (await rig.table.find(orderId))?.status === 'cancelled'
        expect(isCancelled).toBe(last > 2 || (last === 2 && where === 'after'))
        expect([booked(), await due()], `cut off at call ${last}`).toEqual([isCancelled ? 8 : 10, []])
        expect(await rig.gate.read(phone)).toMatchObject({ soldOut: !isCancelled })
        expect(rig.pointer()).toMatchObject({ remaining: isCancelled ? 2 : 0 })
        await expect(rig.reserve(1)).rejects.toThrow('repeat')
      }
    },
  )
})
