import { describe, expect, it } from 'vitest'
import { headlineOf } from '../../../console/report/report-view.tsx'
import type { Language } from '../../../core/language.ts'
import { formatMoney } from '../../../core/money.ts'
import { reportCsv } from '../../../core/report/report-csv.ts'
import type { SaleReport } from '../../../core/report/sale-report.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { liveOf, type Made, orderOf, reportOfOrders, reportOfPackets } from '../../core/report/tables.ts'
import { aSale, shopperIdOf } from '../../redis/support.ts'
import { voiceIn } from '../voices.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const at = (seconds: number) => opens + seconds * 1000
const day = { startsAt: opens, endsAt: opens + 3_600_000 }

const paid = (shopper: number, seconds: number, quantity = 1): Made => ({
  ...{ shopper, quantity, status: 'paid', at: at(seconds), paidAt: at(seconds + 60) },
})

const reportOf = (sale: Sale, made: readonly Made[], change: Parameters<typeof liveOf>[1] = {}) =>
  reportOfOrders(
    liveOf(sale, change),
    made.map((one) => orderOf(sale, one)),
  )

const mugs = aSale({ ...day, stock: 3, price: 1290, currency: 'EUR' })
const soldOut = () => reportOf(mugs, [paid(1, 1), paid(2, 41, 2)])

const headline = async (report: SaleReport, language: Language = 'en') => {
  const money = (amount: number, currency: string) => formatMoney({ amount, currency }, language)
  return headlineOf({ ...voiceIn(language), money, locale: () => language }, report)
}

describe('the end in the file of a report', () => {
  it('is the one that came, and the planned one stands beside it only where it differs', async () => {
    const ends = (report: SaleReport) => reportCsv(report).match(/^round 1,(?:endsAt|plannedEnd),.*$/gm)
    expect(ends(await soldOut())).toEqual(['round 1,endsAt,2026-11-20T12:00:00.000Z,time'])
    expect(ends(await reportOf({ ...mugs, flag: 'closed', endedAt: at(90) }, [paid(1, 1)]))).toEqual([
      'round 1,endsAt,2026-11-20T11:01:30.000Z,time',
      'round 1,plannedEnd,2026-11-20T12:00:00.000Z,time',
    ])
  })
})

describe('the first sentence of a report', () => {
  it('says how a sale of goods went', async () => {
    const report = await soldOut()
    expect(await headline(report)).toBe('Sold out in 41 s: 3 of 3 units to 2 shoppers; 2 orders paid, €38.70.')
    expect(await headline(report, 'zh-CN')).toBe(
      '41 秒售罄：共 3 件，售出 3 件，2 位用户抢到；2 笔订单已付款，金额 €38.70。',
    )
  })

  it('says that units came back', async () => {
    const lost = { shopper: 2, status: 'cancelled', at: at(61), endedAt: at(961), quantity: 2 } as const
    const report = await reportOf(mugs, [paid(1, 1), lost])
    expect(await headline(report)).toBe(
      'Sold out in 1 min 1 s: 1 of 3 units to 1 shopper; 2 returned; 1 order paid, €12.90.',
    )
    expect(await headline(report, 'zh-CN')).toContain('；2 件已退回库存；')
    const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 3 })
    const kept = { shopper: 1, status: 'fulfilled', at: at(1) } as const
    expect(await headline(await reportOf(tea, [kept, lost]), 'zh-CN')).toContain('；2 张已退回库存')
  })

  it('says what is so far, what ended, and that nothing was sold', async () => {
    const one = [paid(1, 1)]
    expect(await headline(await reportOf(mugs, one, { phase: 'open' }))).toMatch(/^So far: 1 of 3 units/)
    expect(await headline(await reportOf(mugs, one))).toMatch(/^Ended: 1 of 3 units to 1 shopper; 1 order paid/)
    expect(await headline(await reportOf(mugs, []))).toBe('Ended: no unit was sold.')
    const never = await reportOf({ ...mugs, flag: 'off', epoch: 0 }, [])
    expect(await headline(never)).toBe('Never opened: no unit was sold.')
    expect(await headline(never, 'zh-CN')).toBe('活动未曾开启：暂无售出。')
    const before = { phase: 'scheduled', now: opens - 1 } as const
    expect(await headline(await reportOf(mugs, [], before))).toBe('Not open yet: no unit was sold.')
    const between = { phase: 'scheduled', now: day.endsAt + 1 } as const
    expect(await headline(await reportOf(mugs, [], between))).toBe('So far: no unit was sold.')
    const free = aSale({ ...day, price: 0, stock: -1 })
    const orders = [{ shopper: 1, quantity: 2, status: 'fulfilled', at: at(1) }] as const
    expect(await headline(await reportOf(free, orders))).toBe('Ended: 2 units to 1 shopper.')
  })

  it('speaks of rounds where there are several', async () => {
    const windows = [
      { startsAt: opens, endsAt: at(100), stock: 1 },
      { startsAt: at(200), endsAt: at(300), stock: 2 },
    ]
    const second = { windows, windowIndex: 1, startsAt: at(200), endsAt: at(300), stock: 3 }
    const sale = aSale({ ...second, price: 1290, currency: 'EUR' })
    const report = await reportOf(sale, [paid(1, 1), paid(2, 201, 2)])
    expect(await headline(report)).toMatch(/^All 2 rounds sold out: 3 of 3 units to 2 shoppers/)
    expect(await headline(await reportOf(sale, [paid(1, 1)]))).toMatch(/^Ended: 1 of 3 units/)
  })

  it('speaks of coupons and red packets in their own words (P1)', async () => {
    const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 2 })
    const made = [{ shopper: 1, quantity: 2, status: 'fulfilled', at: at(3) }] as const
    const coupons = await reportOf(tea, made, { redeemed: 1 })
    expect(await headline(coupons)).toBe('All claimed in 3 s: 2 of 2 coupons to 1 shopper; 1 redeemed.')
    expect(await headline(coupons, 'zh-CN')).toBe('3 秒领完：共 2 张券，领取 2 张，1 位用户领到；已核销 1 张。')
    const rain = aSale({
      ...{ ...day, kind: 'red-packet', price: 0, stock: 1, limitPerShopper: 1, maxPerOrder: 1 },
      ...{ packets: { count: 1, totalAmount: 888 }, currency: 'CNY' },
    })
    const packets = await reportOfPackets(liveOf(rain), [{ amount: 888, at: at(0.5) }])
    expect(await headline(packets)).toBe(
      'All claimed in 0.5 s: 1 of 1 red packet to 1 shopper; CN¥8.88 of CN¥8.88 claimed.',
    )
  })
})

