import { describe, expect, it } from 'vitest'
import { aSale } from '../../redis/support.ts'
import { liveOf, orderOf, reportOfOrders, reportOfPackets } from './tables.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const day = { startsAt: opens, endsAt: opens + 3_600_000 }

describe('the report of coupons', () => {
  const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 4 })
  const orders = [
    orderOf(tea, { shopper: 1, quantity: 2, status: 'fulfilled', at: opens + 100 }),
    orderOf(tea, { shopper: 2, quantity: 1, status: 'cancelled', at: opens + 200, endedAt: opens + 5000 }),
    orderOf(tea, { shopper: 3, quantity: 1, status: 'fulfilled', at: opens + 300 }),
  ]

  it('counts those that were issued, redeemed, and void with their order', async () => {
    const report = await reportOfOrders(liveOf(tea, { redeemed: 2 }), orders)
    expect(report.units).toEqual({ offered: 4, sold: 3, left: 1 })
    expect(report.coupons).toEqual({ void: 1, redeemed: 2 })
    expect(report.payments).toBeNull()
    expect(report.pace.rounds[0]).toMatchObject({ soldOutMs: 300, halfMs: 100 })
  })
})

describe('the report of red packets (P1)', () => {
  const rain = aSale({
    ...{ ...day, kind: 'red-packet', price: 0, stock: 5, limitPerShopper: 1, maxPerOrder: 1 },
    packets: { count: 5, totalAmount: 1000 },
  })
  const packets = [40, 310, 200, 90].map((amount, i) => ({ amount, at: opens + 1000 * (i + 1) }))

  it('has the money that was claimed, and the smallest, middle and largest packet', async () => {
    const money = { budget: 1000, claimed: 640, left: 360, returned: 360 }
    const report = await reportOfPackets(liveOf(rain, { money }), packets)
    expect(report.packets).toEqual({
      ...{ budget: 1000, claimed: 640, returned: 360, smallest: 40, median: 90, largest: 310 },
    })
    expect(report.units).toEqual({ offered: 5, sold: 4, left: 1 })
    expect(report).toMatchObject({ shoppers: 4, statuses: [], payments: null })
    expect(report.pace.rounds[0]).toMatchObject({ firstMs: 1000, halfMs: 3000, soldOutMs: null })
  })

  it('has the whole budget and no amounts before the first claim', async () => {
    const report = await reportOfPackets(liveOf(rain, { money: null }), [])
    expect(report.packets).toEqual({
      ...{ budget: 1000, claimed: 0, returned: null, smallest: null, median: null, largest: null },
    })
  })
})
