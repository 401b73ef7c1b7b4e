import { describe, expect, it } from 'vitest'
import type { Live } from '../../../core/api/control-answers.ts'
import { aSale, aSaleOfVariants } from '../../redis/support.ts'
import { liveOf, type Made, orderOf, reportOfOrders, reportOfPackets } from './tables.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const day = { startsAt: opens, endsAt: opens + 3_600_000 }
const mugs = aSale({ ...day, stock: 10, price: 1290, currency: 'EUR' })

/** A report of orders that are made at seconds after the opening. */
const reportOf = (sale: typeof mugs, made: readonly Made[], change: Partial<Live> = {}) =>
  reportOfOrders(
    liveOf(sale, change),
    made.map((one) => orderOf(sale, one)),
  )

const at = (seconds: number) => opens + seconds * 1000

/** Six orders of ten units: four are paid, one expired, and one was refunded. */
const six: readonly Made[] = [
  { shopper: 1, quantity: 2, status: 'paid', at: at(1), paidAt: at(31) },
  { shopper: 2, quantity: 2, status: 'shipped', at: at(2), paidAt: at(12) },
  { shopper: 3, quantity: 1, status: 'cancelled', at: at(2.5), endedAt: at(900) },
  {
    ...{ shopper: 4, quantity: 2, status: 'refunded', at: at(3), paidAt: at(63), endedAt: at(800) },
    refunds: [{ paymentId: 'a', amount: 2580, currency: 'EUR', returned: 2580 }],
  },
  { shopper: 5, quantity: 2, status: 'delivered', at: at(4), paidAt: at(24) },
  { shopper: 1, order: 2, quantity: 1, status: 'paid', at: at(5.5), paidAt: at(105.5) },
  { shopper: 6, quantity: 1, status: 'rejected', at: at(5.6), endedAt: at(6) },
]

