import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAmount } from '../../../cli/sale/amount.ts'
import { newDefinition, readDefinition, readEdit, readNumber, readWhole } from '../../../cli/sale/definition.ts'
import { readTime } from '../../../cli/sale/time.ts'
import { saleDefinition } from '../../../core/sale/sale.ts'
import { aSale } from '../../redis/support.ts'

const now = Date.parse('2026-11-20T04:00:00Z')

describe('a time on the command line', () => {
  it.each([
    ['now', now],
    ['+90s', now + 90_000],
    ['+5m', now + 300_000],
    ['+1.5h', now + 5_400_000],
    ['+20d', now + 20 * 86_400_000],
    ['2026-12-01T12:00:00+08:00', Date.parse('2026-12-01T04:00:00Z')],
    ['2026-12-01T12:00Z', Date.parse('2026-12-01T12:00:00Z')],
    ['1796097600000', 1_796_097_600_000],
  ])('reads %s', (text, time) => {
    expect(readTime(text, now)).toBe(time)
  })

  it.each(['2026-12-01T12:00:00', '2026-12-01', 'noon', '90s', '-5m', '2026-13-01T12:00Z', '', '5'])(
    'refuses %j and shows the accepted form',
    (text) => {
      expect(() => readTime(text, now)).toThrow('+90s')
    },
  )
})

describe('an amount on the command line', () => {
  it.each([
    ['0.10', 'CNY', 10],
    ['0.1', 'CNY', 10],
    ['19.99', 'EUR', 1999],
    ['25', 'EUR', 2500],
    ['250', 'JPY', 250],
    ['1.234', 'KWD', 1234],
    ['1990', 'HUF', 199_000],
  ])('reads %s %s', (text, currency, minor) => {
    expect(readAmount(text, currency)).toBe(minor)
  })

  it.each([
    ['0.105', 'CNY', 'more decimals'],
    ['1.0', 'JPY', 'more decimals'],
    ['-1', 'CNY', 'not an amount'],
    ['1e3', 'CNY', 'not an amount'],
    ['1,50', 'EUR', 'not an amount'],
    ['', 'EUR', 'not an amount'],
    ['1', 'cny', 'ISO 4217'],
    ['1', undefined, '--currency'],
  ])('refuses %j %s with the reason (S5)', (text, currency, reason) => {
    expect(() => readAmount(text, currency)).toThrow(reason)
  })
})

