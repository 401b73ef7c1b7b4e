/** Red packets are reconciled through the real scripts: lost ones are recovered, and unclaimed money is returned. */

import { describe, expect, it } from 'vitest'
import { readLive } from '../../../../functions/control/live.ts'
import { closeDelayMs, returnUnclaimed } from '../../../../functions/recovery/packets/close-budget.ts'
import { deliveryMs } from '../../../../functions/recovery/stock/held-back.ts'
import { repair } from '../../../../functions/sales/repair-sale.ts'
import { advanceSale } from '../../../../functions/sales/window-steps.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import type { Commander } from '../../../../redis/command.ts'
import { readGate } from '../../../../redis/gate/gate.ts'
import { stockKeys } from '../../../../redis/keys.ts'
import { acknowledgeOrders } from '../../../../redis/orders/outbox.ts'
import { release } from '../../../../redis/orders/release.ts'
import { updateDefinition } from '../../../../redis/stock/warm.ts'
import { claimIdOf } from '../../../redis/packets/rain.ts'
import { raw } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { withSale } from '../../../world/wire.ts'
import { useWorld, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { count, numbersOf, rainOf, sumOf, totalAmount } from '../rain.ts'

const hour = 3_600_000

const server = useRedis()
const rig = useWorld({ redis: server })

const rain = rainOf(server, () => rig)
const { open, claim, claimOnce, claimAndWrite, claimTheRest, expectAllGone } = rain
const { create, queueHas, deliver, reconcileNow, rebuild, walletOf, money, counts } = rain
const orderOf = (shopper: number) => rig.table.find(claimIdOf({ saleId: phone }, shopper))

describe('the message of a claim', () => {
  it('is written to the outbox again when it was lost, with its packet (I2, O5)', async () => {
    await open()
    await claimAndWrite(1)
    const claims = await claim(2)
    await acknowledgeOrders(server, phone, claims)
    rig.clock.now += deliveryMs
    expect(await reconcileNow()).toMatchObject({ holds: { lost: 1 } })
    await reconcileNow()
    await deliver([])
    expect(await walletOf(2)).toBe(claims[0]?.packet.amount)
    await expectAllGone()
  })

  it('that can never be processed ends as a rejected order, whose packet is handed out again, once (I4, O7)', async () => {
    await open()
    const claims = await claim(1)
    for (const { orderId } of claims) rig.queue.refused.add(orderId)
    for (let run = 0; run < 45 && (await orderOf(1)) === undefined; run += 1) {
      rig.clock.now += 60_000
      await reconcileNow()
    }
    expect(await orderOf(1)).toMatchObject({ status: 'rejected', reason: 'undeliverable', packet: claims[0]?.packet })
    await reconcileNow()
    expect(await claimOnce(1)).toMatchObject({ kind: 'repeat', quantity: 0 })
    expect(numbersOf(await claimAndWrite(2))).toEqual(numbersOf(claims))
    expect(await walletOf(1)).toBe(0)
    await expectAllGone()
  })
})

describe('an order of a red packet that the table rejects', () => {
  /** Rolls Redis back to before shopper 1 claimed, so that shopper 2 gets the same packet. */
  async function claimOneTwice() {
    await open()
    const fallBack = await rig.keepStock()
    const first = await claim(1)
    await fallBack()
    const second = await claim(2)
    expect(numbersOf(second)).toEqual(numbersOf(first))
    return { first, second }
  }

  it('leaves its packet to the order that came first, and its unit to another shopper (P3, I1, I4)', async () => {
    const { first, second } = await claimOneTwice()
    await deliver([...first, ...second])
    expect([await orderOf(1), await orderOf(2)]).toMatchObject([{ status: 'fulfilled' }, { reason: 'over-cap' }])
    for (const _ of ['once', 'again']) {
      expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
      expect(await counts()).toMatchObject({ booked: 1, waiting: count - 1 })
    }
    expect((await rain.waiting()).map(({ number }) => number)).not.toContain(first[0]?.packet.number)
    expect(await claimOnce(2)).toMatchObject({ kind: 'repeat', quantity: 0 })
    await expectAllGone()
  })

  it('keeps the largest packet back from a recovery until then, so that as many are left as units (P3, I1)', async () => {
    const { first, second } = await claimOneTwice()
    await deliver(first)
    await raw(server, 'DEL', stockKeys(phone).packets)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', heldBack: 0 })
    const left = await rain.waiting()
    expect(left).toHaveLength(count - 2)
    const missing = totalAmount - sumOf(first) - left.reduce((sum, { amount }) => sum + amount, 0)
    expect(missing).toBeGreaterThanOrEqual(Math.max(...left.map(({ amount }) => amount)))
    expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
    await deliver(second)
    await reconcileNow()
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    // The gate knows that two were booked.
    expect(await rebuild()).toMatchObject({ kind: 'recovered', heldBack: 1 })
    rig.clock.now += deliveryMs
    await reconcileNow()
    expect(await counts()).toMatchObject({ booked: 1, waiting: count - 1 })
    await expectAllGone()
  })

  it('does so too when its hold is older than any delivery (P3, I4)', async () => {
    const { first, second } = await claimOneTwice()
    rig.clock.now += deliveryMs
    await deliver([...first, ...second])
    await reconcileNow(true)
    expect((await rain.waiting()).map(({ number }) => number)).not.toContain(first[0]?.packet.number)
    expect(await counts()).toMatchObject({ booked: 1, waiting: count - 1 })
    await expectAllGone()
  })
})

describe('a rain that Redis lost (P10)', () => {
  it('is recovered with the same packets: shoppers keep theirs, and all others are available', async () => {
    await open()
    const before = await claimAndWrite(1, 2, 3)
    await rig.loseStock()
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3, units: 3 })
    expect(await counts()).toEqual({
      ...{ total: count, loaded: count, waiting: count - 3, booked: 3, heldBack: 0, stockRevision: 1 },
    })
    expect(await reconcileNow()).toMatchObject({ state: 'in-step', drift: 0 })
    expect(await claimOnce(2)).toMatchObject({ kind: 'repeat', packet: before[1]?.packet })
    const all = [...before, ...(await claimTheRest())]
    expect(new Set(numbersOf(all)).size).toBe(count)
    expect(sumOf(all)).toBe(totalAmount)
    expect(await money()).toEqual({ budget: totalAmount, claimed: totalAmount })
  })

  it('is recovered when only its packets are lost, or only its orders, or when it falls back to an older state', async () => {
    const losses = [
      () => raw(server, 'DEL', stockKeys(phone).packets),
      () => rig.forgetHolds(),
      (fallBack: () => Promise<void>) => fallBack(),
    ]
    for (const [which, lose] of losses.entries()) {
      Object.assign(rig, await world({ redis: server }))
      await open()
      await claimAndWrite(1)
      const fallBack = await rig.keepStock()
      await claimAndWrite(2, 3)
      await lose(fallBack)
      const { state } = await reconcileNow()
      // An older state is consistent, and only lacks orders, which are restored at once.
      expect(state, `loss ${which}`).toBe(which === 2 ? 'in-step' : 'to-recover')
      if (state === 'to-recover') expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3 })
      await expectAllGone()
    }
  })

  it('keeps the packets of claims that only Redis knows, sent or not (I2)', async () => {
    await open()
    const claims = await claim(1, 2)
    await acknowledgeOrders(server, phone, claims.slice(1))
    await raw(server, 'DEL', stockKeys(phone).packets)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 0, heldBack: 0 })
    for (const [at, { packet }] of claims.entries()) {
      expect(await claimOnce(at + 1)).toMatchObject({ kind: 'repeat', packet })
    }
    await deliver(claims)
    await expectAllGone()
  })

  it('is loaded anew when an order ends while its packets are loaded (I4)', async () => {
    await open()
    await claimAndWrite(1)
    const moving = await claim(2, 3)
    await raw(server, 'DEL', stockKeys(phone).packets)
    const orders = moving.map(({ orderId, shopperId }) => [{ orderId, shopperId }])
    const heal = rig.stock.before('load-packets', async () => void (await release(server, phone, orders.pop() ?? [])))
    // The gate knows that three were claimed.
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 2 })
    heal()
    rig.queue.messages.length = 0
    expect(await counts()).toMatchObject({ booked: 3, heldBack: 2, waiting: count - 3 })
    rig.clock.now += deliveryMs
    await reconcileNow()
    await expectAllGone()
  })

  it('stays closed while it is recovered, and no other function loads packets meanwhile (I6)', async () => {
    await open()
    await claimAndWrite(1)
    await raw(server, 'DEL', stockKeys(phone).packets)
    const heal = rig.stock.fail('load-packets')
    await expect(rebuild()).rejects.toThrow('unavailable')
    heal()
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(await rig.act('resume')).toMatchObject({ status: 200 })
    expect(await counts()).toMatchObject({ waiting: 0, booked: 1 })
    expect((await claimOnce(5)).kind).toBe('unavailable')
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 0 })
    await expectAllGone()
  })

  it('is complete after a recovery that was cut off at any call and started again (I5)', async () => {
    for (const where of ['before', 'after'] as const) {
      const calls = await atEachCut(async (call) => {
        Object.assign(rig, await world({ redis: server }))
        await open()
        const before = await claimAndWrite(1, 2)
        await raw(server, 'DEL', stockKeys(phone).packets)
        const cut = cutOffAt(rig.ports, ['stock', 'table'], call, where)
        const first = await rebuild(cut.ports).catch((error: Error) => isCutOff(error))
        if (cut.calls() < call) return false
        expect(first, `${where} call ${call}`).toBe(true)
        rig.clock.now += 10_000
        expect(await rebuild(), `${where} call ${call}`).toMatchObject({ kind: 'recovered', orders: 2 })
        expect(sumOf([...before, ...(await claimTheRest())]), `${where} call ${call}`).toBe(totalAmount)
        return true
      })
      expect(calls).toBeGreaterThan(28)
    }
  })
})

