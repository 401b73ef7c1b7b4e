/** Red packets that a recovery holds back for claims on their way, through the real scripts (P3, P10, I2). */

import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimMessage } from '../../../../core/packets/claim.ts'
import { lastCallMs } from '../../../../functions/repair/packets/close-budget.ts'
import { deliveryMs, quietMs } from '../../../../functions/repair/stock/held-back.ts'
import { admissionsKey, stockKeys } from '../../../../redis/keys.ts'
import { readStock } from '../../../../redis/stock/stock.ts'
import { raw } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { withoutCredits } from '../../../world/wire.ts'
import { type World, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { count, rainOf, totalAmount } from '../rain.ts'

const server = useRedis()
let rig: World
beforeEach(() => restart())

async function restart(): Promise<void> {
  rig = await world({ redis: server })
}

const rain = rainOf(
  () => server,
  () => rig,
  () => server,
)
const { open, tap, tapOnce, deliver, tapAndCredit, reconcileNow, rebuild, counts, money, loseStock } = rain
const numbersOf = (claims: readonly ClaimMessage[]) => claims.map(({ packet }) => packet)
const ranks = async () =>
  [await raw(server, 'LRANGE', stockKeys(phone).packets, '0', '-1')]
    .flat()
    .map((packet) => String(packet).split(' ').slice(0, 2).map(Number))
    .toReversed()
/** Another sale of packets sells, so the queue of claims is never empty. */
const anotherSells = () => {
  rig.claimsQueued.count = 40
}
/** Claims of shoppers 3 to 5 are on their way when the stock is lost. */
async function loseWithClaimsOnTheWay(): Promise<ClaimMessage[]> {
  await open()
  await tapAndCredit(1, 2)
  const late = await tap(3, 4, 5)
  anotherSells()
  await loseStock()
  return late
}
/** Reconciles each minute for the given time. */
async function waitMs(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 60_000) {
    rig.clock.now += Math.min(60_000, left)
    await reconcileNow()
  }
}
/** The remaining shoppers claim, and all is credited: each packet has one shopper, and all the money is in wallets. */
async function expectAllGone(): Promise<void> {
  await rain.handOutTheRest(200)
  expect(await counts()).toMatchObject({ waiting: 0, claims: count, heldBack: 0 })
  expect(await money()).toMatchObject({ claimed: totalAmount })
  expect(await reconcileNow(true)).toMatchObject({ state: 'in-step', drift: 0 })
}