describe('a definition from flags and a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sale-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('prefers flags over the file and turns its times into epoch ms', () => {
    const file = path.join(folder, 'sale.json')
    writeFileSync(file, JSON.stringify({ title: 'Mug', stock: 10, startsAt: '+1m', endsAt: now + 5 }))
    expect(readDefinition({ file, stock: '20' }, now)).toEqual({
      title: 'Mug',
      stock: 20,
      startsAt: now + 60_000,
      endsAt: now + 5,
    })
  })

  it('contains only the given fields, so that an edit changes nothing else', () => {
    expect(readDefinition({ ends: '+1h' }, now)).toEqual({ endsAt: now + 3_600_000 })
  })

  it('sets one unit for each shopper unless file or flags say more', () => {
    expect(newDefinition('mugs', {}, now)).toEqual({
      saleId: 'mugs',
      kind: 'goods',
      limitPerShopper: 1,
      maxPerOrder: 1,
    })
    const file = path.join(folder, 'limits.json')
    writeFileSync(file, JSON.stringify({ limitPerShopper: 5, currency: 'EUR', price: 990 }))
    expect(newDefinition('mugs', { file, maxPerOrder: '2' }, now)).toMatchObject({
      limitPerShopper: 5,
      maxPerOrder: 2,
      price: 990,
    })
    expect(readDefinition({ file, price: '9.90' }, now)).toMatchObject({ price: 990 })
    const yen = { currency: 'JPY' }
    expect(readEdit({ file, price: '9.80' }, yen, now), 'in the currency of the file').toMatchObject({
      price: 980,
    })
  })

  it('reads a throttle as requests per seconds, one for each it counts (R2, R3)', () => {
    expect(readDefinition({ throttleShopper: '5/60', throttleIp: '100/1s' }, now)).toEqual({
      throttle: {
        perShopper: { limit: 5, windowSeconds: 60 },
        perIp: { limit: 100, windowSeconds: 1 },
      },
    })
    expect(() => readDefinition({ throttleIp: 'five' }, now)).toThrow('5/60')
  })

  it('names in an edit only the throttles that it changes (R2, R3)', () => {
    const sale = { currency: 'EUR' }
    expect(readEdit({ throttleShopper: '9/60' }, sale, now)).toEqual({
      throttle: { perShopper: { limit: 9, windowSeconds: 60 } },
    })
    expect(readEdit({ title: 'Mug' }, sale, now)).toEqual({ title: 'Mug' })
    const file = path.join(folder, 'throttle.json')
    writeFileSync(file, JSON.stringify({ throttle: { perShopper: { limit: 3, windowSeconds: 1 } } }))
    expect(readDefinition({ file, throttleIp: '8/9' }, now)).toEqual({
      throttle: { perShopper: { limit: 3, windowSeconds: 1 }, perIp: { limit: 8, windowSeconds: 9 } },
    })
  })

  it('reads windows with the times of --starts and --ends, and takes the sale’s own from the first (R7)', () => {
    const windows = [
      { startsAt: now + 3_600_000, endsAt: now + 7_200_000, stock: 30 },
      { startsAt: Date.parse('2026-12-01T04:00:00Z'), endsAt: Date.parse('2026-12-01T05:00:00Z'), stock: 20 },
    ]
    const saleWindow = ['+1h,+2h,30', '2026-12-01T12:00:00+08:00, 2026-12-01T05:00Z, 20']
    expect(readDefinition({ window: saleWindow }, now)).toEqual({ ...windows[0], windows })
    const file = path.join(folder, 'windows.json')
    writeFileSync(file, JSON.stringify({ windows: [{ ...windows[0], startsAt: '+1h' }, windows[1]] }))
    expect(readDefinition({ file }, now)).toEqual({ ...windows[0], windows })
  })

  it.each([
    [{ window: ['+1h,+2h'] }, 'start,end,units'],
    [{ window: ['+1h,+2h,3,4'] }, '--currency'],
    [{ window: ['+1h,+2h,3,'], currency: 'EUR' }, 'start,end,packets,total'],
    [{ window: ['+1h,+2h,3,4,5'], currency: 'EUR' }, 'start,end,packets,total'],
    [{ window: ['+1h,+2h,3,0.001'], currency: 'EUR' }, 'more decimals'],
    [{ window: ['+1h,noon,3'] }, 'is not a time'],
    [{ window: ['+1h,+2h,some'] }, 'not a whole number'],
    [{ window: ['+1h,+2h,3'], stock: '3' }, 'leave out'],
    [{ window: ['+1h,+2h,3'], starts: '+1h' }, 'leave out'],
    [{ window: ['+1h,+2h,3,4'], packets: '3' }, 'leave out'],
  ])('refuses the windows in %j with the reason (R7)', (flags, reason) => {
    expect(() => readDefinition(flags, now)).toThrow(reason)
  })

  it('reads red packets per window, and the packets of the sale from the first (P1, R7)', () => {
    const saleWindow = ['+1h,+2h,30,150', '+3h,+4h,20,99.50']
    const [first, second] = [
      { startsAt: now + 3_600_000, endsAt: now + 7_200_000, stock: 30, totalAmount: 15_000 },
      { startsAt: now + 10_800_000, endsAt: now + 14_400_000, stock: 20, totalAmount: 9950 },
    ]
    const { totalAmount, ...own } = first
    const packets = { count: 30, totalAmount }
    expect(readDefinition({ window: saleWindow, currency: 'EUR' }, now)).toEqual({
      ...own,
      currency: 'EUR',
      windows: [first, second],
      packets,
    })
    const euros = { currency: 'EUR' }
    expect(readEdit({ window: saleWindow }, euros, now), 'in the currency of the sale').toMatchObject({
      packets,
    })
  })

  it('reads the number of packets and their amount; either one alone keeps the other (P1)', () => {
    const sale = { currency: 'JPY', packets: { count: 10, totalAmount: 5000 } }
    expect(readDefinition({ packets: '10', total: '50.00', currency: 'CNY' }, now)).toEqual({
      currency: 'CNY',
      packets: { count: 10, totalAmount: 5000 },
      stock: 10,
    })
    expect(readEdit({ total: '300' }, sale, now)).toEqual({
      packets: { count: 10, totalAmount: 300 },
      stock: 10,
    })
    const file = path.join(folder, 'rain.json')
    writeFileSync(file, JSON.stringify({ packets: { count: 7, totalAmount: 70 } }))
    expect(readDefinition({ file, packets: '8' }, now)).toEqual({
      packets: { count: 8, totalAmount: 70 },
      stock: 8,
    })
    expect(() => readDefinition({ total: '5' }, now)).toThrow('--currency')
    expect(() => readDefinition({ packets: '5', stock: '5' }, now)).toThrow('leave out --stock')
  })

  it('reads the validity of coupons; the other side stays, and none removes one', () => {
    const sale = { currency: 'EUR', coupons: { validFrom: now + 1, validUntil: now + 2 } }
    expect(readDefinition({ validUntil: '+30d' }, now)).toEqual({
      coupons: { validUntil: now + 30 * 86_400_000 },
    })
    expect(readEdit({ validUntil: '+1h' }, sale, now)).toEqual({
      coupons: { validFrom: now + 1, validUntil: now + 3_600_000 },
    })
    expect(readEdit({ validFrom: 'none' }, sale, now)).toEqual({ coupons: { validUntil: now + 2 } })
    const file = path.join(folder, 'coupons.json')
    writeFileSync(file, JSON.stringify({ coupons: { validFrom: '+1h' } }))
    expect(readDefinition({ file }, now)).toEqual({ coupons: { validFrom: now + 3_600_000 } })
  })

  it('refuses a file that is not one object', () => {
    const file = path.join(folder, 'list.json')
    writeFileSync(file, '[]')
    expect(() => readDefinition({ file }, now)).toThrow('one JSON object')
  })

  it('accepts decimals where they make sense (G5)', () => {
    expect(readNumber('1.25')).toBe(1.25)
    expect(() => readNumber('1,25')).toThrow('not a number')
    expect(() => readNumber('-1')).toThrow('not a number')
  })

  it('accepts whole numbers only elsewhere', () => {
    expect(readWhole('-10')).toBe(-10)
    expect(() => readWhole('1.5')).toThrow('not a whole number')
    expect(() => readWhole('ten')).toThrow('not a whole number')
  })
})

