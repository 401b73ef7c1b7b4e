/** Sales that a crash or an outage left between the table and Redis, and the scheduled run that finds them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { pointerPath } from '../../../core/sale/pointer.ts'
import { readSaleIds } from '../../../redis/gate/shared-lists.ts'
import { gateKey } from '../../../redis/keys.ts'
import { saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.create()
})

const stock = () => rig.stockRecord()
const gate = () => rig.facts()
/** The flag in Redis and at the gate, and the phase of the page. */
const states = async () => [(await stock())?.sale?.flag, (await gate())?.flag, rig.pointer().phase]

describe('reconcile', () => {
  it('publishes to a gate that was unavailable, though the stock is up to date (G2)', async () => {
    await rig.act('start', { now: true })
    rig.gate.goDown()
    await expect(rig.act('pause')).rejects.toThrow(/unavailable/)
    expect(await rig.live()).toMatchObject({ inStep: false, unavailable: ['gate'] })
    await rig.reconcile()
    // The block list, the list of sales, and the sale.
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(3)
    rig.gate.comeUp()
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect((await gate())?.flag).toBe('paused')
  })

  it('warms what warm could not (G1)', async () => {
    await rig.without('stock', () => rig.act('warm'))
    await rig.reconcile()
    expect(await stock()).toMatchObject({ total: 10, booked: 0 })
    expect([(await gate())?.flag, rig.pointer().phase]).toEqual(['off', 'scheduled'])
  })

  it('publishes an edit of a draft that was cut off before the gate', async () => {
    await rig.without('gate', () => rig.ask('PATCH', '/sales/phone', { minLevel: 3 }))
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect(await gate()).toMatchObject({ version: 2, rules: { minLevel: 3 } })
    expect(rig.pointer()).toMatchObject({ version: 2 })
  })

  it('reads the facts of each draft once, and publishes nothing while all agree', async () => {
    await rig.create({ saleId: 'lamp' })
    await rig.create({ saleId: 'chair' })
    const reads: string[] = []
    rig.gate.before('hmget:gate', ([, key = '']) => reads.push(key))
    rig.log.length = 0
    // In other minutes one of them is compared in full, and its pointer is published again.
    rig.clock.now += 4 * 60_000
    expect(await rig.reconcile()).toMatchObject({ repaired: 0 })
    expect(reads.sort()).toEqual(['chair', 'lamp', 'phone'].map((id) => gateKey(saleIdOf(id))))
    expect(rig.log).toEqual([])
  })

  it('publishes the pointer of each draft within ten minutes, which a crash may have kept back', async () => {
    rig.site.objects.delete(pointerPath(phone))
    for (let minute = 0; minute < 10; minute += 1) {
      await rig.reconcile()
      rig.clock.now += 60_000
    }
    expect(rig.pointer()).toMatchObject({ phase: 'draft' })
  })

  it('removes the stock, the pointer and the page of a sale whose deletion was cut off', async () => {
    await rig.act('warm')
    const heal = rig.stock.fail('unlink:stock')
    await expect(rig.ask('DELETE', '/sales/phone')).rejects.toThrow(/unavailable/)
    heal()
    expect(rig.site.objects.has(pointerPath(phone))).toBe(true)
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect([await stock(), (await gate())?.flag]).toEqual([undefined, 'closed'])
    expect([...rig.site.objects.keys()].filter((path) => !path.includes('countdown'))).toEqual(['index.html'])
    expect(await readSaleIds(rig.redis)).toEqual([])
    expect(await rig.reconcile()).toMatchObject({ repaired: 0 })
  })

  it('leaves a sale alone that ended hours ago', async () => {
    await rig.act('start', { now: true })
    await rig.loseGate()
    const paidBy = 7_200_000 + 1_020_000
    rig.clock.now += paidBy + 3_600_000
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await rig.reconcile()).toMatchObject({ repaired: 0 })
      rig.clock.now += 60_000
    }
    expect(await rig.facts()).toBeUndefined()
  })

  it.each([
    ['sold out', 0, ['sold-out 0']],
    ['restocked and sold out again', 5, ['restocked 1', 'sold-out 1']],
  ])('publishes %s to a gate that lost its hash (G4, G7)', async (_name, delta, published) => {
    await rig.act('start', { now: true })
    if (delta > 0) await rig.act('stock', { delta })
    for (let shopper = 1; shopper <= 5 + delta; shopper += 1) await rig.buy(shopper, { quantity: shopper > 5 ? 1 : 2 })
    await rig.loseGate()
    rig.published.length = 0
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect(rig.published).toEqual(published)
  })

  it('closes a sale everywhere that was closed during a stock change cut off by a unavailable gate (G2, I6)', async () => {
    await rig.act('start', { now: true })
    await rig.without(
      'gate',
      () => rig.act('stock', { delta: 5 }),
      () => rig.act('close'),
    )
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect(await states()).toEqual(['closed', 'closed', 'ended'])
    expect((await stock())?.total).toBe(15)
  })

  it('brings a sale in step though its stock change can never be finished, and says so each time (I6)', async () => {
    await rig.act('start', { now: true })
    await rig.without(
      'stock',
      () => rig.act('stock', { delta: 5 }),
      () => rig.act('close'),
    )
    // 4: the stock has no limit.
    rig.stock.replace('add-stock', [4])
    await rig.reconcile()
    expect([(await stock())?.sale?.flag, (await gate())?.flag]).toEqual(['closed', 'closed'])
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
  })
})
