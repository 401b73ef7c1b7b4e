import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import type { LifeEvent } from '../../../../core/orders/order-life.ts'
import { changeOrder } from '../../../../functions/orders/change-orders.ts'
import { checkHolds, type HoldsChecked, holdAgeMs } from '../../../../functions/recovery/stock/compare-holds.ts'
import { deleteReleases } from '../../../../functions/table/orders/releases.ts'
import { acknowledge, claimDue } from '../../../../redis/orders/outbox.ts'
import { phone } from '../../../world/stock-record.ts'
import { onSlowWalks, withOrdersOf } from '../../../world/wire.ts'
import { useWorld } from '../../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.open()
})

const check = async (): Promise<HoldsChecked> =>
  (await checkHolds({ ...rig.ports, deadline: rig.clock.now + 10_000 }, await rig.sale(), holdAgeMs)).checked
const nothing = { restored: 0, released: 0, lost: 0, overdue: 0 }
const held = () => rig.held()
const status = async (orderId: OrderId) => (await rig.table.find(orderId))?.status
const happen = (orderId: OrderId, event: LifeEvent) => changeOrder(rig.ports, orderId, event)
const age = () => {
  rig.clock.now += holdAgeMs
}

/** Releases the units of an order in the table without updating Redis. */
async function cancelUnheard(orderId: OrderId): Promise<void> {
  rig.stock.goDown()
  await rig.cancel(orderId)
  rig.stock.comeUp()
  await deleteReleases(rig.table.table, phone, [orderId])
}

