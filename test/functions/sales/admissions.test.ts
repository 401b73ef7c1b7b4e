/** What the gate is told of a stock, by whoever changes what can be bought (G4, G5, G7). */
import { beforeEach, describe, expect, it } from 'vitest'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { repair } from '../../../functions/sales/repair.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { type ControlRig, controlRig, phone } from '../control/rig.ts'

let rig: ControlRig
beforeEach(() => {
  rig = controlRig()
})

const truth = () => rig.gate.truths.get(phone)
const remaining = async () => (await rig.gate.admissionsReader.read(phone))?.remaining

/** Writes down, in `rig.log`, when the gate hears of admissions. */
function logAdmissions(): void {
  const { replenish, publishRestocked } = rig.gate
  Object.assign(rig.gate, {
    replenish: async (...told: Parameters<typeof replenish>) => {
      rig.log.push('admissions')
      return replenish(...told)
    },
    publishRestocked: async (...told: Parameters<typeof publishRestocked>) => {
      rig.log.push('restocked')
      return publishRestocked(...told)
    },
  })
}

describe('the gate', () => {
  it('hears of admissions before it hears of the sale, and everybody else of both afterwards (G3)', async () => {
    await rig.create({ admissionRatio: 1.5 })
    logAdmissions()
    await rig.act('warm')
    rig.log.length = 0
    await rig.act('start', { now: true })
    const [before, after] = [rig.log.indexOf('gate'), rig.log.indexOf('sales/phone/current.json')]
    expect(rig.log.indexOf('admissions')).toBeLessThan(before)
    expect(rig.log.lastIndexOf('admissions')).toBeLessThan(after)
    expect(truth()).toEqual({
      asOf: rig.clock.now,
      total: 10,
      booked: 0,
      stockRevision: 0,
      epoch: 1,
      ratio: 1.5,
    })
    expect(await remaining()).toBe(15)
  })

  it('is told the time before the stock was read: what happens meanwhile may be missing in it (G7)', async () => {
    await rig.open()
    const { read } = rig.redis
    rig.ports.stockReader = {
      async read(saleId) {
        const stock = await read(saleId)
        rig.clock.now += 500
        return stock
      },
    }
    await rig.act('pause')
    expect(truth()?.asOf).toBe(rig.clock.now - 500)
  })

  it('hears of a new ratio at once (G5)', async () => {
    await rig.open()
    expect(await remaining()).toBe(12)
    expect(await rig.ask('PATCH', '/sales/phone', { admissionRatio: 2.005 })).toMatchObject({ status: 200 })
    expect(await remaining()).toBe(21)
  })

  it('lets nobody come for a stock that is frozen or lost, and anybody for an unlimited one (I6, S4)', async () => {
    await rig.open()
    await rig.sell(2)
    await rig.holdings.freeze(phone)
    await rig.act('pause')
    expect(truth()).toMatchObject({ total: 0, booked: 2 })
    expect(await remaining()).toBe(0)
    rig.redis.lose()
    await rig.act('pause')
    expect(truth()).toMatchObject({ total: 0, booked: 2 })
    expect(await remaining()).toBe(0)
    const endless = controlRig()
    await endless.open({ stock: -1 })
    expect(endless.gate.truths.get(phone)).toMatchObject({ total: -1 })
  })

  it('is told of more and of fewer units before the page is, with the counters after the change', async () => {
    await rig.open()
    await rig.sell(3)
    logAdmissions()
    rig.log.length = 0
    await rig.act('stock', { delta: 5 })
    expect(rig.log).toEqual(['admissions', 'restocked', 'sales/phone/current.json'])
    expect(truth()).toMatchObject({ total: 15, booked: 3, stockRevision: 1, ratio: 1.2 })
    await rig.act('stock', { delta: -12 })
    expect(truth()).toMatchObject({ total: 3, booked: 3, stockRevision: 1 })
    expect(await remaining(), 'every unit is booked').toBe(0)
  })

  it('has the admissions of units that came back before anybody hears that they can be had (O9, G7)', async () => {
    await rig.open()
    const [orderId] = await rig.sell(5)
    await rig.act('start')
    expect(await remaining()).toBe(7)
    logAdmissions()
    rig.log.length = 0
    if (orderId !== undefined) await changeOrder(rig.ports, orderId, { kind: 'cancelled-by-shopper' })
    expect(rig.log).toEqual(['admissions', 'restocked', 'sales/phone/current.json'])
    expect(truth()).toMatchObject({ total: 10, booked: 4, ratio: 1.2 })
    expect(await remaining()).toBe(8)
  })

  it('that missed units which came back has their admissions before it hears of them from a repair (I6, G7)', async () => {
    await rig.open({ stock: 5 })
    const [orderId] = await rig.sell(5)
    await rig.gate.publishSoldOut(phone, 0)
    await rig.act('start')
    expect(await remaining()).toBe(0)
    if (orderId !== undefined) await rig.holdings.release(phone, [{ orderId, shopperId: shopperIdOf(1) }])
    logAdmissions()
    rig.log.length = 0
    await repair(rig.ports, phone)
    expect(rig.log).toEqual(['admissions', 'restocked'])
    expect(await remaining()).toBe(2)
  })

  it('that is unavailable when units come back hears of them with the release that stays due (I6)', async () => {
    await rig.open()
    const [orderId] = await rig.sell(1)
    rig.gate.goDown()
    if (orderId !== undefined) await changeOrder(rig.ports, orderId, { kind: 'cancelled-by-shopper' })
    expect(await rig.table.releases.due(phone)).toHaveLength(1)
    rig.gate.comeUp()
    await rig.act('reconcile')
    expect(truth()).toMatchObject({ total: 10, booked: 0 })
    expect(await rig.table.releases.due(phone)).toEqual([])
  })
})
