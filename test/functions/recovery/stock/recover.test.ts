/** Redis loses a sale, or is rolled back; the table has all orders (P10). */

import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import { deliveryMs, emptyQueueMs, redriveRecorder } from '../../../../functions/recovery/stock/held-back.ts'
import { recoveryTimeLimitMs } from '../../../../functions/recovery/stock/recover.ts'
import { replenishAdmissions } from '../../../../functions/sales/admissions.ts'
import { saleTotals } from '../../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { publishRestocked, publishSoldOut } from '../../../../redis/gate/gate.ts'
import { admissionsKey } from '../../../../redis/keys.ts'
import { orderIdOf, raw } from '../../../redis/support.ts'
import { testStore } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { onSlowWalks, onWalks, withoutOrders } from '../../../world/wire.ts'
import { useWorld, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff, type Where } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { repairsOf } from '../repairs.ts'

const rig = useWorld()
beforeEach(() => rig.open())

const { recover: run, reconcileSale: reconcile } = repairsOf(() => rig)
const stockRecord = () => rig.stockRecord()
const gate = () => rig.facts()
const held = () => rig.held()
/** The gate's store is another Redis. */
const loseRedis = () => rig.loseStock()
/** The writer takes messages while a recovery waits for them. */
const deliverMeanwhile = () => {
  rig.ports.sleep = async (milliseconds) => {
    rig.clock.now += milliseconds
    await rig.deliver()
  }
}
/** Another sale sells: its messages come faster than they are written. */
const anotherSells = () => {
  const { depth } = rig.ports.orderQueue
  const busy = async () => {
    const { visible, ...rest } = await depth()
    return { visible: visible + 40, ...rest }
  }
  rig.ports.orderQueue = { ...rig.ports.orderQueue, depth: busy }
}
describe('recover', () => {
  it('closes the gate before it waits for messages on their way (I6)', async () => {
    await rig.sell(1)
    await loseRedis()
    const frozen: unknown[] = []
    rig.ports.sleep = async (milliseconds) => {
      rig.clock.now += milliseconds
      frozen.push((await gate())?.frozen)
    }
    await run()
    expect([...new Set(frozen)]).toEqual([true])
    expect(await gate()).toMatchObject({ frozen: false })
  })

  it('restores a sale that Redis has lost completely: every order with its units, the rest for sale (P10, I1, I4)', async () => {
    const orderIds = await rig.sell(4)
    await rig.cancel(orderIds[0])
    // The released unit is published to the gate, as in each second of a running sale.
    rig.clock.now += 3_000
    await replenishAdmissions(rig.ports, phone)
    const before = await rig.sale()
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 3, units: 3 })
    expect(await stockRecord()).toMatchObject({ total: 10, booked: 3, frozen: false })
    expect(await held()).toEqual(orderIds.slice(1).sort())
    const after = await rig.sale()
    expect(after).toMatchObject({ epoch: before.epoch + 1, version: before.version + 1, flag: 'on' })
    expect(after.startToken).not.toBe(before.startToken)
    expect((await stockRecord())?.sale).toMatchObject({ startToken: after.startToken, version: after.version })
    expect(await gate()).toMatchObject({ frozen: false, soldOut: false, startToken: after.startToken })
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 7, version: after.version })
    expect(rig.audit().at(-1)).toMatchObject({
      who: 'mia',
      what: 'recover',
      before: { epoch: before.epoch },
      after: { epoch: after.epoch },
    })
    expect(rig.telemetry.counted('SaleRecovered')).toBe(1)
  })

  it('reserves nothing under the id of an order that is already final (I3, I5)', async () => {
    const [given, kept] = await rig.sell(2)
    await rig.cancel(given)
    await loseRedis()
    await run()
    await expect(rig.reserve(1)).rejects.toThrow('repeat')
    await expect(rig.reserve(2)).rejects.toThrow('repeat')
    await rig.buy(2, { order: 2 })
    await expect(rig.buy(2, { order: 3 })).rejects.toThrow('limit-reached')
    expect(await held()).toContain(kept)
  })

  it('corrects an older state: restores what it lost, and releases what it should not hold (P10, I4)', async () => {
    const [given] = await rig.sell(1)
    const fallBack = await rig.keepStock()
    await rig.cancel(given)
    const later = [await rig.buy(2), await rig.buy(3, { quantity: 2 })]
    await rig.deliver()
    await rig.act('stock', { delta: 5 })
    await fallBack()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 2, units: 3 })
    expect(await stockRecord()).toMatchObject({ total: 15, booked: 3, frozen: false })
    expect(await held()).toEqual(later.sort())
  })

  it('publishes a later revision to the gate, sold out or not (G4, G7)', async () => {
    await rig.sellOut()
    for (const stockRevision of [3, 4]) await publishRestocked(rig.redis, phone, stockRevision)
    await publishSoldOut(rig.redis, phone, 7)
    await rig.loseStock()
    await run()
    expect(await gate()).toMatchObject({ soldOut: true, soldOutRevision: 8, restockedRevision: 8 })
    await rig.cancel(orderIdOf(phone, 1, 1))
    expect(await gate()).toMatchObject({ soldOut: false })
  })

  it('keeps an unlimited sale unlimited (S4)', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ stock: -1 })
    await rig.sell(3)
    await loseRedis()
    await run()
    expect(await stockRecord()).toMatchObject({ total: -1, booked: 3 })
    expect(rig.published.filter((published) => published.startsWith('sold-out'))).toEqual([])
  })

  it.each(['paused', 'closed', 'over'])('gives no token to a sale that is %s', async (state) => {
    await rig.sell(2)
    if (state === 'paused') await rig.act('pause')
    if (state === 'closed') await rig.act('close')
    if (state === 'over') rig.clock.now += 7_200_000
    const before = await rig.sale()
    await loseRedis()
    await run()
    const { flag, epoch } = await rig.sale()
    expect([flag, epoch]).toEqual([before.flag, before.epoch + (state === 'paused' ? 1 : 0)])
    expect(await stockRecord()).toMatchObject({ booked: 2, frozen: false, sale: { flag } })
    await expect(rig.buy(7)).rejects.toThrow(state === 'paused' ? 'paused' : 'ended')
  })

  it('keeps the unit of a reservation whose message became a dead letter while the table was unavailable (I2)', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ stock: 1 })
    const orderId = await rig.buy(1)
    rig.queue.dead.push(...rig.queue.messages.splice(0))
    await loseRedis()
    deliverMeanwhile()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 1, units: 1 })
    await expect(rig.buy(2)).rejects.toThrow('sold-out')
    expect([await held(), (await rig.table.find(orderId))?.status]).toEqual([[orderId], 'awaiting-payment'])
  })

  it('does not wait for an unreadable dead letter, and keeps its unit (I2, I6)', async () => {
    const orderIds = await rig.sell(2)
    const hopeless = await rig.buy(3)
    rig.queue.dead.push(...rig.queue.messages.splice(0))
    rig.queue.hopeless.add(hopeless)
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 1 })
    expect(await held()).toEqual(orderIds.sort())
    expect(rig.queue.dead).toHaveLength(1)
  })

  it('recovers while SQS does not answer: what may wait there is held back (I2, I6)', async () => {
    await rig.buy(1)
    await loseRedis()
    rig.queue.goDown()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 0, heldBack: 1 })
  })

  it('waits for a request that reserved a unit just before it and is still sending the message (I2)', async () => {
    const orderId = await rig.reserve(1)
    const messages = await rig.waiting()
    await loseRedis()
    const startedAt = rig.clock.now
    rig.ports.sleep = async (milliseconds) => {
      rig.clock.now += milliseconds
      await rig.deliver()
      if (rig.clock.now === startedAt + 1000) rig.queue.messages.push(...messages)
    }
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 0 })
    expect(await held()).toEqual([orderId])
  })

  it('sends every message of an outbox that survived (O4, I2)', async () => {
    const [sent, refused] = [await rig.reserve(1), await rig.reserve(2)]
    rig.queue.refused.add(refused)
    deliverMeanwhile()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 1, units: 1 })
    expect(await stockRecord()).toMatchObject({ booked: 2 })
    expect([await held(), await rig.waiting()]).toEqual([
      [sent, refused].sort(),
      [expect.objectContaining({ orderId: refused })],
    ])
  })

  it('keeps the sale frozen while the list of orders lags behind its totals, and tries again (P10)', async () => {
    const orderIds = await rig.sell(3)
    await loseRedis()
    let walks = 0
    rig.ports.table = onWalks(rig.ports.table, phone, (page, walk) => {
      walks = walk
      return walk < 3 ? page.slice(1) : page
    })
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 3 })
    expect([walks, await held()]).toEqual([3, orderIds.sort()])
    rig.ports.table = withoutOrders(rig.ports.table)
    expect(await run()).toMatchObject({ kind: 'unfinished' })
    expect(await stockRecord()).toMatchObject({ frozen: true })
  })

  it('does not accept a list in which one order is missing and another has ended (I2, I4)', async () => {
    const [ended, missing] = await rig.sell(2)
    await loseRedis()
    await rig.cancel(ended)
    let walks = 0
    rig.ports.table = onWalks(rig.ports.table, phone, (page, walk) => {
      walks = walk
      if (walk >= 3) return page
      const listed = page.filter(({ sk }) => sk !== missing)
      return listed.map((order) => ({ ...order, status: 'awaiting-payment' }))
    })
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 1, units: 1 })
    expect([walks, await held()]).toEqual([3, [missing]])
  })

  it('stops at its deadline in the middle of a long list, and keeps the sale frozen (I6)', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ stock: 500 })
    await rig.sell(250)
    await loseRedis()
    const { walked, slow } = onSlowWalks(rig.ports.table, () => {
      rig.clock.now += recoveryTimeLimitMs
    })
    rig.ports.table = slow
    expect(await run()).toMatchObject({ kind: 'unfinished' })
    expect([walked.pages, (await stockRecord())?.frozen]).toEqual([1, true])
  })

  it('holds nothing for an order that is released while it runs (I4)', async () => {
    const [orderId, other] = await rig.sell(2)
    await loseRedis()
    const done = rig.stock.before('restore', async () => {
      done()
      await rig.cancel(orderId)
    })
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 1 })
    expect(await held()).toEqual([other])
  })

  it('rejects sales that were never started', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    expect(await run()).toEqual({ kind: 'no-sale' })
    await rig.create()
    await rig.act('warm')
    expect(await run()).toMatchObject({ kind: 'refused' })
    expect(await stockRecord()).toMatchObject({ frozen: false })
  })
})

