/** Red packets that a recovery holds back for orders in flight, through the real scripts (P3, P10, I2). */

import { describe, expect, it } from 'vitest'
import { closeDelayMs } from '../../../../functions/recovery/packets/close-budget.ts'
import { deliveryMs, emptyQueueMs } from '../../../../functions/recovery/stock/held-back.ts'
import { admissionsKey, stockKeys } from '../../../../redis/keys.ts'
import { readStock } from '../../../../redis/stock/stock.ts'
import { raw } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { withoutCredits } from '../../../world/wire.ts'
import { useWorld, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { type Claimed, count, numbersOf, rainOf } from '../rain.ts'

const server = useRedis()
const rig = useWorld({ redis: server })

const rain = rainOf(server, () => rig)
const { open, claim, claimOnce, deliver, claimAndWrite, claimTheRest, expectAllGone } = rain
const { queueHas, reconcileNow, rebuild, counts, money, waiting } = rain

/** Messages of shoppers 3 to 5 are in flight when the stock is lost, and another sale keeps the queue busy. */
async function loseWithClaimsOnTheWay(): Promise<Claimed[]> {
  await open()
  await claimAndWrite(1, 2)
  const late = await claim(3, 4, 5)
  queueHas(40)
  await rig.loseStock()
  return late
}

/** Reconciles each minute for the given time. */
async function waitMs(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 60_000) {
    rig.clock.now += Math.min(60_000, left)
    await reconcileNow()
  }
}