describe('a sale of red packets that lost Redis', () => {
  it('opens again while another sale keeps the queue of claims busy (I6, P10)', async () => {
    await open()
    await tapAndCredit(1, 2, 3)
    anotherSells()
    await loseStock()
    const startedAt = rig.clock.now
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 3, heldBack: 0 })
    await tapAndCredit(4)
    expect(rig.clock.now - startedAt).toBeLessThanOrEqual(10_000)
    await expectAllGone()
  })

  it('rejects no claim that arrives after it reopens, and hands out none of their packets (I2, P3)', async () => {
    const late = await loseWithClaimsOnTheWay()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 3 })
    const [next] = await tapAndCredit(10)
    expect(next?.packet).toBe(5)
    await waitMs(deliveryMs - 60_000)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    expect(await deliver(late)).toMatchObject({ credited: { length: 3 }, refused: [] })
    expect(await reconcileNow()).toMatchObject({ state: 'in-step', drift: -3, holds: { restored: 3 } })
    expect(await counts()).toMatchObject({ claims: 6, heldBack: 0, waiting: count - 6 })
    expect(await tapOnce(4)).toMatchObject({ kind: 'repeat', message: { packet: late[1]?.packet } })
    await expectAllGone()
  })

  it('is not sold out for shoppers, the gate or the page while only held-back packets are left (G7)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await rain.handOutTheRest()
    expect(await tapOnce(50)).toEqual({ kind: 'unavailable' })
    await reconcileNow()
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(rig.pointer()).toMatchObject({ phase: 'held-back', remaining: 0 })
    await waitMs(deliveryMs)
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(await counts()).toMatchObject({ waiting: 3, heldBack: 0 })
    await expectAllGone()
  })

  it('lets shoppers claim packets that no message took once the queue was empty for long enough (I1)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await tapAndCredit(10)
    await waitMs(2 * quietMs)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    rig.claimsQueued.count = 0
    await reconcileNow()
    await waitMs(quietMs - 1)
    expect(await counts()).toMatchObject({ heldBack: 3 })
    rig.clock.now += 1
    await reconcileNow()
    expect(await counts()).toMatchObject({ heldBack: 0, waiting: count - 3 })
    // The first packet has the rank that follows from the claimed ones.
    expect((await ranks()).slice(0, 4)).toEqual([
      [4, 2],
      [5, 3],
      [6, 4],
      [7, 6],
    ])
    await expectAllGone()
  })

  it('holds back every packet that is not credited when the gate has forgotten how many were claimed (I2)', async () => {
    await open()
    await tapAndCredit(1)
    const late = await tap(2)
    await loseStock()
    await raw(server, 'DEL', admissionsKey(phone))
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: count - 1 })
    expect(await tapOnce(9)).toEqual({ kind: 'unavailable' })
    await deliver(late)
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ claims: 2, heldBack: 0, waiting: count - 2 })
    await expectAllGone()
  })

  it('holds back a packet for each admission without a known outcome (I2)', async () => {
    await open()
    await tapAndCredit(1)
    const second = Math.floor(rig.clock.now / 1000)
    for (const field of [`b${second}`, 'out']) {
      await raw(server, 'HINCRBY', admissionsKey(phone), field, '2')
    }
    await loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', heldBack: 2 })
    expect(numbersOf(await tap(2))).toEqual([3])
  })

  it('keeps the packet of a dead letter until it is credited, and releases the others (I2, O7)', async () => {
    const late = await loseWithClaimsOnTheWay()
    const [, dead] = late
    if (dead === undefined) throw new Error('nothing is late')
    rig.deadClaims.dead.push(dead)
    await rebuild()
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ heldBack: 1, waiting: count - 3 })
    rig.deadClaims.dead.length = 0
    await deliver([dead])
    await reconcileNow()
    expect(await counts()).toMatchObject({ claims: 3, heldBack: 0 })
    await expectAllGone()
  })

  it('hands out no packet twice when Redis is lost twice and held-back packets were claimed in between (I2, P3)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    await tapAndCredit(10, 11)
    await waitMs(deliveryMs)
    // Packets 2 and 3 go first, and claims of high and low numbers are on their way.
    const late = await tap(20, 21)
    expect(numbersOf(late)).toEqual([2, 3])
    await loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 4, heldBack: 3 })
    const [next] = await tapAndCredit(30)
    expect(next?.packet).toBe(7)
    expect(await deliver(late)).toMatchObject({ credited: { length: 2 }, refused: [] })
    await waitMs(deliveryMs)
    await expectAllGone()
  })

  it('holds back a claim of a high number that is on its way while low numbers are claimed again (I2, P3)', async () => {
    await loseWithClaimsOnTheWay()
    await rebuild()
    const [high] = await tap(10)
    await raw(server, 'DEL', stockKeys(phone).outbox)
    const { table } = rig.ports
    rig.ports.table = withoutCredits(table)
    await waitMs(deliveryMs)
    expect(await counts()).toMatchObject({ heldBack: 0, claims: 3 })
    rig.ports.table = table
    await loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 4 })
    const [next] = await tapAndCredit(30)
    expect([high?.packet, next?.packet]).toEqual([5, 6])
  })

  it('leaves one packet to a shopper who claims again before the first claim arrives, and hands out the other (P3)', async () => {
    const late = await loseWithClaimsOnTheWay()
    await rebuild()
    const [again] = await tap(3)
    expect(await deliver(late)).toMatchObject({ credited: { length: 3 } })
    rig.clock.now += 10_000
    expect(await reconcileNow()).toMatchObject({ state: 'in-step', holds: { restored: 3 } })
    expect(rig.claimLetters.letters).toMatchObject([{ reason: expect.stringContaining('another packet') }])
    expect(await tapOnce(3)).toMatchObject({ kind: 'repeat', message: { packet: late[0]?.packet } })
    expect(await counts()).toMatchObject({ claims: 5, heldBack: 1 })
    await waitMs(deliveryMs)
    expect((await ranks())[0]).toEqual([6, again?.packet])
    await expectAllGone()
  })

  it('hands out the packet of a late claim that the table rejects because its shopper has another one (P3)', async () => {
    const late = await loseWithClaimsOnTheWay()
    await rebuild()
    const [again] = await tapAndCredit(3)
    expect(await deliver(late)).toMatchObject({ refused: [{ reason: 'other-packet' }] })
    rig.deadClaims.dead.push(...late.slice(0, 1))
    await waitMs(deliveryMs)
    expect(await tapOnce(3)).toMatchObject({ kind: 'repeat', message: { packet: again?.packet } })
    await expectAllGone()
  })

  it('is complete after the release of packets was cut off at any call (I5)', async () => {
    for (const where of ['before', 'after'] as const) {
      const calls = await atEachCut(async (call) => {
        await restart()
        await loseWithClaimsOnTheWay()
        await rebuild()
        await rain.handOutTheRest()
        rig.clock.now += deliveryMs
        const whole = rig.ports
        const names = ['stock', 'gate', 'shopfront'] as const
        const cut = cutOffAt(whole, names, call, where)
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
  it('stays open while a claim from before may still arrive, and takes it (I2)', async () => {
    const late = await loseWithClaimsOnTheWay()
    rig.claimsQueued.count = 0
    await rebuild()
    await rig.act('close')
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    expect(await deliver(late)).toMatchObject({ refused: [] })
    await reconcileNow()
    expect(await money()).toMatchObject({ closedAt: rig.clock.now })
    expect(await counts()).toMatchObject({ claims: 5, heldBack: 0, waiting: 0 })
  })

  it('stays open for a claim of a sale that had ended when Redis lost it (I2)', async () => {
    await open()
    await tapAndCredit(1)
    const late = await tap(2)
    rig.clock.now = (await rain.sale()).endsAt + lastCallMs
    await loseStock()
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 1 })
    await reconcileNow()
    expect((await money())?.closedAt).toBeUndefined()
    expect(await deliver(late)).toMatchObject({ refused: [] })
    await reconcileNow()
    expect((await money())?.closedAt).toBe(rig.clock.now)
    expect(await tapOnce(2)).toMatchObject({ kind: 'repeat' })
  })

  it('is closed once no claim from before can exist, also when one is a dead letter', async () => {
    const late = await loseWithClaimsOnTheWay()
    await rebuild()
    rig.deadClaims.dead.push(...late)
    await rig.act('close')
    await waitMs(deliveryMs)
    expect(await money()).toMatchObject({ closedAt: rig.clock.now })
    expect(await readStock(server, phone)).toMatchObject({ heldBack: 0, booked: 2 })
  })
})