describe('a sale that lost Redis while messages are on their way', () => {
  it('sells again within ten seconds while another sale sends messages all the time (I2, I6)', async () => {
    await rig.sell(3)
    anotherSells()
    await loseRedis()
    const startedAt = rig.clock.now
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 3, heldBack: 0 })
    await rig.buy(7)
    expect(rig.clock.now - startedAt).toBeLessThanOrEqual(10_000)
  })

  it('rejects no reserved order that arrives after it reopens, and sells no unit twice (I1, I2)', async () => {
    await rig.sell(2)
    const late = [await rig.buy(3, { quantity: 2 }), await rig.buy(4), await rig.buy(5)]
    const messages = rig.queue.messages.splice(0)
    anotherSells()
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 4 })
    expect(await stockRecord()).toMatchObject({ total: 10, booked: 6, heldBack: 4 })
    for (const shopper of [10, 11, 12, 13]) await rig.buy(shopper)
    await expect(rig.buy(14)).rejects.toThrow('unavailable')
    rig.queue.messages.push(...messages)
    await rig.deliver()
    expect(await saleTotals(rig.table.table, phone)).toMatchObject({ sold: 10, remaining: 0 })
    for (const orderId of late) expect(await rig.table.find(orderId)).toMatchObject({ status: 'awaiting-payment' })
    expect(await reconcile()).toMatchObject({ drift: -4, holds: { restored: 3 } })
    expect(await stockRecord()).toMatchObject({ booked: 10, heldBack: 0 })
    expect(await held()).toEqual(expect.arrayContaining(late))
  })

  it('holds back units of a stock change that was cut off after Redis had sold some of them (I1, I2)', async () => {
    for (const shopper of [1, 2, 3, 4, 5]) await rig.buy(shopper, { quantity: 2 })
    await rig.without('gate', () => rig.act('stock', { delta: 5 }))
    await rig.buy(6, { quantity: 2 })
    const messages = rig.queue.messages.splice(0)
    await replenishAdmissions(rig.ports, phone)
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 0, heldBack: 12 })
    expect(await stockRecord()).toMatchObject({ total: 15, booked: 12, heldBack: 12 })
    rig.queue.messages.push(...messages)
    await rig.deliver()
    expect(await saleTotals(rig.table.table, phone)).toMatchObject({ sold: 12, remaining: 3 })
    expect((await findSale(rig.table, phone))?.pendingStock).toBeUndefined()
  })

  it('holds back what a click without a known outcome may have reserved, and nothing that was written (I2)', async () => {
    await rig.sell(2)
    const second = Math.floor(rig.clock.now / 1000)
    for (const field of [`b${second}`, 'out']) await raw(rig.redis, 'HSET', admissionsKey(phone), field, '3')
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 6 })
    expect(await stockRecord()).toMatchObject({ booked: 8 })
    expect(rig.pointer()).toMatchObject({ remaining: 2 })
  })

  it('keeps what it holds back when Redis is lost once more (I2)', async () => {
    const first = await rig.buy(1)
    const messages = rig.queue.messages.splice(0)
    await loseRedis()
    await run()
    const second = await rig.buy(2)
    messages.push(...rig.queue.messages.splice(0))
    await loseRedis()
    expect(await run()).toMatchObject({ kind: 'recovered', orders: 0, heldBack: 2 })
    rig.queue.messages.push(...messages)
    await rig.deliver()
    await reconcile()
    expect([await held(), (await stockRecord())?.booked]).toEqual([[first, second].sort(), 2])
  })

  it('gives no held-back unit to an order of its new epoch (I2)', async () => {
    await rig.buy(1)
    rig.queue.messages.length = 0
    await loseRedis()
    await run()
    const later = await rig.buy(2)
    await rig.deliver()
    await rig.forget(later)
    await reconcile()
    expect(await stockRecord()).toMatchObject({ booked: 2, heldBack: 1 })
  })
})