describe('waves (R7)', () => {
  async function openWaves() {
    const { now } = rig.clock
    const first = { startsAt: now, endsAt: now + hour, stock: 3, totalAmount: 100 }
    const startsAt = first.endsAt + hour
    const second = { startsAt, endsAt: startsAt + hour, stock: 2, totalAmount: 1100 }
    const { endsAt } = first
    await open({ startsAt: now, endsAt, packets: undefined, windows: [first, second] })
    return { first, second }
  }

  const moveOnNow = () => advanceSale(rig.ports, { who: 'reconcile', requestId: 'r' }, phone)

  it('bring their own packets when the sale moves on to them, and add up to the cent', async () => {
    const { first, second } = await openWaves()
    expect(await counts()).toEqual({ total: 3, loaded: 3, waiting: 3, booked: 0, heldBack: 0, stockRevision: 0 })
    const early = await claimAndWrite(1, 2)
    rig.clock.now = first.endsAt
    await moveOnNow()
    expect(await counts()).toEqual({ total: 5, loaded: 5, waiting: 3, booked: 2, heldBack: 0, stockRevision: 1 })
    await expect(claim(3)).rejects.toThrow(/not-started|stale-page/)
    rig.clock.now = second.startsAt
    await moveOnNow()
    const late = await claimAndWrite(3, 4, 5)
    expect(sumOf([...early, ...late])).toBe(1200)
    // The rest of the first wave comes first.
    expect(numbersOf(late)).toEqual([2, 3, 4])
    expect(await money()).toEqual({ budget: 1200, claimed: 1200 })
  })

  it('are not reported as sold out by a repair between the new units and their packets', async () => {
    const { first, second } = await openWaves()
    await claimAndWrite(1, 2, 3)
    expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
    expect(await readGate(server, phone)).toMatchObject({ soldOut: true })
    const { table } = rig.ports
    rig.ports.table = onWireAt(table, 'get SEED', () => Promise.reject(new Error('the table is slow')))
    rig.clock.now = first.endsAt
    await expect(moveOnNow()).rejects.toThrow('the table is slow')
    await expect(reconcileNow()).rejects.toThrow('the table is slow')
    expect(await readGate(server, phone)).toMatchObject({ soldOut: false })
    rig.ports.table = table
    rig.clock.now = second.startsAt
    await moveOnNow()
    expect(await claimAndWrite(4, 5)).toHaveLength(2)
  })

  it('are not taken for a Redis that was rolled back by a repair that reads while they are added', async () => {
    const { first, second } = await openWaves()
    await claimAndWrite(1, 2, 3)
    await reconcileNow()
    rig.clock.now = first.endsAt
    const { stock } = rig.ports
    let isFirst = true
    const late: Commander = {
      async exec(args) {
        const isCounting = isFirst && args[0] === 'EVALSHA'
        if (isCounting) isFirst = false
        if (isCounting) await moveOnNow()
        return stock.exec(args)
      },
    }
    expect((await repair({ ...rig.ports, stock: late }, phone)).kind).not.toBe('to-recover')
    rig.clock.now = second.startsAt
    await moveOnNow()
    expect(await claimAndWrite(4, 5)).toHaveLength(2)
  })
})

