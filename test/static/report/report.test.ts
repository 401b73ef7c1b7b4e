import { describe, expect, it } from 'vitest'
import { reportCsv } from '../../../core/report/report-csv.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { renderReport } from '../../../static/pages/report/report.ts'
import type { ReportReader } from '../../../static/pages/report/voice.ts'
import { liveOf, type Made, orderOf, reportOfClaims, reportOfOrders } from '../../core/report/tables.ts'
import { aSale, aSaleOfVariants, saleIdOf, shopperIdOf } from '../../redis/support.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const at = (seconds: number) => opens + seconds * 1000
const day = { startsAt: opens, endsAt: opens + 3_600_000 }
const english: ReportReader = { language: 'en', locale: 'en', timeZone: 'UTC' }
const chinese: ReportReader = { language: 'zh-CN', locale: 'zh-CN', timeZone: 'Asia/Shanghai' }

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

function headlineIn(page: string): string | undefined {
  return /<p class="headline">([^<]*)</.exec(page)?.[1]
}

const headline = async (report: Awaited<ReturnType<typeof soldOut>>, reader = english) =>
  headlineIn(renderReport(report, {}, reader))

describe('the first sentence of a report', () => {
  it('says how a sale of goods went', async () => {
    const report = await soldOut()
    expect(await headline(report)).toBe('Sold out in 41 s: 3 of 3 units to 2 shoppers; 2 orders paid, €38.70.')
    expect(await headline(report, chinese)).toBe(
      '41 秒售罄：共 3 件，售出 3 件，2 位用户抢到；2 笔订单已付款，金额 €38.70。',
    )
  })

  it('says that units came back', async () => {
    const lost = { shopper: 2, status: 'cancelled', at: at(61), endedAt: at(961), quantity: 2 } as const
    const report = await reportOf(mugs, [paid(1, 1), lost])
    expect(await headline(report)).toBe(
      'Sold out in 1 min 1 s: 1 of 3 units to 1 shopper; 2 came back; 1 order paid, €12.90.',
    )
    expect(await headline(report, chinese)).toContain('；2 件已退回库存；')
    const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 3 })
    const kept = { shopper: 1, status: 'fulfilled', at: at(1) } as const
    expect(await headline(await reportOf(tea, [kept, lost]), chinese)).toContain('；2 张已退回库存')
  })

  it('says what is so far, what ended, and that nothing was sold', async () => {
    const one = [paid(1, 1)]
    expect(await headline(await reportOf(mugs, one, { phase: 'open' }))).toMatch(/^So far: 1 of 3 units/)
    expect(await headline(await reportOf(mugs, one))).toMatch(/^Ended: 1 of 3 units to 1 shopper; 1 order paid/)
    expect(await headline(await reportOf(mugs, []))).toBe('Ended: no unit was sold.')
    const never = await reportOf({ ...mugs, flag: 'off', epoch: 0 }, [])
    expect(await headline(never)).toBe('Never started: no unit was sold.')
    expect(await headline(never, chinese)).toBe('活动未曾开启：暂无售出。')
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
    const page = renderReport(report, {}, english)
    expect(page.match(/<figcaption>/g)).toHaveLength(2)
    expect(page).toContain('<th scope="row">Round 2</th>')
  })

  it('speaks of coupons and red packets in their own words (P1)', async () => {
    const tea = aSale({ ...day, kind: 'coupon', price: 0, stock: 2 })
    const made = [{ shopper: 1, quantity: 2, status: 'fulfilled', at: at(3) }] as const
    const coupons = await reportOf(tea, made, { redeemed: 1 })
    expect(await headline(coupons)).toBe('All claimed in 3 s: 2 of 2 coupons to 1 shopper; 1 redeemed.')
    expect(await headline(coupons, chinese)).toBe('3 秒领完：共 2 张券，领取 2 张，1 位用户领到；已核销 1 张。')
    const rain = aSale({
      ...{ ...day, kind: 'red-packet', price: 0, stock: 1, limitPerShopper: 1, maxPerOrder: 1 },
      ...{ packets: { count: 1, totalAmount: 888 }, currency: 'CNY' },
    })
    const claim = { packet: 0, shopperId: shopperIdOf(1), amount: 888, currency: 'CNY', claimedAt: at(0.5) }
    const packets = await reportOfClaims(liveOf(rain), [claim])
    expect(await headline(packets)).toBe(
      'All claimed in 0.5 s: 1 of 1 red packets to 1 shopper; CN¥8.88 of CN¥8.88 claimed.',
    )
  })
})