describe('units that are held back', () => {
  /** One unit is held back for a message that was lost. */
  async function holdBack(): Promise<OrderId> {
    const lost = await rig.buy(1)
    rig.queue.messages.length = 0
    await loseRedis()
    await run()
    expect(await stockRecord()).toMatchObject({ booked: 1, heldBack: 1 })
    return lost
  }

  it('are sold once no message can arrive any more, independent of other sales (I1)', async () => {
    anotherSells()
    await holdBack()
    for (const shopper of [10, 11, 12, 13]) await rig.buy(shopper, { quantity: 2 })
    await rig.buy(14)
    await rig.deliver()
    await expect(rig.buy(15)).rejects.toThrow('unavailable')
    expect(await gate()).toMatchObject({ soldOut: false })
    const { stockRevision = 0 } = (await stockRecord()) ?? {}
    rig.clock.now += deliveryMs - 60_000
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.clock.now += 60_000
    await reconcile()
    expect(await stockRecord()).toMatchObject({ booked: 9, heldBack: 0, stockRevision: stockRevision + 1 })
    expect(await gate()).toMatchObject({ soldOut: false, restockedRevision: stockRevision + 1 })
    await rig.buy(15)
  })

  it('are sold sooner when the queue stays empty for longer than its counts take to settle (I1)', async () => {
    await holdBack()
    await reconcile()
    rig.clock.now += emptyQueueMs - 1
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.clock.now += 1
    await reconcile()
    expect(await stockRecord()).toMatchObject({ booked: 0, heldBack: 0 })
  })

  it('wait as long from the reopening when the clock that finds the queue empty is behind (I1, I2)', async () => {
    await holdBack()
    rig.clock.now -= 60_000
    await reconcile()
    rig.clock.now += emptyQueueMs
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.clock.now += 60_000
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 0 })
  })

  it('wait again when the queue was not empty in between (I2)', async () => {
    await holdBack()
    await reconcile()
    rig.clock.now += emptyQueueMs / 2
    const { orderQueue } = rig.ports
    anotherSells()
    await reconcile()
    rig.ports.orderQueue = orderQueue
    rig.clock.now += emptyQueueMs / 2
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.clock.now += emptyQueueMs
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 0 })
  })

  it('stay as long as a dead letter may be redriven (I2)', async () => {
    const orderId = await rig.buy(1)
    await rig.buy(2)
    rig.queue.dead.push(...rig.queue.messages.splice(0, 1))
    rig.queue.messages.length = 0
    await loseRedis()
    rig.queue.hopeless.add(orderId)
    await run()
    expect(await stockRecord()).toMatchObject({ heldBack: 2 })
    rig.clock.now += deliveryMs
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.queue.messages.push(...rig.queue.dead.splice(0))
    await rig.deliver()
    await reconcile()
    expect([await held(), (await stockRecord())?.heldBack]).toEqual([[orderId], 0])
  })

  it('stay as long as a redriven dead letter may be on its way (I2)', async () => {
    const orderId = await rig.buy(1)
    rig.queue.dead.push(...rig.queue.messages.splice(0))
    await loseRedis()
    anotherSells()
    rig.queue.hopeless.add(orderId)
    await run()
    rig.clock.now += deliveryMs - 60_000
    rig.queue.hopeless.clear()
    await rig.ports.deadOrders.retry(rig.clock.now, redriveRecorder(rig.ports))
    const sentAgain = rig.queue.messages.splice(0)
    rig.clock.now += 120_000
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.queue.messages.push(...sentAgain)
    await rig.deliver()
    await reconcile()
    expect([await held(), (await stockRecord())?.heldBack]).toEqual([[orderId], 0])
  })

  it('stay while an order that arrived is not listed yet (I1, I2)', async () => {
    const orderId = await rig.buy(1)
    const messages = rig.queue.messages.splice(0)
    await loseRedis()
    await run()
    rig.queue.messages.push(...messages)
    await rig.deliver()
    rig.clock.now += deliveryMs
    const { table } = rig.ports
    rig.ports.table = withoutOrders(table)
    await reconcile()
    expect(await stockRecord()).toMatchObject({ booked: 1, heldBack: 1 })
    rig.ports.table = table
    await reconcile()
    expect([await held(), (await stockRecord())?.heldBack]).toEqual([[orderId], 0])
  })

  it('stay while the queue, or its dead letters, cannot be read (I2)', async () => {
    await holdBack()
    rig.clock.now += deliveryMs
    rig.queue.goDown()
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 1 })
    rig.queue.comeUp()
    await reconcile()
    expect(await stockRecord()).toMatchObject({ heldBack: 0 })
  })
})