describe('the report of goods', () => {
  it('is the same where many orders are read in quarters', async () => {
    const shoppers = Array.from(
      { length: 50 },
      (_, i) => ({ ...six[i % 6], shopper: i + 1, order: 1 + (i % 9) }) as Made,
    )
    const whole = await reportOf(mugs, shoppers)
    expect(whole.statuses.reduce((sum, { orders }) => sum + orders, 0)).toBe(50)
    expect(await reportOf(mugs, shoppers, { orders: { sold: 0, orders: 10_000 } })).toEqual(whole)
  })

  it('counts units, orders and shoppers of orders that stand', async () => {
    const report = await reportOf(mugs, six)
    expect(report.units).toEqual({ offered: 10, sold: 7, left: 3 })
    expect([report.orders, report.shoppers]).toEqual([4, 3])
    expect(report.statuses).toEqual([
      { status: 'paid', orders: 2, units: 3, amount: 3870 },
      { status: 'cancelled', orders: 1, units: 1, amount: 1290 },
      { status: 'rejected', orders: 1, units: 1, amount: 1290 },
      { status: 'refunded', orders: 1, units: 2, amount: 2580 },
      { status: 'shipped', orders: 1, units: 2, amount: 2580 },
      { status: 'delivered', orders: 1, units: 2, amount: 2580 },
    ])
    expect([report.packets, report.coupons]).toEqual([null, null])
  })

  it('adds up payments and refunds in minor units, and how long shoppers took to pay', async () => {
    // Paid after 30, 10, 20 and 100 s.
    expect((await reportOf(mugs, six)).payments).toEqual({
      ...{ payable: 6, paid: 4, revenue: 9030, disputed: 0 },
      ...{ refundDue: 2580, refundReturned: 2580 },
      ...{ medianMs: 20_000, p95Ms: 100_000 },
    })
  })

  it('counts no order as revenue whose payment is disputed', async () => {
    const [paid, ...others] = six
    if (paid === undefined) throw new Error('there is no order')
    const dispute = { paymentId: 'a', state: 'open', at: at(40) } as const
    const { payments } = await reportOf(mugs, [{ ...paid, dispute }, ...others])
    expect(payments).toMatchObject({ paid: 3, revenue: 6450, disputed: 2580 })
    const won = await reportOf(mugs, [{ ...paid, dispute: { ...dispute, state: 'won' } }, ...others])
    expect(won.payments).toMatchObject({ paid: 4, revenue: 9030, disputed: 0 })
  })

  it('says when the first, the middle and the last unit went, and how fast', async () => {
    const { pace } = await reportOf(mugs, six)
    expect(pace.peakPerSecond).toBe(3)
    expect(pace.windows).toEqual([
      {
        ...{ opensAt: opens, endsAt: day.endsAt, available: 10, taken: 10, sold: 7 },
        ...{ firstMs: 1000, halfMs: 2500, soldOutMs: 5500 },
        bars: { widthMs: 1000, units: [0, 2, 3, 2, 2, 1], later: 0 },
      },
    ])
  })

  it('has wider bars for a slower sale, and sets the last few units apart', async () => {
    const slow = Array.from({ length: 100 }, (_, i) => ({
      ...{ shopper: i + 1, status: 'paid' as const, paidAt: at(4000) },
      at: at(i < 97 ? i * 2 : 3000 + i),
    }))
    const { bars } = (await reportOf(aSale({ ...day, stock: 100 }), slow)).pace.windows[0] ?? {}
    // 95 units went within 188 s: thirty bars of 10 s.
    expect(bars?.widthMs).toBe(10_000)
    expect(bars?.units).toHaveLength(30)
    expect(bars?.units.slice(0, 3)).toEqual([5, 5, 5])
    expect(bars?.later).toBe(3)
  })

  it('has no payments where nothing is to be paid', async () => {
    const free = aSale({ ...day, price: 0, stock: 2 })
    const report = await reportOf(free, [{ shopper: 1, quantity: 2, status: 'fulfilled', at: at(1) }])
    expect(report.payments).toBeNull()
    expect(report).toMatchObject({ orders: 1, shoppers: 1, units: { offered: 2, sold: 2, left: 0 } })
  })

  it('has no times of a sale without orders', async () => {
    const report = await reportOf(mugs, [])
    expect(report).toMatchObject({ orders: 0, shoppers: 0, statuses: [], units: { sold: 0, left: 10 } })
    expect(report.payments).toMatchObject({ payable: 0, paid: 0, revenue: 0, medianMs: null, p95Ms: null })
    expect(report.pace).toMatchObject({
      peakPerSecond: 0,
      windows: [{ taken: 0, firstMs: null, halfMs: null, soldOutMs: null, bars: null }],
    })
  })

  it('knows no end of an unlimited stock', async () => {
    const endless = aSale({ ...day, stock: -1 })
    const report = await reportOf(endless, [{ shopper: 1, status: 'paid', at: at(1), paidAt: at(2) }])
    expect(report.units).toEqual({ offered: null, sold: 1, left: null })
    expect(report.pace.windows[0]).toMatchObject({ available: null, firstMs: 1000, halfMs: null, soldOutMs: null })
  })

  it('counts orders that wait for their payment as sold and not as paid', async () => {
    const report = await reportOf(mugs, [{ shopper: 1, status: 'awaiting-payment', at: at(1) }], {
      ...{ phase: 'open', outbox: 4, now: at(5) },
    })
    expect(report).toMatchObject({ phase: 'open', pending: 4, madeAt: at(5), units: { sold: 1 } })
    expect(report.payments).toMatchObject({ payable: 1, paid: 0, revenue: 0 })
  })

  it('has the requests and their refusals as the live numbers have them', async () => {
    const demand = { asked: 95, decided: 12, won: 10, refused: [{ reason: 'sold-out', count: 85 }] }
    expect((await reportOf(mugs, six, { demand })).demand).toEqual(demand)
  })

  it('knows no requests of an archived sale, and all the rest', async () => {
    const archived = { ...mugs, archivedAt: day.endsAt + 1 }
    const report = await reportOf(archived, six, { stock: null, demand: null, outbox: 0 })
    expect(report.demand).toBeNull()
    expect(report.units).toEqual({ offered: 10, sold: 7, left: 3 })
  })
})

it('the report of variants (N1) counts the units of each', async () => {
  const sizes = aSaleOfVariants({ s: 3, m: 4, l: 1 }, day)
  const { variants } = await reportOf(sizes, [
    { shopper: 1, quantity: 3, variant: 's', status: 'paid', at: at(1), paidAt: at(2) },
    { shopper: 2, quantity: 1, variant: 'm', status: 'awaiting-payment', at: at(1) },
    { shopper: 3, quantity: 1, variant: 's', status: 'cancelled', at: at(1), endedAt: at(9) },
  ])
  expect(variants).toEqual([
    { id: 's', name: 'Size s', offered: 3, sold: 3, left: 0 },
    { id: 'm', name: 'Size m', offered: 4, sold: 1, left: 3 },
    { id: 'l', name: 'Size l', offered: 1, sold: 0, left: 1 },
  ])
})

