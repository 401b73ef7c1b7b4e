/** Coupons and red packets as a marketer defines, edits and starts them. */

import { describe, expect, it } from 'vitest'
import { useWorld } from '../../world/world.ts'

const hour = 3_600_000

const rig = useWorld()

const create = (changes: object) => {
  const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
  return rig.ask('POST', '/sales', { ...definition, ...changes })
}
const edit = (changes: unknown) => rig.ask('PATCH', '/sales/phone', changes)
const rain = (changes: object = {}) =>
  create({ kind: 'red-packet', packets: { count: 8, totalAmount: 1000 }, ...changes })
const coupon = (changes: object = {}) =>
  create({ kind: 'coupon', stock: 10, limitPerShopper: 2, maxPerOrder: 2, ...changes })
const waves = (...amounts: [count: number, totalAmount: number | undefined][]) =>
  amounts.map(([stock, totalAmount], day) => {
    const startsAt = rig.clock.now + (1 + 24 * day) * hour
    return { startsAt, endsAt: startsAt + hour, stock, ...(totalAmount && { totalAmount }) }
  })

describe('a definition of red packets (P1)', () => {
  it('has at most a million packets in all its waves', async () => {
    const many = waves([8, 1000], [1_000_000, 1_000_000])
    const { startsAt, endsAt } = many[0] ?? {}
    expect(await rain({ startsAt, endsAt, windows: many })).toMatchObject({
      status: 400,
      body: { field: 'windows', detail: expect.stringMatching(/1000000 packets/) },
    })
  })
})

describe('the packets of a sale', () => {
  it('do not return to a sale that is over: its end cannot be changed', async () => {
    await rain()
    await rig.act('start', { now: true })
    const { endsAt } = await rig.sale()
    rig.clock.now = endsAt - 1
    expect(await edit({ endsAt: endsAt + hour })).toMatchObject({ status: 200 })
    rig.clock.now = endsAt + hour
    expect(await edit({ endsAt: rig.clock.now + hour })).toMatchObject({
      status: 409,
      body: { code: 'conflict', field: 'endsAt' },
    })
    expect(await edit({ title: 'It rained' })).toMatchObject({ status: 200 })
  })

  it('can be changed until they are loaded', async () => {
    await rain()
    expect(await edit({ packets: { count: 5, totalAmount: 50 } })).toMatchObject({
      status: 200,
      body: { stock: 5, packets: { count: 5, totalAmount: 50 } },
    })
    const windows = waves([4, 40], [2, 20])
    expect(await edit({ windows })).toMatchObject({
      status: 200,
      body: { stock: 4, packets: { count: 4, totalAmount: 40 } },
    })
    await rig.act('warm')
    const other = waves([4, 40], [2, 30])
    expect(await edit({ windows: other })).toMatchObject({ status: 409, body: { field: 'windows' } })
    expect(await edit({ packets: { count: 4, totalAmount: 41 }, windows: [] })).toMatchObject({ status: 409 })
    expect(await edit({ currency: 'JPY' })).toMatchObject({ status: 409, body: { field: 'currency' } })
    expect(await edit({ title: 'More rain' })).toMatchObject({ status: 200 })
  })

  it('cannot be added or removed', async () => {
    await rain()
    await rig.act('warm')
    expect(await rig.act('stock', { delta: 5 })).toMatchObject({ status: 409, body: { field: 'delta' } })
  })
})

describe('a definition of coupons', () => {
  it('may set from when until when they are valid', async () => {
    const coupons = { validFrom: rig.clock.now, validUntil: rig.clock.now + 30 * 24 * hour }
    expect(await coupon({ coupons })).toMatchObject({ status: 201, body: { coupons } })
    expect(await edit({ coupons: {} })).toMatchObject({ status: 200, body: { coupons: {} } })
  })

  it('stays valid beyond the last of its windows (R7)', async () => {
    const windows = waves([4, undefined], [4, undefined])
    const [first, last] = windows.map(({ endsAt }) => ({ windows, coupons: { validUntil: endsAt + 1 } }))
    const { startsAt, endsAt, stock } = windows[0] ?? {}
    const ofFirst = { startsAt, endsAt, stock }
    expect(await coupon({ ...ofFirst, ...first })).toMatchObject({ body: { field: 'coupons.validUntil' } })
    expect(await coupon({ ...ofFirst, ...last })).toMatchObject({ status: 201 })
  })
})
