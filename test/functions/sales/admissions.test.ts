/** Each change of the sellable stock is published to the gate (G4, G5, G7). */

import { describe, expect, it } from 'vitest'
import { repair } from '../../../functions/sales/repair-sale.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { publishSoldOut } from '../../../redis/gate/gate.ts'
import { admissionsKey } from '../../../redis/keys.ts'
import { release } from '../../../redis/orders/release.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld, world } from '../../world/world.ts'

const rig = useWorld()

const truth = () => rig.truth()
const remaining = async () => (await rig.truth())?.remaining

/** Records in `rig.log` when the gate receives admissions. */
function logAdmissions(): void {
  rig.gate.before('replenish', () => rig.log.push('admissions'))
  rig.gate.before('publish-stock', () => rig.log.push('restocked'))
}

describe('the gate', () => {
  it('receives admissions before it receives the sale, and all other stores receive both afterwards (G3)', async () => {
    await rig.create({ admissionRatio: 1.5 })
    logAdmissions()
    await rig.act('warm')
    rig.log.length = 0
    await rig.act('start', { now: true })
    const [before, after] = [rig.log.indexOf('gate'), rig.log.indexOf('sales/phone/current.json')]
    expect(rig.log.indexOf('admissions')).toBeLessThan(before)
    expect(rig.log.lastIndexOf('admissions')).toBeLessThan(after)
    expect(await truth()).toMatchObject({ asOf: rig.clock.now, total: 10, booked: 0, ratio: 1.5 })
    const counted = await raw(rig.redis, 'HMGET', admissionsKey(phone), 'revision', 'epoch')
    expect(counted).toEqual(['0', '1'])
    expect(await remaining()).toBe(15)
  })

  it('receives the time before the stock was read, because later changes may be missing in it (G7)', async () => {
    await rig.open()
    rig.stock.after('hmget:stock', () => {
      rig.clock.now += 500
    })
    let publishedAt = 0
    rig.gate.before('replenish', () => {
      publishedAt = rig.clock.now
    })
    await rig.act('pause')
    expect((await truth())?.asOf).toBe(publishedAt - 500)
  })

  it('receives a new ratio at once (G5)', async () => {
    await rig.open()
    expect(await remaining()).toBe(12)
    expect(await rig.ask('PATCH', '/sales/phone', { admissionRatio: 2.005 })).toMatchObject({ status: 200 })
    expect(await remaining()).toBe(21)
  })

  it('admits no request for a stock that is frozen or lost, and every request for an unlimited one (I6, S4)', async () => {
    await rig.open()
    await rig.sell(2)
    await freeze(rig.redis, phone)
    await rig.act('pause')
    expect(await truth()).toMatchObject({ total: 0, booked: 2 })
    expect(await remaining()).toBe(0)
    await rig.loseStock()
    await rig.act('pause')
    expect(await truth()).toMatchObject({ total: 0, booked: 2 })
    expect(await remaining()).toBe(0)
    const endless = await world({ redis: rig.redis })
    await endless.open({ stock: -1 })
    expect(await endless.truth()).toMatchObject({ total: -1 })
  })

  it('receives added and removed units before the page does, with the counters after the change', async () => {
    await rig.open()
    await rig.sell(3)
    logAdmissions()
    rig.log.length = 0
    await rig.act('stock', { delta: 5 })
    expect(rig.log).toEqual(['admissions', 'restocked', 'sales/phone/current.json'])
    expect(await truth()).toMatchObject({ total: 15, booked: 3, ratio: 1.2 })
    expect(await raw(rig.redis, 'HGET', admissionsKey(phone), 'revision')).toBe('1')
    await rig.act('stock', { delta: -12 })
    expect(await truth()).toMatchObject({ total: 3, booked: 3 })
    expect(await remaining(), 'every unit is booked').toBe(0)
  })

  it('has the admissions of released units before they are published as available (O9, G7)', async () => {
    await rig.open()
    const [orderId] = await rig.sell(5)
    await rig.act('start')
    expect(await remaining()).toBe(7)
    // A count overrides what was read a second ago.
    rig.clock.now += 3_000
    logAdmissions()
    rig.log.length = 0
    await rig.cancel(orderId)
    expect(rig.log).toEqual(['admissions', 'restocked', 'sales/phone/current.json'])
    expect(await truth()).toMatchObject({ total: 10, booked: 4, ratio: 1.2 })
    expect(await remaining()).toBe(8)
  })

  it('that missed released units receives their admissions before `reconcile` publishes the units (I6, G7)', async () => {
    await rig.open({ stock: 5 })
    const [orderId] = await rig.sell(5)
    await publishSoldOut(rig.redis, phone, 0)
    await rig.act('start')
    expect(await remaining()).toBe(0)
    await release(rig.redis, phone, [{ orderId, shopperId: shopperIdOf(1) }])
    logAdmissions()
    rig.log.length = 0
    await repair(rig.ports, phone)
    expect(rig.log).toEqual(['admissions', 'restocked'])
    expect(await remaining()).toBe(2)
  })

  it('that is unavailable when units are released receives them with the release that stays due (I6)', async () => {
    await rig.open()
    const [orderId] = await rig.sell(1)
    rig.gate.goDown()
    await rig.cancel(orderId)
    expect(await dueReleases(rig.table.table, phone)).toHaveLength(1)
    rig.gate.comeUp()
    rig.clock.now += 3_000
    await rig.act('reconcile')
    expect(await truth()).toMatchObject({ total: 10, booked: 0 })
    expect(await dueReleases(rig.table.table, phone)).toEqual([])
  })
})
