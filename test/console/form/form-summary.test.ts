/** The summary of a new sale in the last step, and its warnings. */
import { describe, expect, it } from 'vitest'
import { summaryLines, warningsOf } from '../../../console/form/form-summary.ts'
import type { TextPart } from '../../../console/parts/text-parts.ts'
import type { Language } from '../../../core/language.ts'
import { formatMoney } from '../../../core/money.ts'
import { blueBowl, definitionOf, entering } from '../blue-bowl.ts'
import { voiceIn as usualVoiceIn } from '../voices.ts'

const minute = 60_000
const startsAt = new Date(2026, 10, 20, 12).getTime()
const dayBefore = startsAt - 1440 * minute

/** A sale that nothing is to be said against. */
const careful = entering(blueBowl, {
  price: '12',
  currency: 'EUR',
  pictures: [{ src: 'https://shop.example/bowl.webp', alt: 'A blue bowl' }],
  'delivery.countries': 'DE, FR',
})

type Parts = Readonly<Record<string, TextPart>>

/** Names times by their minutes after the start. */
const voiceIn = (language: Language) => ({
  ...usualVoiceIn(language),
  money: (amount: number, currency: string) => formatMoney({ amount, currency }, language),
  moment: (ms: number) => `<${(ms - startsAt) / minute}>`,
  farMoment: (ms: number) => `<${(ms - startsAt) / minute}, with its year>`,
})

const saleOf = (parts: Parts) => definitionOf(entering(careful, parts))

const summary = (change: Parts = {}, now = dayBefore, language: Language = 'en') =>
  Object.fromEntries(
    summaryLines(voiceIn(language), saleOf(change), now).map(({ label, text }) => [
      label.slice('summary.'.length),
      text,
    ]),
  )

const warnings = (change: Parts = {}, now = dayBefore) =>
  warningsOf(saleOf(change), now).map(({ key }) => key.slice('warn.'.length))

const coupon = { kind: 'coupon', pictures: careful.pictures } as const
const rain = { kind: 'red-packet', 'packets.count': '500', 'packets.totalAmount': '2500' } as const
const round = { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '30' }

describe('the summary of a new sale', () => {
  it('says who may buy before everyone else (R6)', () => {
    const early = (change: Parts) =>
      summaryLines(voiceIn('en'), saleOf({ 'earlyAccess.minutes': '10', ...change }), dayBefore)
        .filter(({ label }) => label === 'member.title')
        .map(({ text }) => text)
    expect(early({ 'earlyAccess.minLevel': '3' })).toEqual(['Level 3 and up: 10 min before everyone else'])
  })

  it('says in plain sentences what goods will do', () => {
    expect(summary()).toEqual({
      what: '100 units of “Blue bowl” for €12.00 each.',
      when: 'From <0, with its year> to <60, with its year>.',
      start: 'Once it is scheduled, it opens automatically at <0>. A draft does not open.',
      limit: 'Each person gets at most 2, and at most 1 in one order.',
      pay: 'An order not paid within 15 minutes is cancelled, and its units return to stock.',
      delivery: 'Shoppers enter a delivery address in Germany or France.',
      check: 'Off. Shoppers buy without a check.',
      money: 'If everything is sold and paid, this brings €1,200.00.',
    })
  })

  it('says the same in Chinese', () => {
    expect(summary({ minLevel: '2' }, dayBefore, 'zh-CN')).toMatchObject({
      what: '“Blue bowl”共 100 件，每件 €12.00。',
      limit: '每人限 2 份，每单限 1 份。仅限 2 级及以上会员参与。',
      delivery: '用户须填写收货地址，配送范围：德国或法国。',
      money: '全部售出并付款后，收入 €1,200.00。',
    })
  })

  it('counts the units of all rounds and variants, and names no sum of an unlimited stock', () => {
    const later = { ...round, startsAt: '2026-11-22T12:00', endsAt: '2026-11-22T13:00' }
    const rounds = summary({ windows: [round, later] })
    expect(rounds.what).toContain('60 units')
    expect(rounds.when).toBe(
      'In 2 rounds. The first starts <1440, with its year>, the last ends <2940, with its year>.',
    )
    expect(rounds.money).toContain('€720.00')
    const variants = [
      { name: 'S', id: 's', stock: '3' },
      { name: 'M', id: 'm', stock: '4' },
    ]
    expect(summary({ variants }).what).toBe(
      '7 units of “Blue bowl” for €12.00 each. There are 2 variants to choose from.',
    )
    const unlimited = summary({ stock: '-1' })
    expect(unlimited.what).toBe('“Blue bowl” for €12.00 each, unlimited stock.')
    expect(unlimited).not.toHaveProperty('money')
  })

  it('says how long turns are drawn at random, and nothing of turns where there are none (R8)', () => {
    expect(summary({ spreadSeconds: '30' }).turns).toBe(
      'In the first 30 s, each shopper gets a turn at a random moment.',
    )
    expect(summary({ spreadSeconds: '30' }, dayBefore, 'zh-CN').turns).toContain('前 30 秒')
    expect(summary()).not.toHaveProperty('turns')
  })

  it('says when it opens at once, and when nothing is paid', () => {
    expect(summary({}, startsAt).start).toContain('can only be opened now')
    expect(summary({ price: '0' })).toMatchObject({
      pay: 'There is nothing to pay: orders are complete immediately.',
      money: 'No money changes hands.',
    })
    expect(summary({ paymentWindowSeconds: '1.5' }).pay).toContain('within 90 seconds')
    expect(summary({ 'delivery.countries': '' }).delivery).toBe('No delivery address is required.')
  })

  it.each([
    ['', '', 'immediately and do not expire'],
    ['2026-11-20T13:00', '', 'from <60>.'],
    ['', '2026-11-20T14:00', 'until <120>.'],
    ['2026-11-20T13:00', '2026-11-20T14:00', 'from <60> until <120>.'],
  ])('says how long coupons from “%s” until “%s” are valid', (from, until, text) => {
    const said = summary({ ...coupon, 'coupons.validFrom': from, 'coupons.validUntil': until })
    expect(said.validity).toContain(text)
    expect(said.what).toBe('100 coupons “Blue bowl”, free of charge.')
    expect(Object.keys(said)).not.toContain('pay')
    const there = summary({
      ...{ ...coupon, timeZone: 'Pacific/Kiritimati' },
      ...{ 'coupons.validFrom': from, 'coupons.validUntil': until },
    })
    expect(there.validity?.split('GMT+14')).toHaveLength(1 + [from, until].filter(Boolean).length)
  })

  it('says how much money red packets give away', () => {
    const said = summary(rain)
    expect(said.what).toBe('500 red packets of “Blue bowl”, with random amounts.')
    expect(said.limit).toBe('Each person gets at most 1 red packet.')
    expect(said.money).toBe('Up to €2,500.00 is given to shoppers.')
    const waves = [{ ...round, totalAmount: '100' }]
    expect(summary({ ...rain, windows: waves }).money).toContain('€100.00')
  })
})

