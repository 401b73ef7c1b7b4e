/** Redis fails over to an older state, or loses a sale of many orders. */
import { describe, expect, it } from 'vitest'
import { applyEffects } from '../../../functions/sales/effects.ts'
import { publishSoldOut } from '../../../redis/gate/gate.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { inSample } from '../../whole-plays.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'
import { repairsOf } from './repairs.ts'

const rig = useWorld()

const { recover: rebuild, reconcileSale } = repairsOf(() => rig)

/** Reconciles each minute, and recovers when needed, until the stores agree. */
async function minutes(count: number): Promise<string[]> {
  const states: string[] = []
  for (let minute = 0; minute < count; minute += 1) {
    rig.clock.now += 60_000
    const { state } = await reconcileSale({ minAgeMs: 10_000, holdAgeMs: 900_000 })
    if (state === 'to-recover') expect(await rebuild()).toMatchObject({ kind: 'recovered' })
    states.push(state)
  }
  return states
}

const many = inSample(1000, 10_000)

it(`${many} orders are recovered (P10)`, async () => {
  await rig.open({ stock: 2 * many })
  for (let shopper = 0; shopper < many; shopper += 1) {
    const [orderId, shopperId] = [orderIdOf(phone, shopper, 1), shopperIdOf(shopper)]
    const message = { orderId, saleId: phone, shopperId, quantity: 1, requestId: 'r' }
    rig.queue.messages.push({ ...message, reservedAt: rig.clock.now })
  }
  await rig.deliver()
  await removeStock(rig.redis, phone)
  expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: many, units: many })
  expect([await rig.booked(), (await rig.held()).length]).toEqual([many, many])
})

describe('a Redis that fails over', () => {
  it('sells the unit of a lost reservation again, though sold out was published to the gate (G7, I1)', async () => {
    await rig.open({ stock: 2 })
    await rig.sell(1)
    const fallBack = await rig.keepStock()
    await rig.reserve(2)
    await expect(rig.reserve(3)).rejects.toThrow('sold-out')
    await publishSoldOut(rig.redis, phone, 0)
    await fallBack()
    expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    await expect(rig.reserve(3), 'its message may still come').rejects.toThrow('unavailable')
    expect(await minutes(2)).toEqual(['in-step', 'in-step'])
    await rig.reserve(3)
  })

  it('does not forward clicks for ever after a restock was lost (G4)', async () => {
    await rig.open({ stock: 1 })
    const [first] = await rig.sell(1)
    await publishSoldOut(rig.redis, phone, 0)
    const fallBack = await rig.keepStock()
    await rig.cancel(first)
    const second = await rig.buy(2)
    await rig.deliver()
    await fallBack()
    expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
    expect(await rig.stockRecord()).toMatchObject({ total: 1, booked: 1 })
    expect(await rig.held()).toEqual([second])
    expect(await rig.facts()).toMatchObject({ soldOut: true })
  })

  it('gives no units to the old request of an order that was cancelled when Redis had forgotten it (I5)', async () => {
    await rig.open({ stock: 2 })
    const fallBack = await rig.keepStock()
    const [orderId] = await rig.sell(1)
    await fallBack()
    await rig.cancel(orderId)
    await expect(rig.reserve(1)).rejects.toThrow('repeat')
    expect([await rig.booked(), await rig.waiting(), await rig.held()]).toEqual([0, [], []])
  })

  it.each([
    ['the stock alone', () => rig.loseStock()],
    ['everything', () => removeStock(rig.redis, phone)],
  ])('sells nothing twice of %s that a late warm restored (I1)', async (_what, lose) => {
    await rig.create()
    await rig.act('warm')
    const early = await rig.record()
    await rig.act('start', { now: true })
    await rig.sell(4)
    await lose()
    await applyEffects(rig.ports, early)
    expect(await rig.stockRecord()).toMatchObject({ total: 10, booked: 0 })
    expect(await rig.act('start', { now: true })).toMatchObject({ status: 409 })
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(await rig.facts()).toMatchObject({ flag: 'paused' })
    expect(await rig.act('resume')).toMatchObject({ status: 409 })
    await expect(rig.reserve(9)).rejects.toThrow('not-started')
    expect(await minutes(2)).toEqual(['to-recover', 'in-step'])
    expect(await rig.stockRecord()).toMatchObject({ total: 10, booked: 4 })
    await rig.reserve(9)
  })
})