describe('what is left when a rain is over', () => {
  const end = async () => {
    rig.clock.now = (await rig.sale()).endsAt + closeDelayMs
  }

  it('goes back to the budget once every claim is credited: claimed and left are the whole, to the cent', async () => {
    await open()
    const claims = await claimAndWrite(1, 2, 3)
    rig.clock.now = (await rig.sale()).endsAt - 1
    await claim(4)
    rig.clock.now += 1
    // Shopper 4 claimed right at the end, and nothing is returned before that is credited.
    expect(await reconcileNow()).toMatchObject({ waiting: 1 })
    await end()
    expect(await reconcileNow()).toMatchObject({ resent: 1 })
    expect(await money()).toEqual({ budget: totalAmount, claimed: sumOf(claims) })
    await deliver([])
    await reconcileNow()
    const claimed = sumOf(claims) + (await walletOf(4))
    expect(await money()).toEqual({ budget: totalAmount, claimed, closedAt: rig.clock.now })
    expect(await counts()).toMatchObject({ total: count, loaded: 4, waiting: 0, booked: 4, heldBack: 0 })
    const live = await readLive(rig.ports, phone)
    const left = totalAmount - claimed
    expect(live?.money).toEqual({ budget: totalAmount, claimed, left, returned: left })
    expect(rig.audit().at(-1)).toMatchObject({
      what: 'return',
      who: 'reconcile',
      after: { budget: totalAmount, claimed, returned: left },
    })
  })

  it('goes back when the rain was closed early, or never began', async () => {
    await open()
    await rig.act('close')
    await reconcileNow()
    expect(await money()).toMatchObject({ claimed: 0, closedAt: rig.clock.now })
    Object.assign(rig, await world({ redis: server }))
    await raw(server, 'FLUSHALL')
    await create()
    await rig.act('warm')
    await end()
    await reconcileNow()
    expect(await money()).toMatchObject({ claimed: 0, closedAt: rig.clock.now })
  })

  it('stays while claims of any rain are on their way, or Redis and the table disagree', async () => {
    await open()
    await claimAndWrite(1)
    await end()
    queueHas(1)
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    queueHas(0)
    await rig.forget(claimIdOf({ saleId: phone }, 1))
    await reconcileNow()
    expect(await counts(), 'the order is put back first').toMatchObject({ booked: 1, waiting: 0 })
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('goes back though other rains fill the queue all the time, once no claim of this one can be in it', async () => {
    await open()
    await claimAndWrite(1)
    await end()
    queueHas(1)
    rig.clock.now += deliveryMs - closeDelayMs - 1
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    rig.clock.now += 1
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('is not taken from a shopper who claims a packet just before the budget is closed (I2)', async () => {
    await open()
    await claimAndWrite(1)
    // Redis does not know yet that the sale is closed.
    const heal = rig.stock.fail('warm')
    await expect(rig.act('close')).rejects.toThrow('unavailable')
    heal()
    const done = rig.stock.before('retire-packets', async () => {
      done()
      await claim(2)
      await updateDefinition(server, await rig.sale())
    })
    await returnUnclaimed(rig.ports, await rig.sale())
    expect((await money())?.closedAt).toBeUndefined()
    rig.clock.now += 10_000
    await reconcileNow()
    await deliver([])
    await reconcileNow()
    expect(await walletOf(2)).toBeGreaterThan(0)
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })

  it('is not blocked for ever by a claim of a packet that another order has (P3)', async () => {
    await open()
    const fallBack = await rig.keepStock()
    await claimAndWrite(1)
    await fallBack()
    const [second] = await claim(2)
    await end()
    await deliver(second ? [second] : [])
    for (let run = 0; run < 3; run += 1) {
      if ((await reconcileNow()).state === 'to-recover') await rebuild()
    }
    expect(await orderOf(2)).toMatchObject({ reason: 'over-cap' })
    expect(await money()).toMatchObject({ claimed: await walletOf(1), closedAt: expect.any(Number) })
    expect(await counts()).toMatchObject({ booked: 1, waiting: 0 })
  })

  it('stays when the end was moved after the sale was listed, even before Redis has the new end (P3)', async () => {
    await open()
    const listed = await rig.sale()
    rig.clock.now = listed.endsAt + closeDelayMs
    const { table } = rig.ports
    rig.ports.table = withSale(table, () => ({ ...listed, endsAt: listed.endsAt + hour }))
    expect(await returnUnclaimed(rig.ports, listed)).toBeUndefined()
    expect(await counts()).toMatchObject({ waiting: count })
    rig.ports.table = table
    expect(await returnUnclaimed(rig.ports, listed)).toBe(totalAmount)
  })

  it('stays while a marketer may still extend the rain, and for a run that listed the sale before that', async () => {
    await open()
    await claimAndWrite(1)
    const before = await rig.sale()
    rig.clock.now = before.endsAt - 1
    expect(await rig.ask('PATCH', '/sales/phone', { endsAt: before.endsAt + hour })).toMatchObject({ status: 200 })
    rig.clock.now = before.endsAt + closeDelayMs
    expect(await returnUnclaimed(rig.ports, before)).toBeUndefined()
    rig.clock.now = before.endsAt + hour
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    expect(await counts()).toMatchObject({ waiting: count - 1 })
    await end()
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
  })
})