describe('the warnings about a new sale', () => {
  it('are none for a sale that is prepared well, of any kind', () => {
    expect(warnings()).toEqual([])
    expect(warnings({ ...coupon })).toEqual([])
    expect(warnings({ ...rain })).toEqual([])
  })

  it.each([
    [-5, []],
    [-4, ['soon']],
    [0, ['past']],
    [10, ['past']],
  ])('say that the start is near or over, %i minutes after it', (minutes, expected) => {
    expect(warnings({}, startsAt + minutes * minute)).toEqual(expected)
  })

  it('say that a round is too short for the admission rate, and not that a long one is', () => {
    const slow = { stock: '7201', admitPerSecond: '2', shards: '1' }
    expect(warningsOf(saleOf(slow), dayBefore)).toEqual([
      { key: 'warn.tooSlow', args: { rate: 2, most: 7200, stock: 7201 } },
    ])
    expect(warnings({ ...slow, stock: '7200' })).toEqual([])
    expect(warnings({ ...slow, maxPerOrder: '2' })).toEqual([])
    expect(warnings({ ...slow, windows: [{ ...round, stock: '9000' }] })).toEqual(['tooSlow'])
    expect(warnings({ ...slow, stock: '-1' })).toEqual([])
  })

  it('say that random turns would take longer than the sale', () => {
    const short = { endsAt: '2026-11-20T12:01', spreadSeconds: '60' }
    expect(warningsOf(saleOf(short), dayBefore)).toContainEqual({ key: 'warn.turnsTooLong', args: { seconds: 59 } })
    expect(warnings({ ...short, spreadSeconds: '59' })).not.toContain('turnsTooLong')
  })

  it('say that goods are free, that one person could take them all, and that no address is asked for', () => {
    expect(warnings({ price: '0' })).toEqual(['free'])
    expect(warnings({ stock: '2' })).toEqual(['oneTakesAll'])
    expect(warnings({ stock: '3' })).toEqual([])
    // One unit goes to one person in any case.
    expect(warnings({ stock: '1' })).toEqual([])
    expect(warnings({ 'delivery.countries': '' })).toEqual(['noCountries'])
  })

  it('say that a picture is one of the demo', () => {
    expect(warnings({ pictures: [{ src: '/assets/pictures/lamp.svg', alt: 'A lamp' }] })).toEqual(['sample'])
    expect(warnings({ pictures: [{ src: 'https://shop.example/bowl.webp', alt: 'A lamp' }] })).toEqual([])
  })
})