describe('the comparison of holds and orders', () => {
  it('changes nothing while both agree (I4)', async () => {
    const orderIds = await rig.sell(3)
    age()
    expect(await check()).toEqual(nothing)
    expect(await held()).toEqual(orderIds.sort())
    expect(rig.telemetry.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('restores holds that Redis lost, and their buyers with them (I1, I3, I4)', async () => {
    const [first, second] = await rig.sell(2)
    await rig.forget(first)
    expect(await check()).toEqual({ ...nothing, restored: 1 })
    expect(await held()).toEqual([first, second].sort())
    await rig.buy(1, { order: 2 })
    await expect(rig.buy(1, { order: 3 })).rejects.toThrow('limit-reached')
    expect(rig.telemetry.counted('HoldsRestored')).toBe(1)
  })

  it('restores nothing for a released order that the lagging list still shows as active (I4)', async () => {
    const [orderId] = await rig.sell(1)
    const lagging = await withOrdersOf(rig.ports.table, phone)
    await rig.forget(orderId)
    await rig.cancel(orderId)
    rig.ports.table = lagging
    expect(await check()).toEqual(nothing)
    expect(await held()).toEqual([])
  })

  it('releases what it restored for an order that lost its units at the same moment (I4)', async () => {
    const [orderId] = await rig.sell(1)
    await rig.forget(orderId)
    rig.stock.before('restore', () => rig.cancel(orderId))
    await check()
    expect([await held(), await status(orderId)]).toEqual([[], 'cancelled'])
  })

  it('releases a hold whose order has lost its units, once it is old (I4, O9)', async () => {
    const [orderId] = await rig.sell(1)
    await cancelUnheard(orderId)
    expect(await check()).toEqual(nothing)
    age()
    expect(await check()).toEqual({ ...nothing, released: 1 })
    expect(await held()).toEqual([])
    const { counted } = rig.telemetry
    expect([counted('HoldsReleased'), counted('OrdersRejected')]).toEqual([1, 0])
  })

  it('writes a message to the outbox again that was lost, and a late one is a duplicate (I2, O5, O6)', async () => {
    const orderId = await rig.buy(1, { quantity: 2 })
    const late = rig.queue.messages.splice(0)
    expect(await check()).toEqual(nothing)
    age()
    expect(await check()).toEqual({ ...nothing, lost: 1 })
    expect(await rig.waiting()).toMatchObject(late.map(({ requestId: _, admitted: __, ...message }) => message))
    expect(await check()).toEqual(nothing)
    rig.queue.messages.push(...(await rig.waiting()), ...late)
    await rig.deliver()
    expect([await status(orderId), await rig.table.sold(phone)]).toEqual(['awaiting-payment', 2])
    expect([await held(), await rig.waiting()]).toEqual([[orderId], []])
    expect(rig.telemetry.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('sends none again whose message waits in the outbox, or may be in the queue or a dead letter (I2)', async () => {
    const waiting = await rig.reserve(1)
    const orderId = await rig.buy(2)
    const [message] = rig.queue.messages
    if (message === undefined) throw new Error('no message was sent')
    age()
    expect(await check()).toEqual(nothing)
    rig.queue.messages.length = 0
    rig.queue.dead.push(message)
    expect(await check()).toEqual(nothing)
    rig.queue.goDown()
    expect(await check()).toEqual(nothing)
    rig.queue.comeUp()
    rig.queue.dead.length = 0
    expect(await check()).toEqual({ ...nothing, lost: 1 })
    expect((await rig.waiting()).map((one) => one.orderId).toSorted()).toEqual([waiting, orderId].toSorted())
    expect(await held()).toHaveLength(2)
  })

  it('sends a lost message again, though a dead letter of another order stays (I2, O7)', async () => {
    const lost = await rig.buy(1)
    rig.queue.messages.length = 0
    const dead = await rig.buy(2)
    rig.queue.dead.push(...rig.queue.messages.splice(0))
    age()
    expect(await check()).toEqual({ ...nothing, lost: 1 })
    expect((await rig.waiting()).map(({ orderId }) => orderId)).toEqual([lost])
    expect([await status(dead), (await held()).length]).toEqual([undefined, 2])
  })

  it('sends none again while the dead letters cannot all be read, or one is redriven meanwhile (I2)', async () => {
    await rig.buy(1)
    const messages = rig.queue.messages.splice(0)
    age()
    rig.ports.deadOrders = { ...rig.queue, units: async () => undefined }
    expect(await check()).toEqual(nothing)
    rig.ports.deadOrders = {
      ...rig.queue,
      async units() {
        rig.queue.messages.push(...messages)
        return new Map()
      },
    }
    expect(await check()).toEqual(nothing)
  })

  it('sends none again while one that was sent from the outbox a moment ago may be on its way (I2, O5)', async () => {
    const orderId = await rig.reserve(1)
    age()
    await claimDue(rig.redis, phone, [orderId], { now: rig.clock.now, minAgeMs: 0 })
    // The writer has received it, and its message has left the outbox; the table shows it a moment later.
    await acknowledge(rig.redis, phone, [orderId])
    expect(await check()).toEqual(nothing)
    age()
    expect(await check()).toEqual({ ...nothing, lost: 1 })
  })

  it.each(['orders', 'holds'])(
    'stops after the page of %s at its deadline, and never takes a partial list for the full one (I2, I6)',
    async (part) => {
      const [orderId] = await rig.sell(1)
      await rig.reserve(2)
      await rig.forget(orderId)
      age()
      let scanned = 0
      const { table } = rig.ports
      const { walked, slow } = onSlowWalks(table, () => {
        rig.clock.now += 10_000
      })
      if (part === 'orders') rig.ports.table = slow
      const heal = rig.stock.after('hscan:stock', () => {
        if (part === 'orders') return
        scanned += 1
        rig.clock.now += 10_000
      })
      expect(await check()).toEqual(nothing)
      expect([walked.pages + scanned, rig.telemetry.counted('ReconcileFailed')]).toEqual([1, 1])
      rig.ports.table = table
      heal()
      expect(await check()).toEqual({ ...nothing, restored: 1 })
    },
  )

  it('sends none again whose message is written in the middle of the comparison (I2)', async () => {
    const orderId = await rig.buy(1)
    age()
    const messages = rig.queue.messages.splice(0)
    rig.ports.deadOrders = {
      ...rig.queue,
      async units() {
        rig.queue.messages.push(...messages)
        await rig.deliver()
        return rig.queue.units()
      },
    }
    expect(await check()).toMatchObject({ lost: 0 })
    expect([await status(orderId), await held()]).toEqual(['awaiting-payment', [orderId]])
  })

  it('cancels an order whose timer was lost, a minute after its time (O8)', async () => {
    const [orderId] = await rig.sell(1)
    rig.clock.now += 900_000 + 59_999
    expect(await check()).toEqual(nothing)
    rig.clock.now += 1
    expect(await check()).toEqual({ ...nothing, overdue: 1 })
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
    expect(await held()).toEqual([])
  })

  it('keeps the units of a paid or shipped order, however old (I1, I2)', async () => {
    const [orderId] = await rig.sell(1)
    await happen(orderId, { kind: 'payment-started', graceMs: 0 })
    await rig.pay(orderId)
    rig.clock.now += 100 * holdAgeMs
    expect(await check()).toEqual(nothing)
    expect([await status(orderId), await held()]).toEqual(['paid', [orderId]])
    await happen(orderId, { kind: 'shipped', carrier: 'DHL' })
    await happen(orderId, { kind: 'refunded-by-marketer' })
    expect(await check(), 'shipped, and its money goes back').toEqual(nothing)
    await happen(orderId, { kind: 'delivered' })
    expect(await check()).toEqual(nothing)
    expect([await status(orderId), await held()]).toEqual(['delivered', [orderId]])
  })
})