describe('a report', () => {
  it('is one file that runs nothing and loads nothing', async () => {
    const page = renderReport(await soldOut(), {}, english)
    expect(page).toContain(
      `<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    )
    expect(page).not.toMatch(/<script|<link|<img|\bsrc=|href=|url\(|@import|https?:/)
    expect(page.match(/<h1>/g)).toHaveLength(1)
  })

  it('escapes what a marketer wrote', async () => {
    const title = '<script>alert("1")</script> & Co'
    const variants = [
      { id: 's', name: '<b>Small</b>', stock: 1 },
      { id: 'm', name: '=1+1', stock: 2 },
    ]
    const demand = { asked: 1, decided: 0, won: 0, refused: [{ reason: '<i>new</i>', count: 1 }] }
    const report = await reportOf({ ...mugs, title, variants }, [], { demand })
    const page = renderReport(report, { name: 'A</title><script>' }, english)
    expect(page).not.toMatch(/<script|<b>|<i>|A<\/title>/)
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Co')
    const csv = reportCsv(report, {})
    expect(csv).toContain(`variant m,name,'=1+1,\r\n`)
  })

  it('has the name and colours of the shop', async () => {
    const report = await soldOut()
    const page = renderReport(report, { name: 'Kiln & Co', colours: { light: '#0b5a8a', dark: '#7cc4f0' } }, english)
    expect(page).toContain('<span class="shop">Kiln &amp; Co</span>')
    expect(page).toContain('--accent: #0b5a8a')
    expect(page).not.toMatch(/sluice/i)
    expect(renderReport(report, {}, chinese)).toContain('<span class="shop">商店</span>')
  })

  it('gives times in the zone that it names', async () => {
    const report = await soldOut()
    const berlin = renderReport(report, {}, { ...english, timeZone: 'Europe/Berlin' })
    expect(berlin).toContain('Nov 20, 2026, 12:00:00')
    expect(berlin).toContain('All times: Europe/Berlin (GMT+1).')
    const shanghai = renderReport(report, {}, chinese)
    expect(shanghai).toContain('2026年11月20日 19:00:00')
    expect(shanghai).toContain('时区：Asia/Shanghai (GMT+8)')
  })

  it('names no shopper, in HTML and in CSV', async () => {
    const report = await soldOut()
    for (const text of [renderReport(report, {}, english), reportCsv(report, {}), JSON.stringify(report)]) {
      expect(text).not.toContain(shopperIdOf(1))
      expect(text).not.toContain(orderOf(mugs, paid(1, 1)).orderId)
    }
  })

  it('says that requests are not known, that some orders are on their way, and shares of the requests', async () => {
    const unknown = renderReport(await reportOf(mugs, [], { outbox: 3 }), {}, english)
    expect(unknown).toContain('The requests aren’t known.')
    expect(unknown).toContain('3 reservations not yet written')
    const demand = {
      ...{ asked: 200, decided: 3, won: 3 },
      refused: [
        { reason: 'sold-out', count: 190 },
        { reason: 'newer', count: 7 },
      ],
    }
    const known = renderReport(await reportOf(mugs, [paid(1, 1, 3)], { demand }), {}, english)
    expect(known).toContain('<th scope="row">Sold out</th><td>190</td><td>95%</td>')
    expect(known).toContain('<th scope="row">Other (newer)</th><td>7</td><td>3.5%</td>')
    expect(known).toContain('66.7 times what was sold')
  })

  it('has text alternatives of its charts: a sentence, and a table of their numbers', async () => {
    const page = renderReport(await soldOut(), {}, english)
    expect(page).toContain('role="img" aria-label="3 within 42 s. Most in 2 s: 2."')
    expect(page).toContain('<tr><th scope="row">40 s</th><td>42 s</td><td>2</td><td>3</td></tr>')
  })

  it('says how many orders each shopper has on average, unless that is one', async () => {
    const many = aSale({ ...day, stock: -1, price: 1290, currency: 'EUR' })
    const page = async (shoppers: number, again: number, reader = english) => {
      const made = [
        ...Array.from({ length: shoppers }, (_, i) => paid(i + 1, i)),
        ...Array.from({ length: again }, (_, i) => ({ ...paid(i + 1, i), order: 2 })),
      ]
      return renderReport(await reportOf(many, made), {}, reader)
    }
    expect(await page(50, 1)).not.toContain('on average')
    expect(await page(50, 1, chinese)).not.toContain('人均')
    expect(await page(20, 1)).toContain('1.05 orders each on average')
    expect(await page(20, 1, chinese)).toContain('人均 1.05 单')
    expect(await page(2, 2)).toContain('2 orders each on average')
  })

  it('counts in Chinese with the measure word of each kind', async () => {
    const hours = { ...day, stock: 3000, endsAt: opens + 24 * 3_600_000 }
    const goods = aSale({ ...hours, price: 1290, currency: 'EUR' })
    const tea = aSale({ ...hours, kind: 'coupon', price: 0 })
    const rain = aSale({
      ...{ ...hours, kind: 'red-packet', price: 0, limitPerShopper: 1, maxPerOrder: 1 },
      ...{ packets: { count: 3000, totalAmount: 300_000 }, currency: 'CNY' },
    })
    // All but the last one within a minute, which the chart shows.
    const seconds = [...Array.from({ length: 199 }, (_, i) => i / 4), 86_000]
    const claims = seconds.map((second, packet) => ({
      ...{ packet, shopperId: shopperIdOf(packet), amount: 100, currency: 'CNY', claimedAt: at(second) },
    }))
    const coupons = seconds.map((second, i) => ({
      ...{ shopper: i + 1, status: 'fulfilled' as const, at: at(second) },
    }))
    const reports = {
      件: await reportOf(
        goods,
        seconds.map((second, i) => paid(i + 1, second)),
      ),
      张: await reportOf(tea, coupons),
      个: await reportOfClaims(liveOf(rain), claims),
    }
    for (const [measure, report] of Object.entries(reports)) {
      const page = renderReport(report, {}, chinese)
      expect(page).toMatch(new RegExp(`内共 \\d+ ${measure}，[^"]*内最多 \\d+ ${measure}。"`))
      expect(page).toContain(`此后另有 1 ${measure}<`)
    }
  })

  it('shows the units of each variant (N1)', async () => {
    const sizes = aSaleOfVariants({ s: 3, m: 4 }, day)
    const basket = { shopper: 1, quantity: 3, basket: { s: 1, m: 2 }, status: 'paid', at: at(1) } as const
    expect(renderReport(await reportOf(sizes, [basket]), {}, english)).toContain(
      '<tr><th scope="row">Size m</th><td>4</td><td>2</td><td>2</td></tr>',
    )
  })
})

describe('the report as CSV', () => {
  it('counts money that the provider returned on its own as owed, like the HTML (O9)', async () => {
    const back = { paymentId: 'pay-1', amount: 0, currency: 'EUR', returned: 400 }
    const report = await reportOf(mugs, [{ ...paid(1, 1), refunds: [back] }])
    expect(report.payments).toMatchObject({ refundDue: { EUR: 400 }, refundReturned: { EUR: 400 } })
    expect(reportCsv(report, {})).toContain('payments,refundDue,4.00,EUR\r\n')
    expect(renderReport(report, {}, english)).not.toContain('€0.00')
  })

  it('has one figure in each row, amounts with a point, times in UTC and seconds', async () => {
    const demand = { asked: 20, decided: 3, won: 3, refused: [{ reason: 'sold-out', count: 17 }] }
    const csv = reportCsv(await reportOf(mugs, [paid(1, 1), paid(2, 41, 2)], { demand }), { name: 'Kiln' })
    const [head, ...lines] = csv.split('\r\n')
    expect(head).toBe('\uFEFFsection,name,value,unit')
    expect(lines.at(-1)).toBe('')
    for (const line of [
      ...['sale,shop,Kiln,', 'sale,madeAt,2026-11-20T12:00:01.000Z,time', 'units,sold,3,units'],
      ...['shoppers,withUnits,2,shoppers', 'payments,revenue,38.70,EUR', 'payments,medianTime,60,s'],
      ...['demand,asked,20,requests', 'refused,sold-out,17,requests', 'status paid,amount,38.70,EUR'],
      ...['pace,peakPerSecond,2,units', 'round 1,soldOut,41,s', 'round 1 series,from 40 s,2,units per 2 s'],
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('leaves out what is not known', async () => {
    const csv = reportCsv(await reportOf(aSale({ ...day, price: 0, stock: -1 }), []), {})
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
    expect(reportCsv(report, {})).toContain('source news,orders,2,orders\r\nsource news,units,3,units\r\n')
    const page = renderReport(report, {}, english)
    expect(page).toContain('<th scope="row">No source in the address</th><td>1</td><td>25%</td><td>1</td>')
    expect(renderReport(report, {}, chinese)).toContain('订单来源')
  })

  it('is left out where no order has a source, and has at most 20 sources', async () => {
    expect(renderReport(await soldOut(), {}, english)).not.toContain('Where orders came from')
    const made = Array.from({ length: 23 }, (_, i) => from(`made-up-${i + 10}`, i + 1))
    const { sources } = await reportOf(aSale({ ...day, stock: 30 }), made)
    expect(sources).toHaveLength(21)
    expect(sources.at(-1)).toEqual({ source: '(other)', orders: 3, units: 3 })
  })
})

describe('a report beside an earlier sale', () => {
  const spring = aSale({
    ...day,
    saleId: saleIdOf('spring'),
    stock: 2,
    price: 1000,
    currency: 'EUR',
    title: 'Spring mug',
  })

  it('has the figures of both, and the difference', async () => {
    const [report, earlier] = [await soldOut(), await reportOf(spring, [paid(1, 11)])]
    const page = renderReport(report, {}, english, earlier)
    expect(page).toContain('Earlier: Spring mug, Nov 20, 2026, 11:00:00 AM')
    const [, section = ''] = page.split('<h2>Compared')
    const rows = [
      ...(section.split('</section>')[0] ?? '').matchAll(
        /<tr role="row"><th scope="row" role="rowheader">([^<]*)<\/th>((?:<td role="cell" [^>]*>[^<]*<\/td>){3})<\/tr>/g,
      ),
    ].map(([, name, cells = '']) => [name, ...Array.from(cells.matchAll(/>([^<]+)</g), ([, text]) => text)])
    expect(rows).toEqual([
      ['Offered', '3', '2', '+1 (+50%)'],
      ['Units sold', '3', '1', '+2 (+200%)'],
      ['Remaining', '0', '1', '−1 (−100%)'],
      ['Shoppers with an order', '2', '1', '+1 (+100%)'],
      ['Paid orders', '2', '1', '+1 (+100%)'],
      ['Revenue', '€38.70', '€10.00', '+€28.70 (+287%)'],
      ['Most in one second', '2', '1', '+1 (+100%)'],
    ])
    expect(renderReport(report, {}, chinese, earlier)).toContain('与往期活动对比')
    // Read from right to left, the signs still stand before their numbers.
    const arabic = renderReport(report, {}, { ...english, language: 'ar', locale: 'ar' }, earlier)
    expect(arabic).toContain('">\u200e+1 (\u200e+50')
    expect(arabic).toContain('\u2066+28.70\u2069')
    const csv = reportCsv(report, {}, earlier)
    expect(csv).toContain('earlier,saleId,spring,')
    expect(csv).toContain('earlier,revenue,10,EUR\r\ndifference,revenue,28.7,EUR\r\n')
    expect(csv).toContain('difference,left,-1,units\r\n')
  })

  it('leaves amounts of another currency out, and times that one of them lacks', async () => {
    const yen = aSale({ ...day, stock: 3, price: 1290, currency: 'JPY' })
    const csv = reportCsv(await soldOut(), {}, await reportOf(yen, [paid(1, 1)]))
    expect(csv).toContain('earlier,paid,1,orders')
    expect(csv).not.toMatch(/earlier,(revenue|soldOut)/)
  })
})
