/** Changing a running sale's stock: cap and Redis never allow more reservations than may be written (I1). */

import { beforeEach, describe, expect, it } from 'vitest'
import { recover } from '../../../functions/recovery/stock/recover.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { withTotals, withTotalsAtOnce } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.create()
  await rig.act('start', { now: true })
})

const stockRecord = () => rig.stockRecord()
const cap = () => Number(rig.table.caps()[0]?.remaining)
const stockOfSale = async () => (await rig.ask('GET', '/sales/phone')).body.stock

describe('POST /api/control/sales/{id}/stock', () => {
  it('adds units everywhere and updates gate and pages (G7)', async () => {
    expect(await rig.act('stock', { delta: 5 })).toMatchObject({ status: 200, body: { total: 15, booked: 0 } })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([15, 15, 15])
    expect(rig.published).toEqual(['restocked 1'])
    expect(rig.pointer()).toMatchObject({ remaining: 15 })
    expect(rig.audit().at(-1)).toMatchObject({ who: 'mia', what: 'stock', before: { stock: 10 }, after: { stock: 15 } })
  })

  it('removes units down to the booked ones, and reports sold out then', async () => {
    for (const shopper of [1, 2]) await rig.reserve(shopper, { quantity: 2 })
    const below = await rig.act('stock', { delta: -7 })
    expect(below).toMatchObject({ status: 409, body: { code: 'conflict', field: 'delta' } })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([10, 10, 10])
    expect(await rig.act('stock', { delta: -6 })).toMatchObject({ status: 200, body: { total: 4, booked: 4 } })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([4, 4, 4])
    expect(rig.published).toEqual(['sold-out 0'])
    expect(rig.pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it('removes no sold unit, even if Redis has lost its hold (I1)', async () => {
    await rig.sell(5)
    await rig.forgetHolds()
    const refused = await rig.act('stock', { delta: -6 })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', field: 'delta' } })
    expect(await stockOfSale()).toBe(10)
    expect(await saleTotals(rig.table.table, phone)).toMatchObject({ remaining: 5, sold: 5 })
    const actor = { who: 'mia', requestId: 'r' }
    expect(await recover(rig.ports, actor, phone, rig.clock.now + 10_000)).toMatchObject({ units: 5 })
    expect(await stockRecord()).toMatchObject({ total: 10, booked: 5 })
    expect(await rig.act('stock', { delta: -5 })).toMatchObject({ body: { total: 5, booked: 5 } })
  })

  it.each([
    ['the way up', 5, 15],
    ['the way down', -5, 5],
  ])('finishes on %s, once and before the next change, what a crash cut off (I5)', async (_name, delta, after) => {
    rig.gate.goDown()
    rig.stock.goDown()
    await expect(rig.act('stock', { delta })).rejects.toThrow(/unavailable/)
    expect(cap()).toBe(Math.max(10, after))
    rig.stock.comeUp()
    if (delta > 0) await expect(rig.act('pause')).rejects.toThrow(/unavailable/)
    rig.gate.comeUp()
    expect(await rig.act('pause')).toMatchObject({ status: 200, body: { stock: after, flag: 'paused' } })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([after, after, after])
    expect(rig.audit().filter(({ what }) => what === 'stock')).toHaveLength(1)
  })

  const keyed = (key: string, delta: number) =>
    rig.ask('POST', '/sales/phone/stock', { delta }, { 'idempotency-key': key })

  it.each([
    ['whose answer was lost', async () => void (await keyed('k1', 5))],
    [
      'answered with 503 after Redis had added',
      async () => {
        rig.gate.goDown()
        await expect(keyed('k1', 5)).rejects.toThrow(/unavailable/)
        rig.gate.comeUp()
      },
    ],
    [
      'answered with 503 before Redis was reached',
      async () => {
        rig.stock.goDown()
        await expect(keyed('k1', 5)).rejects.toThrow(/unavailable/)
        rig.stock.comeUp()
      },
    ],
    [
      'that another call has finished since',
      async () => {
        rig.gate.goDown()
        await expect(keyed('k1', 5)).rejects.toThrow(/unavailable/)
        rig.gate.comeUp()
        await rig.act('pause')
        await keyed('k2', 1)
      },
    ],
  ])('counts a change once %s and that is tried again with its key (I5)', async (_name, first) => {
    await first()
    const before = (await stockRecord())?.total ?? 0
    expect(await keyed('k1', 5)).toMatchObject({ status: 200, body: { total: 15, booked: 0 } })
    expect(await keyed('k1', 5)).toMatchObject({ status: 200, body: { total: 15, booked: 0 } })
    const after = Math.max(15, before)
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([after, after, after])
  })

  it('counts two concurrent clicks with one key once (I5)', async () => {
    const answers = await Promise.all([keyed('k1', 5), keyed('k1', 5), keyed('k1', 5)])
    expect(answers.map(({ status, body }) => [status, body.total])).toEqual(Array(3).fill([200, 15]))
    expect([(await stockRecord())?.total, cap()]).toEqual([15, 15])
  })

  it('remembers what was booked when the change was made, not what is booked now', async () => {
    await keyed('k1', 5)
    for (const shopper of [1, 2]) await rig.reserve(shopper, { quantity: 2 })
    expect(await keyed('k1', 5)).toMatchObject({ status: 200, body: { total: 15, booked: 0 } })
  })

  it('retries a rejected change under its key', async () => {
    for (const shopper of [1, 2]) await rig.reserve(shopper, { quantity: 2 })
    expect(await keyed('k1', -7)).toMatchObject({ status: 409 })
    await keyed('k2', 3)
    expect(await keyed('k1', -7)).toMatchObject({ status: 200, body: { total: 6, booked: 4 } })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([6, 6, 6])
  })

  it('rejects an invalid key, and one that another change used', async () => {
    for (const key of ['', 'two words', 'a\t7', '钥匙', 'x'.repeat(65)]) {
      expect(await keyed(key, 5)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', field: 'Idempotency-Key' },
      })
    }
    await keyed('k1', 5)
    expect(await keyed('k1', 6)).toMatchObject({ status: 409, body: { field: 'Idempotency-Key' } })
    expect((await stockRecord())?.total).toBe(15)
  })

  it('remembers the last eight changes, so that a record cannot grow without end', async () => {
    for (const key of 'abcdefghij') await keyed(key, 1)
    const record = await findSale(rig.table, phone)
    expect(record?.finishedStockChanges.map(({ changeId }) => changeId)).toEqual([...'cdefghij'])
    expect(await keyed('j', 1)).toMatchObject({ body: { total: 20 } })
  })

  it('adds nothing when a change is finished late, after the next change is done (I1)', async () => {
    rig.gate.goDown()
    await expect(rig.act('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
    rig.gate.comeUp()
    const late = Promise.withResolvers<void>()
    let calls = 0
    rig.stock.before('add-stock', async () => {
      calls += 1
      if (calls === 1) await late.promise
    })
    const held = rig.act('pause')
    await expect.poll(() => calls).toBe(1)
    expect(await rig.act('stock', { delta: 5 })).toMatchObject({ status: 200, body: { total: 20 } })
    late.resolve()
    expect(await held).toMatchObject({ status: 200 })
    expect([(await stockRecord())?.total, cap(), await stockOfSale()]).toEqual([20, 20, 20])
  })

  it.each(['stock', 'start'])(
    'counts units once that were added before Redis had the stock, when %s is called next (I1)',
    async (next) => {
      await rig.create({ saleId: 'early-bird' })
      const ask = (action: string, body?: object) => rig.ask('POST', `/sales/early-bird/${action}`, body)
      rig.stock.goDown()
      await expect(ask('warm')).rejects.toThrow(/unavailable/)
      await expect(ask('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
      rig.stock.comeUp()
      await (next === 'start' ? ask('start', { now: true }) : ask('stock', { delta: 5 }))
      await ask('start', { now: true })
      await ask('pause')
      const saleId = saleIdOf('early-bird')
      const units = next === 'start' ? 15 : 20
      const { stock } = (await rig.ask('GET', '/sales/early-bird')).body
      const counted = [
        (await rig.stockRecord(saleId))?.total,
        (await saleTotals(rig.table.table, saleId))?.remaining,
        stock,
      ]
      expect(counted).toEqual([units, units, units])
    },
  )

  it('never lets the cap be the smaller of the two (I1)', async () => {
    const seen: number[] = []
    const look = async () => seen.push(cap() - ((await stockRecord())?.total ?? 0))
    rig.stock.before('add-stock', look)
    rig.stock.after('add-stock', look)
    await rig.act('stock', { delta: 5 })
    await rig.act('stock', { delta: -5 })
    expect(seen).toEqual([5, 0, 0, 5])
  })

  it.each([0, 1.5, '5', null, 20_000_000])('rejects the delta %j by name (S5)', async (delta) => {
    expect(await rig.act('stock', { delta })).toMatchObject({ status: 400, body: { field: 'delta' } })
    expect([(await stockRecord())?.total, cap()]).toEqual([10, 10])
  })

  it('rejects a change below zero, above the largest stock, or of an unlimited stock', async () => {
    expect(await rig.act('stock', { delta: -11 })).toMatchObject({ status: 409 })
    expect(await rig.act('stock', { delta: 10_000_000 })).toMatchObject({ status: 409 })
    await rig.create({ saleId: 'endless', stock: -1 })
    await rig.ask('POST', '/sales/endless/warm')
    expect(await rig.ask('POST', '/sales/endless/stock', { delta: 5 })).toMatchObject({ status: 409 })
    await rig.create({ saleId: 'draft-one' })
    expect(await rig.ask('POST', '/sales/draft-one/stock', { delta: 5 })).toMatchObject({ status: 409 })
  })

  const pending = async () => (await findSale(rig.table, phone))?.pendingStock

  it.each(['pause', 'close'])(
    'does not block %s while the gate is unavailable: the request is recorded and reaches the stock (G2, I6)',
    async (action) => {
      rig.gate.goDown()
      await expect(rig.act('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
      await expect(rig.act(action)).rejects.toThrow(/unavailable/)
      const flag = action === 'pause' ? 'paused' : 'closed'
      expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ flag })
      expect((await stockRecord())?.sale?.flag).toBe(flag)
      expect(await pending()).toMatchObject({ delta: 5 })
      rig.gate.comeUp()
      expect(await rig.act(action)).toMatchObject({ status: 200, body: { flag, stock: 15 } })
      expect([(await stockRecord())?.total, cap(), await pending()]).toEqual([15, 15, undefined])
    },
  )

  it.each([5, -5])('of %d units that Redis does not apply does not block close (G2, I6)', async (delta) => {
    rig.stock.goDown()
    await expect(rig.act('stock', { delta })).rejects.toThrow(/unavailable/)
    rig.stock.comeUp()
    // 4: the stock has no limit.
    rig.stock.replace('add-stock', [4])
    expect(await rig.act('close')).toMatchObject({ status: 200, body: { flag: 'closed' } })
    expect([(await stockRecord())?.sale?.flag, (await rig.facts())?.flag]).toEqual(['closed', 'closed'])
    expect(await pending()).toMatchObject({ delta })
  })

  it('is given up, not retried for ever, when the cap rejects a removal of units', async () => {
    let tries = 0
    const left = { remaining: 1, sold: 9, orders: 9 }
    const table = withTotalsAtOnce(withTotals(rig.ports.table, left), left)
    rig.ports.table = onWireAt(table, 'transact get CAP', (send) => {
      tries += 1
      return send()
    })
    expect(await rig.act('stock', { delta: -2 })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(tries).toBe(1)
    expect((await findSale(rig.table, phone))?.pendingStock).toBeUndefined()
  })
})