describe('two concurrent recoveries', () => {
  it('have the result of one, though the first has lost its lock without noticing (K3, I5)', async () => {
    const orderIds = await rig.sell(3)
    await loseRedis()
    const held2 = Promise.withResolvers<void>()
    const slow = testStore(rig.stock)
    slow.before('restore', () => held2.promise)
    const first = run({ ...rig.ports, stock: slow })
    await expect.poll(stockRecord).toMatchObject({ frozen: true })
    rig.clock.now += 10_000
    expect(await run()).toMatchObject({ kind: 'recovered' })
    await rig.buy(7)
    held2.resolve()
    await first
    await rig.deliver()
    expect(await stockRecord()).toMatchObject({ total: 10, booked: 4, frozen: false })
    expect(await held()).toHaveLength(orderIds.length + 1)
    expect((await stockRecord())?.sale).toMatchObject({ version: (await rig.sale()).version })
  })

  it('stop at the next step after a lost lock is noticed (K6)', async () => {
    await rig.sell(1)
    await loseRedis()
    let renew = () => {}
    rig.ports.every = (_milliseconds, task) => {
      renew = task
      return () => undefined
    }
    rig.stock.before('restore', () => {
      rig.clock.now += 10_000
      renew()
    })
    await expect(run()).rejects.toThrow('lock')
    expect(await stockRecord()).toMatchObject({ frozen: true })
  })
})