describe('a sale of red packets that lost Redis', () => {
  it('rejects no order that arrives after it reopens, and hands out none of their packets (I2, P3)', async () => {
    const late = await loseWithClaimsOnTheWay()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 3 })
    expect(numbersOf(await claimAndWrite(10))).toEqual([5])
    await waitMs(deliveryMs - 60_000)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    await deliver(late)
    expect(await reconcileNow()).toMatchObject({ state: 'in-step', drift: -3, holds: { restored: 3 } })
    expect(await counts()).toMatchObject({ booked: 6, heldBack: 0, waiting: count - 6 })
    expect(await claimOnce(4)).toMatchObject({ kind: 'repeat', packet: late[1]?.packet })
    await expectAllGone()
  })

  it('is not sold out for shoppers, the gate or the page while only held-back packets are left (G7)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await claimTheRest()
    expect(await claimOnce(50)).toEqual({ kind: 'unavailable', isHeldBack: true })
    await reconcileNow()
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(rig.pointer()).toMatchObject({ phase: 'held-back', remaining: 0 })
    await waitMs(deliveryMs)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(await counts()).toMatchObject({ waiting: 3, heldBack: 0 })
    await expectAllGone()
  })

  it('hands out packets that no message took once the queue was empty for long enough, lowest first (I1)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await claimAndWrite(10)
    await waitMs(2 * emptyQueueMs)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    queueHas(0)
    await reconcileNow()
    await waitMs(emptyQueueMs - 1)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    rig.clock.now += 1
    await reconcileNow()
    expect(await counts()).toMatchObject({ heldBack: 0, waiting: count - 3 })
    expect((await waiting()).map(({ number }) => number).slice(0, 4)).toEqual([2, 3, 4, 6])
    await expectAllGone()
  })

  it('holds back every packet without an order when the gate has forgotten how many were claimed (I2)', async () => {
    await open()
    await claimAndWrite(1)
    const late = await claim(2)
    queueHas(40)
    await rig.loseStock()
    await raw(server, 'DEL', admissionsKey(phone))
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: count - 1 })
    expect(await claimOnce(9)).toEqual({ kind: 'unavailable', isHeldBack: true })
    await deliver(late)
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ booked: 2, heldBack: 0, waiting: count - 2 })
    await expectAllGone()
  })

  it('holds back a packet for each admission without a known outcome (I2)', async () => {
    await open()
    await claimAndWrite(1)
    const second = Math.floor(rig.clock.now / 1000)
    for (const field of [`b${second}`, 'out']) await raw(server, 'HINCRBY', admissionsKey(phone), field, '2')
    await rig.loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', heldBack: 2 })
    expect(numbersOf(await claim(2))).toEqual([3])
  })

  it('keeps the packet of a dead letter until it is written, and releases the others (I2, O7)', async () => {
    const [, dead] = await loseWithClaimsOnTheWay()
    if (dead === undefined) throw new Error('nothing is late')
    rig.queue.dead.push(dead)
    rig.queue.hopeless.add(dead.orderId)
    await rebuild()
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ heldBack: 1, waiting: count - 3 })
    await claimTheRest()
    expect(await counts()).toMatchObject({ heldBack: 1, waiting: 0 })
    await deliver(rig.queue.dead.splice(0) as Claimed[])
    await reconcileNow()
    expect(await counts()).toMatchObject({ booked: count, heldBack: 0 })
    await expectAllGone()
  })

  it('hands out no packet twice when Redis is lost twice and held-back packets were claimed in between (I2, P3)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await claimAndWrite(10, 11)
    await waitMs(deliveryMs)
    // Packets 2 and 3 go first, and orders of high and low numbers are on their way.
    const late = await claim(20, 21)
    expect(numbersOf(late)).toEqual([2, 3])
    await rig.loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 4, heldBack: 3 })
    expect(numbersOf(await claimAndWrite(30))).toEqual([7])
    await deliver(late)
    await waitMs(deliveryMs)
    await expectAllGone()
  })

  it('holds back an order of a high number that is on its way while low numbers are claimed again (I2, P3)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    const high = await claim(10)
    await raw(server, 'DEL', stockKeys(phone).outbox)
    const { table } = rig.ports
    rig.ports.table = withoutCredits(table)
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ heldBack: 0, booked: 3 })
    rig.ports.table = table
    await rig.loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 4 })
    expect(numbersOf([...high, ...(await claimAndWrite(30))])).toEqual([5, 6])
  })

  it.each(['first', 'second'] as const)(
    'leaves a shopper who claimed twice the packet whose message came first, here the %s, and hands out the other (P3)',
    async (which) => {
      const late = await loseWithClaimsOnTheWay()
      await rebuild()
      const again = await claim(3)
      expect(numbersOf(again)).toEqual([5])
      const first = late.slice(0, 1)
      const [kept] = which === 'first' ? first : again
      await deliver([...(which === 'first' ? [...first, ...again] : [...again, ...first]), ...late.slice(1)])
      await reconcileNow()
      expect(await claimOnce(3)).toMatchObject({ kind: 'repeat', packet: kept?.packet })
      expect(await rain.walletOf(3)).toBe(kept?.packet.amount)
      await waitMs(deliveryMs)
      const other = which === 'first' ? again : first
      expect((await waiting())[0]).toEqual(other[0]?.packet)
      await expectAllGone()
    },
  )

  it('sells every packet although an order arrived between the last chunk and the unfreeze (I1, P10)', async () => {
    const late = await loseWithClaimsOnTheWay()
    const done = rig.stock.before('unfreeze', async () => {
      done()
      await deliver(late)
      await reconcileNow(true)
    })
    expect(await rebuild()).toMatchObject({ kind: 'recovered' })
    await waitMs(2 * deliveryMs)
    await expectAllGone()
  })

  it('is complete after the release of packets was cut off at any call (I5)', async () => {
    for (const where of ['before', 'after'] as const) {
      const calls = await atEachCut(async (call) => {
        Object.assign(rig, await world({ redis: server }))
        await loseWithClaimsOnTheWay()
        await rebuild()
        await claimTheRest()
        rig.clock.now += deliveryMs
        const whole = rig.ports
        const cut = cutOffAt(whole, ['stock', 'gate', 'shopfront'], call, where)
        rig.ports = cut.ports
        await reconcileNow().catch((error: Error) => expect(isCutOff(error), `${where} call ${call}`).toBe(true))
        rig.ports = whole
        if (cut.calls() < call) return false
        await waitMs(60_000)
        expect(await counts(), `${where} call ${call}`).toMatchObject({ waiting: 3, heldBack: 0 })
        expect(await rig.facts()).toMatchObject({ soldOut: false })
        return true
      })
      expect(calls).toBeGreaterThan(20)
    }
  })
})

describe('the budget of a sale that was recovered', () => {
  it('stays open while an order from before may still arrive, and takes it (I2)', async () => {
    const late = await loseWithClaimsOnTheWay()
    queueHas(0)
    await rebuild()
    await rig.act('close')
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    await deliver(late)
    await reconcileNow()
    await reconcileNow()
    expect(await money()).toMatchObject({ closedAt: rig.clock.now })
    expect(await counts()).toMatchObject({ booked: 5, heldBack: 0, waiting: 0 })
  })

  it('stays open for an order of a sale that had ended when Redis lost it (I2)', async () => {
    await open()
    await claimAndWrite(1)
    const late = await claim(2)
    rig.clock.now = (await rig.sale()).endsAt + closeDelayMs
    await rig.loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 1 })
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    await deliver(late)
    await reconcileNow()
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
    expect(await claimOnce(2)).toMatchObject({ kind: 'repeat' })
  })

  it('is closed once no order from before can exist, also when one is a dead letter', async () => {
    const late = await loseWithClaimsOnTheWay()
    for (const { orderId } of late) rig.queue.hopeless.add(orderId)
    await rebuild()
    rig.queue.dead.push(...late)
    await rig.act('close')
    await waitMs(deliveryMs)
    expect(await money()).toMatchObject({ closedAt: rig.clock.now })
    expect(await readStock(server, phone)).toMatchObject({ heldBack: 0, booked: 2 })
  })
})