describe('the report as CSV', () => {
  it('keeps what a marketer wrote from becoming a formula', async () => {
    const variants = [
      { id: 's', name: 'Small', stock: 1 },
      { id: 'm', name: '=1+1', stock: 2 },
    ]
    expect(reportCsv(await reportOf({ ...mugs, variants }, []))).toContain(`variant m,name,'=1+1,\r\n`)
  })

  it('names no shopper', async () => {
    const report = await soldOut()
    for (const text of [reportCsv(report), JSON.stringify(report)]) {
      expect(text).not.toContain(shopperIdOf(1))
      expect(text).not.toContain(orderOf(mugs, paid(1, 1)).orderId)
    }
  })

  it('counts money that the provider returned on its own as owed (O9)', async () => {
    const back = { paymentId: 'pay-1', amount: 0, currency: 'EUR', returned: 400 }
    const report = await reportOf(mugs, [{ ...paid(1, 1), refunds: [back] }])
    expect(report.payments).toMatchObject({ refundDue: 400, refundReturned: 400 })
    expect(reportCsv(report)).toContain('payments,refundDue,4.00,EUR\r\n')
  })

  it('has one figure in each row, amounts with a point, times in UTC and seconds', async () => {
    const demand = { asked: 20, decided: 3, won: 3, refused: [{ reason: 'sold-out', count: 17 }] }
    const csv = reportCsv(await reportOf(mugs, [paid(1, 1), paid(2, 41, 2)], { demand }))
    const [head, ...lines] = csv.split('\r\n')
    expect(head).toBe('\uFEFFsection,name,value,unit')
    expect(lines.at(-1)).toBe('')
    for (const line of [
      ...['sale,madeAt,2026-11-20T12:00:01.000Z,time', 'units,sold,3,units'],
      ...['shoppers,withUnits,2,shoppers', 'payments,revenue,38.70,EUR', 'payments,medianTime,60,s'],
      ...['demand,asked,20,requests', 'refused,sold-out,17,requests', 'status paid,amount,38.70,EUR'],
      ...['pace,peakPerSecond,2,units', 'round 1,soldOut,41,s', 'round 1 series,from 40 s,2,units per 2 s'],
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('leaves out what is not known', async () => {
    const csv = reportCsv(await reportOf(aSale({ ...day, price: 0, stock: -1 }), []))
    expect(csv).not.toMatch(/demand|payments|offered|firstUnit|series|undefined|null|NaN/)
    expect(csv).toContain('units,sold,0,units\r\n')
  })
})

describe('where orders came from', () => {
  const from = (source: string | undefined, shopper: number, quantity = 1): Made => ({
    ...paid(shopper, shopper, quantity),
    ...(source !== undefined && { source }),
  })

  it('is counted by source, without orders that ended', async () => {
    const ended = { ...from('news', 9), status: 'cancelled', endedAt: at(900) } as const
    const made = [from('news', 1), from(undefined, 2), from('news', 3, 2), from('tv', 4), ended]
    const report = await reportOf(mugs, made)
    expect(report.sources).toEqual([
      { source: 'news', orders: 2, units: 3 },
      { source: '(none)', orders: 1, units: 1 },
      { source: 'tv', orders: 1, units: 1 },
    ])
    expect(reportCsv(report)).toContain('source news,orders,2,orders\r\nsource news,units,3,units\r\n')
  })

  it('is left out where no order has a source, and has at most 20 sources', async () => {
    expect((await soldOut()).sources).toEqual([])
    const made = Array.from({ length: 23 }, (_, i) => from(`made-up-${i + 10}`, i + 1))
    const { sources } = await reportOf(aSale({ ...day, stock: 30 }), made)
    expect(sources).toHaveLength(21)
    expect(sources.at(-1)).toEqual({ source: '(other)', orders: 3, units: 3 })
  })
})