describe('a new sale like a former one', () => {
  const former = aSale({ startsAt: now - 3_600_000, endsAt: now, title: 'Mug', stock: 30 })

  it('has its fields, later, and those of the flags instead', () => {
    const fields = newDefinition('mug-2', { stock: '50' }, now, former)
    const day = 86_400_000
    expect(fields).toMatchObject({ saleId: 'mug-2', title: 'Mug', stock: 50, endsAt: now + day })
    expect(saleDefinition.parse(fields)).toMatchObject({ startsAt: now - 3_600_000 + day })
  })
})

describe('what a product shows', () => {
  const flags = { currency: 'EUR', picture: ['/a.svg A mug', 'https://cdn.example/b.png  From  above '] }

  it('has a picture for each option: its address, and all that follows as its text', () => {
    expect(readDefinition(flags, now).pictures).toEqual([
      { src: '/a.svg', alt: 'A mug' },
      { src: 'https://cdn.example/b.png', alt: 'From  above ' },
    ])
    expect(() => readDefinition({ picture: ['/a.svg'] }, now)).toThrow('"/a.svg" is not a picture')
  })

  it('has texts by language; an edit keeps the others, and none removes one', () => {
    const fields = readDefinition({ titleZh: '马克杯', descriptionEn: 'Blue.' }, now)
    expect(fields.translations).toEqual({ 'zh-CN': { title: '马克杯' }, en: { description: 'Blue.' } })
    const sale = aSale({
      translations: { en: { title: 'Cup' }, 'zh-CN': { title: '杯', description: '蓝' } },
    })
    expect(readEdit({ titleZh: 'none' }, sale, now)).toEqual({
      translations: { en: { title: 'Cup' }, 'zh-CN': { description: '蓝' } },
    })
  })

  it('has costs of delivery, which none removes from the countries that stay', () => {
    const delivery = { countries: 'de,at', deliveryCosts: 'de=4.90, AT=9.90', deliveryFreeAbove: '50.00' }
    expect(readDefinition({ currency: 'EUR', ...delivery }, now)).toMatchObject({
      delivery: { countries: ['DE', 'AT'], costs: { DE: 490, AT: 990 }, freeAbove: 5000 },
    })
    const sale = aSale({ price: 1, delivery: { countries: ['DE'], costs: { DE: 490 } } })
    expect(readEdit({ deliveryCosts: 'none' }, sale, now)).toEqual({ delivery: { countries: ['DE'] } })
  })

  it('has a regular price, which none removes from a sale and leaves out of a copy', () => {
    expect(readDefinition({ currency: 'EUR', listPrice: '18.50' }, now).listPrice).toBe(1850)
    const sale = aSale({ price: 1, listPrice: 2 })
    expect(readEdit({ listPrice: 'none' }, sale, now)).toEqual({ listPrice: null })
    expect(newDefinition('copy', {}, now, sale).listPrice).toBe(2)
    expect(newDefinition('copy', { listPrice: 'none' }, now, sale)).not.toHaveProperty('listPrice')
  })

  it('has odds and the value of a unit in its draw, which none removes alone', () => {
    const draw = { opensAt: 1, closesAt: 2, commitSeconds: 120, claimSeconds: 600, mostInGroup: 1 }
    const sale = aSale({ currency: 'CNY', draw })
    const valued = { ...draw, odds: 'About one in ten.', prizeValue: 49_900 }
    const flags = { drawOdds: valued.odds, drawPrizeValue: '499.00' }
    expect(readEdit(flags, sale, now)).toEqual({ draw: valued })
    const none = { drawOdds: 'none', drawPrizeValue: 'none' }
    expect(readEdit(none, aSale({ currency: 'CNY', draw: valued }), now)).toEqual({ draw })
  })
})
