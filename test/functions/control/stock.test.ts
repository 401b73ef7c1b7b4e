/** Changing a running sale's stock: cap and Redis never let more be promised than may be written (I1). */
import { beforeEach, describe, expect, it } from 'vitest'
import { type ControlRig, controlRig } from './support.ts'

let rig: ControlRig
beforeEach(async () => {
  rig = controlRig()
  await rig.create()
  await rig.act('start', { now: true })
})

const shelf = () => [...rig.redis.shelves.values()][0]
const cap = () => [...rig.shelf.caps.values()][0]?.remaining
const stockOfSale = async () => (await rig.ask('GET', '/sales/phone')).body.stock

describe('POST /api/control/sales/{id}/stock', () => {
  it('adds units everywhere and tells gate and pages (G7)', async () => {
    expect(await rig.act('stock', { delta: 5 })).toMatchObject({
      status: 200,
      body: { total: 15, booked: 0 },
    })
    expect([shelf()?.total, cap(), await stockOfSale()]).toEqual([15, 15, 15])
    expect(rig.gate.raised).toEqual(['restocked 1'])
    expect(rig.pointer()).toMatchObject({ remaining: 15 })
    expect(rig.shelf.audit.at(-1)).toMatchObject({
      who: 'mia',
      what: 'stock',
      before: { stock: 10 },
      after: { stock: 15 },
    })
  })

  it('takes units away down to what is promised, and says when that is sold out', async () => {
    const there = shelf()
    if (there) there.booked = 4
    const below = await rig.act('stock', { delta: -7 })
    expect(below).toMatchObject({ status: 409, body: { code: 'conflict', field: 'delta' } })
    expect([shelf()?.total, cap(), await stockOfSale()]).toEqual([10, 10, 10])
    expect(await rig.act('stock', { delta: -6 })).toMatchObject({
      status: 200,
      body: { total: 4, booked: 4 },
    })
    expect([shelf()?.total, cap(), await stockOfSale()]).toEqual([4, 4, 4])
    expect(rig.gate.raised).toEqual(['sold-out 0'])
    expect(rig.pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it.each([
    ['the way up', 5, 15],
    ['the way down', -5, 5],
  ])(
    'finishes on %s what a crash cut off, once, before the next change (I5)',
    async (_name, delta, after) => {
      rig.gate.goDark()
      rig.redis.goDark()
      await expect(rig.act('stock', { delta })).rejects.toThrow(/dark/)
      expect(cap()).toBe(Math.max(10, after))
      rig.redis.comeBack()
      if (delta > 0) await expect(rig.act('pause')).rejects.toThrow(/dark/)
      rig.gate.comeBack()
      expect(await rig.act('pause')).toMatchObject({ status: 200, body: { stock: after, flag: 'paused' } })
      expect([shelf()?.total, cap(), await stockOfSale()]).toEqual([after, after, after])
      expect(rig.shelf.audit.filter(({ what }) => what === 'stock')).toHaveLength(1)
    },
  )

  it('lets the cap be the smaller of the two at no moment (I1)', async () => {
    const { add } = rig.redis
    const seen: number[] = []
    rig.ports.stock = {
      ...rig.redis,
      add: async (...change) => {
        seen.push((cap() ?? 0) - (shelf()?.total ?? 0))
        const result = await add(...change)
        seen.push((cap() ?? 0) - (shelf()?.total ?? 0))
        return result
      },
    }
    await rig.act('stock', { delta: 5 })
    await rig.act('stock', { delta: -5 })
    expect(seen).toEqual([5, 0, 0, 5])
  })

  it.each([0, 1.5, '5', null, 20_000_000])('refuses the delta %j with its name (S5)', async (delta) => {
    expect(await rig.act('stock', { delta })).toMatchObject({ status: 400, body: { field: 'delta' } })
    expect([shelf()?.total, cap()]).toEqual([10, 10])
  })

  it('refuses to go below nothing, above the largest stock, or away from unlimited', async () => {
    expect(await rig.act('stock', { delta: -11 })).toMatchObject({ status: 409 })
    expect(await rig.act('stock', { delta: 10_000_000 })).toMatchObject({ status: 409 })
    await rig.create({ saleId: 'endless', stock: -1 })
    await rig.ask('POST', '/sales/endless/warm')
    expect(await rig.ask('POST', '/sales/endless/stock', { delta: 5 })).toMatchObject({ status: 409 })
    await rig.create({ saleId: 'draft-one' })
    expect(await rig.ask('POST', '/sales/draft-one/stock', { delta: 5 })).toMatchObject({ status: 409 })
  })
})