describe('a marketer who acts while a sale is recovered', () => {
  /** Does `act` right before the freeze would be lifted the first time. */
  const justBefore = (step: 'restore' | 'unfreeze', act: () => Promise<unknown>) => {
    const done = rig.stock.before(step, async () => {
      done()
      await act()
    })
  }

  it.each([
    ['restore', 'pause', 'paused'],
    ['unfreeze', 'pause', 'paused'],
    ['restore', 'close', 'closed'],
    ['unfreeze', 'close', 'closed'],
  ] as const)('acts before the %s by a %s: the sale stays %s, and is recovered (G2)', async (step, act, flag) => {
    await rig.sell(2)
    await loseRedis()
    justBefore(step, async () => {
      expect(await rig.act(act)).toMatchObject({ status: 200 })
      expect(await stockRecord()).toMatchObject({ frozen: true })
      expect(await gate()).toMatchObject({ frozen: true, flag })
    })
    expect(await run()).toMatchObject({ kind: 'recovered' })
    expect(await rig.sale()).toMatchObject({ flag, ...(act === 'pause' && { epoch: 2 }) })
    expect(await stockRecord()).toMatchObject({ booked: 2, frozen: false, sale: { flag } })
    expect(await gate()).toMatchObject({ frozen: false, flag })
    expect(rig.pointer()).toMatchObject({ phase: flag === 'paused' ? 'paused' : 'ended' })
  })

  it.each([
    ['restore', 5, 15],
    ['unfreeze', 5, 15],
    ['restore', -5, 5],
    ['unfreeze', -5, 5],
  ] as const)('changes the stock before %s by %d: the change is applied once (I1, I5)', async (step, delta, total) => {
    await rig.sell(2)
    await loseRedis()
    justBefore(step, async () => {
      const answer = await rig.act('stock', { delta })
      expect(answer).toMatchObject({ status: 409, body: { reason: 'change-saved' } })
    })
    expect(await run()).toMatchObject({ kind: 'recovered' })
    expect(await stockRecord()).toMatchObject({ total, booked: 2, frozen: false })
    expect(await rig.sale()).toMatchObject({ stock: total })
    expect((await saleTotals(rig.table.table, phone))?.remaining).toBe(total - 2)
  })

  it('of a closed sale is not undone by a stock change that another function finishes meanwhile (I1)', async () => {
    await rig.sell(2)
    await rig.act('close')
    const published = Promise.withResolvers<void>()
    const heal = rig.gate.before('publish-stock', () => published.promise)
    const change = rig.act('stock', { delta: 5 })
    await expect.poll(stockRecord).toMatchObject({ total: 15 })
    heal()
    rig.stock.after('unfreeze', async () => {
      published.resolve()
      await change
    })
    expect(await run()).toMatchObject({ kind: 'recovered' })
    expect(await change).toMatchObject({ status: 200, body: { total: 15 } })
    expect([(await stockRecord())?.total, (await rig.sale()).stock]).toEqual([15, 15])
  })
})