describe('the report of several rounds (R7)', () => {
  const rounds = [
    { startsAt: opens, endsAt: at(100), stock: 3 },
    { startsAt: at(1000), endsAt: at(1100), stock: 2 },
    { startsAt: at(2000), endsAt: at(2100), stock: 5 },
  ]
  const second = { windows: rounds, windowIndex: 1, startsAt: at(1000), endsAt: at(1100), stock: 5 }
  const three: readonly Made[] = [
    { shopper: 1, status: 'paid', at: at(4), paidAt: at(5) },
    { shopper: 2, status: 'cancelled', at: at(6), endedAt: at(906) },
    { shopper: 3, quantity: 2, status: 'paid', at: at(1002), paidAt: at(1004) },
    { shopper: 4, quantity: 2, status: 'paid', at: at(1009), paidAt: at(1010) },
  ]

  it('gives each its own units and those that earlier ones left', async () => {
    const { pace } = await reportOf(aSale(second), three, { now: at(1200) })
    expect(pace.windows).toMatchObject([
      { available: 3, taken: 2, sold: 1, firstMs: 4000, halfMs: 6000, soldOutMs: null },
      { opensAt: at(1000), available: 4, taken: 4, sold: 4, firstMs: 2000, halfMs: 2000, soldOutMs: 9000 },
    ])
  })

  it('leaves out rounds that have not begun', async () => {
    expect((await reportOf(aSale(second), three, { now: at(1200) })).pace.windows).toHaveLength(2)
    const report = await reportOf(aSale({ ...second, windowIndex: 0, ...rounds[0] }), [], { now: opens - 5 })
    expect(report.pace.windows).toHaveLength(1)
  })

  it('counts units that were added by hand as part of the present round', async () => {
    const { pace, units } = await reportOf(aSale({ ...second, stock: 6 }), three, { now: at(1200) })
    expect(units).toEqual({ offered: 6, sold: 5, left: 1 })
    expect(pace.windows[1]).toMatchObject({ available: 5, soldOutMs: null })
  })

  it('opens a round that was started by hand with its first unit', async () => {
    const early = [{ shopper: 1, status: 'paid', at: opens - 500, paidAt: opens }] as const
    const { pace } = await reportOf(aSale(second), early, { now: at(1200) })
    expect(pace.windows[0]).toMatchObject({ opensAt: opens - 500, firstMs: 0, taken: 1 })
  })

  it('counts a request that was under way at the very end in the last round', async () => {
    const late = [{ shopper: 1, status: 'paid', at: day.endsAt + 20, paidAt: day.endsAt + 9000 }] as const
    expect((await reportOf(mugs, late)).pace.windows[0]).toMatchObject({ taken: 1, sold: 1 })
  })
})

it('the report of coupons counts those that were issued, redeemed, and void with their order', async () => {
  const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 4 })
  const orders = [
    orderOf(tea, { shopper: 1, quantity: 2, status: 'fulfilled', at: opens + 100 }),
    orderOf(tea, { shopper: 2, quantity: 1, status: 'cancelled', at: opens + 200, endedAt: opens + 5000 }),
    orderOf(tea, { shopper: 3, quantity: 1, status: 'fulfilled', at: opens + 300 }),
  ]
  const report = await reportOfOrders(liveOf(tea, { redeemed: 2 }), orders)
  expect(report.units).toEqual({ offered: 4, sold: 3, left: 1 })
  expect(report.coupons).toEqual({ void: 1, redeemed: 2 })
  expect(report.payments).toBeNull()
  expect(report.pace.windows[0]).toMatchObject({ soldOutMs: 300, halfMs: 100 })
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
    expect(report.pace.windows[0]).toMatchObject({ firstMs: 1000, halfMs: 3000, soldOutMs: null })
  })

  it('has the whole budget and no amounts before the first claim', async () => {
    const report = await reportOfPackets(liveOf(rain, { money: null }), [])
    expect(report.packets).toEqual({
      ...{ budget: 1000, claimed: 0, returned: null, smallest: null, median: null, largest: null },
    })
  })
})
