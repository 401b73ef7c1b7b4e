import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { LifeEvent } from '../../../core/order-life.ts'
import { changeOrder } from '../../../functions/order-life/change-order.ts'
import type { ListedOrder } from '../../../functions/order-life/order-ledger.ts'
import { checkHolds, type HoldsChecked, holdAgeMs } from '../../../functions/upkeep/holds.ts'
import { type ControlRig, controlRig, phone } from '../control/rig.ts'

let rig: ControlRig
beforeEach(async () => {
  rig = controlRig()
  await rig.open()
})

const check = async (ageMs = holdAgeMs): Promise<HoldsChecked> => {
  const record = await rig.sales.find(phone)
  if (record === undefined) throw new Error('the sale is gone')
  return checkHolds(rig.ports, record.sale, ageMs, rig.clock.now + 10_000)
}
const nothing = { restored: 0, released: 0, lost: 0, overdue: 0 }
const shelf = () => rig.redis.stock.shelves.get(phone)
const held = () => [...(shelf()?.holds.keys() ?? [])].sort()
const status = async (orderId: OrderId) => (await rig.table.find(orderId))?.status
const happen = (orderId: OrderId, event: LifeEvent) => changeOrder(rig.ports, orderId, event)
const age = () => {
  rig.clock.now += holdAgeMs
}

/** What a fail-over to a replica that lagged does: the reservation never happened. */
function forget(orderId: OrderId): void {
  const there = shelf()
  const hold = there?.holds.get(orderId)
  if (hold === undefined) throw new Error(`${orderId} is not held`)
  there?.holds.delete(orderId)
  there?.buyers.get(hold.shopperId)?.delete(orderId)
}

/** The units of an order leave it in the table, and Redis never hears of it. */
async function cancelUnheard(orderId: OrderId): Promise<void> {
  rig.redis.goDark()
  await happen(orderId, { kind: 'cancelled-by-shopper' })
  rig.redis.comeBack()
  await rig.table.releases.done(phone, [orderId])
}

describe('the comparison of holds and orders', () => {
  it('changes nothing while both agree (I4)', async () => {
    const orderIds = await rig.sell(3)
    age()
    expect(await check()).toEqual(nothing)
    expect(held()).toEqual(orderIds.sort())
    expect(rig.telemetry.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('puts back holds that Redis lost, and their buyers with them (I1, I3, I4)', async () => {
    const [first, second] = await rig.sell(2)
    if (first === undefined || second === undefined) throw new Error('nothing was sold')
    forget(first)
    expect(await check()).toEqual({ ...nothing, restored: 1 })
    expect(held()).toEqual([first, second].sort())
    await rig.buy(1, { order: 2 })
    await expect(rig.buy(1, { order: 3 })).rejects.toThrow('limit-reached')
    expect(rig.telemetry.counted('HoldsRestored')).toBe(1)
  })

  it('puts back nothing for an order that the lagging list still shows as standing (I4)', async () => {
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    const listed: (readonly ListedOrder[])[] = []
    for await (const page of rig.table.pages(phone)) listed.push([...page])
    forget(orderId)
    await happen(orderId, { kind: 'cancelled-by-shopper' })
    rig.ports.saleOrders = {
      totals: rig.table.totals,
      async *pages() {
        yield* listed
      },
    }
    expect(await check()).toEqual(nothing)
    expect(held()).toEqual([])
  })

  it('gives back what it put back for an order that lost its units at that very moment (I4)', async () => {
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    forget(orderId)
    const { restore } = rig.ports.holdings
    rig.ports.holdings = {
      ...rig.ports.holdings,
      async restore(saleId, orders) {
        await happen(orderId, { kind: 'cancelled-by-shopper' })
        return restore(saleId, orders)
      },
    }
    await check()
    expect([held(), await status(orderId)]).toEqual([[], 'cancelled'])
  })

  it('releases a hold whose order has lost its units, once it is old (I4, O9)', async () => {
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    await cancelUnheard(orderId)
    expect(await check()).toEqual(nothing)
    age()
    expect(await check()).toEqual({ ...nothing, released: 1 })
    expect(held()).toEqual([])
    expect(rig.telemetry.counted('HoldsReleased')).toBe(1)
  })

  it('ends a reservation whose message was lost, and a message that comes after all is a duplicate (I1, O6)', async () => {
    const orderId = await rig.buy(1, { quantity: 2 })
    const late = rig.queue.messages.splice(0)
    expect(await check()).toEqual(nothing)
    age()
    expect(await check()).toEqual({ ...nothing, lost: 1 })
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'rejected', reason: 'lost', quantity: 2 })
    expect(held()).toEqual([])
    rig.queue.messages.push(...late)
    await rig.deliver()
    expect([await status(orderId), await rig.table.sold(phone)]).toEqual(['rejected', 0])
    expect(rig.telemetry.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('ends none whose message waits in the outbox, or may be in the queue or among the dead (I2)', async () => {
    const waiting = await rig.reserve(1)
    const orderId = await rig.buy(2)
    const [message] = rig.queue.messages
    if (message === undefined) throw new Error('no message was sent')
    age()
    expect(await check()).toEqual(nothing)
    rig.queue.messages.length = 0
    rig.queue.dead.push(message)
    expect(await check()).toEqual(nothing)
    rig.queue.goDark()
    expect(await check()).toEqual(nothing)
    rig.queue.comeBack()
    rig.queue.dead.length = 0
    expect(await check()).toEqual({ ...nothing, lost: 1 })
    expect([await status(orderId), await status(waiting), held()]).toEqual(['rejected', undefined, [waiting]])
  })

  it('ends none whose message is written in the middle of the comparison (I2)', async () => {
    const orderId = await rig.buy(1)
    age()
    const { deadLetters } = rig.ports.queues
    const messages = rig.queue.messages.splice(0)
    rig.ports.queues = {
      ...rig.ports.queues,
      async deadLetters() {
        rig.queue.messages.push(...messages)
        await rig.deliver()
        return deadLetters()
      },
    }
    expect(await check()).toMatchObject({ lost: 0 })
    expect([await status(orderId), held()]).toEqual(['awaiting-payment', [orderId]])
  })

  it('cancels an order whose timer was lost, a minute after its time (O8)', async () => {
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    rig.clock.now += 900_000 + 59_999
    expect(await check()).toEqual(nothing)
    rig.clock.now += 1
    expect(await check()).toEqual({ ...nothing, overdue: 1 })
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
    expect(held()).toEqual([])
  })

  it('leaves a paid order its units, however old (I2)', async () => {
    const [orderId] = await rig.sell(1)
    if (orderId === undefined) throw new Error('nothing was sold')
    await happen(orderId, { kind: 'payment-started', graceMs: 0 })
    const payment = { paymentId: `${orderId}.1`, amount: 10, currency: 'CNY' }
    await happen(orderId, { kind: 'payment-succeeded', ...payment })
    rig.clock.now += 100 * holdAgeMs
    expect(await check()).toEqual(nothing)
    expect([await status(orderId), held()]).toEqual(['paid', [orderId]])
  })
})