describe('a recovery that is cut off', () => {
  const names = ['stock', 'gate', 'table', 'orderQueue', 'deadOrders', 'publisher'] as const

  /** A sale in every state, whose Redis then loses all data or is rolled back. */
  async function damaged(how: 'lost' | 'older'): Promise<void> {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open()
    const [given] = await rig.sell(3)
    const fallBack = await rig.keepStock()
    await rig.cancel(given)
    await rig.buy(4, { quantity: 2 })
    await rig.deliver()
    await rig.without('gate', () => rig.act('stock', { delta: 5 }))
    if (how === 'lost') await loseRedis()
    else await fallBack()
  }

  async function calmEnd() {
    const { epoch, startToken, version, updatedAt, ...rest } = await rig.sale()
    const there = await stockRecord()
    const facts = await gate()
    return {
      sale: rest,
      gate: [facts?.flag, facts?.frozen, facts?.soldOut],
      stock: [there?.total, there?.booked, there?.frozen, there?.change],
      held: await held(),
      buyers: there?.buyers,
      agrees: [there?.sale, facts].map((of) => [of?.version === version, of?.startToken === startToken]),
      pointer: { ...rig.pointer(), version: 0, src: '', at: 0 },
    }
  }

  it.each([
    ['lost', 'before'],
    ['lost', 'after'],
    ['older', 'before'],
    ['older', 'after'],
  ] as const)(
    'after a state that is %s, %s any of its calls, has the same result when it runs again (I5, I6, P10)',
    async (how, where: Where) => {
      await damaged(how)
      await run()
      const wanted = await calmEnd()
      expect(wanted.stock.slice(0, 3)).toEqual([15, 4, false])
      const calls = await atEachCut(async (last) => {
        await damaged(how)
        const cut = cutOffAt(rig.ports, names, last, where)
        const isOver = await run(cut.ports).then(
          () => cut.calls() < last,
          (error) => {
            if (!isCutOff(error)) throw error
            return false
          },
        )
        if (isOver) return false
        // The lock of the dead process expires.
        rig.clock.now += 10_000
        const kept = await reconcile({ holdAgeMs: 0 })
        if (kept.state === 'to-recover') await run()
        expect(await calmEnd(), `cut off at call ${last}`).toEqual(wanted)
        return true
      })
      expect(calls).toBeGreaterThan(29)
    },
  )
})
