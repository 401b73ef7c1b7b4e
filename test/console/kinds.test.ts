/** The texts and actions of the console for a sale, by its kind. */
import { describe, expect, it } from 'vitest'
import { lockOf } from '../../console/form/fields.ts'
import { keyFor } from '../../console/parts/kind-words.ts'
import { moneyText, stockText } from '../../console/sale/facts.tsx'
import { settingsOf } from '../../console/sale/setting-words.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { consoleMessages } from '../../templates/messages/catalogues.ts'
import { kindKeys } from '../../templates/messages/message-keys.ts'
import { aSale, saleIdOf } from '../redis/support.ts'
import { voice } from './voices.ts'

const goods = aSale({
  ...{
    saleId: saleIdOf('mug'),
    title: 'A mug',
    description: 'Blue.',
    pictures: [{ src: '/mug.svg', alt: 'The product' }],
    currency: 'EUR',
  },
  ...{ stock: 100, maxPerOrder: 1, startsAt: 1, endsAt: 2, flag: 'off', epoch: 0, startToken: null, warmed: false },
})
const coupon: Sale = { ...goods, kind: 'coupon', price: 0, coupons: { validUntil: 9 } }
const rain: Sale = {
  ...goods,
  ...{ kind: 'red-packet', price: 0, limitPerShopper: 1, packets: { count: 100, totalAmount: 5000 } },
}
const waves: Sale = {
  ...rain,
  windows: [
    { startsAt: 1, endsAt: 2, stock: 100, totalAmount: 5000 },
    { startsAt: 3, endsAt: 4, stock: 50, totalAmount: 600 },
  ],
}

describe('the words for a kind of sale', () => {
  it('are its own where it has some, else those of goods', () => {
    expect(keyFor('goods', 'console.stockOf')).toBe('console.stockOf')
    expect(keyFor('coupon', 'console.stockOf')).toBe('coupon.console.stockOf')
    expect(keyFor('red-packet', 'console.stockOf')).toBe('red-packet.console.stockOf')
    expect(keyFor('red-packet', 'form.title')).toBe('form.title')
  })

  it('each stand for words that goods have', () => {
    const stripped = Object.keys(kindKeys).map((key) => key.replace(/^(?:coupon|red-packet)\./, ''))
    expect(stripped.filter((key) => !(key in consoleMessages))).toEqual([])
  })
})

describe('what a sale offers', () => {
  it('is so many of something for a price, for free, or with money in them', () => {
    const offer = (sale: Sale) => [stockText(voice, sale), moneyText(voice, sale)]
    expect(offer(goods)).toEqual(['100 units', '10 EUR'])
    expect(offer(coupon)).toEqual(['100 coupons', 'Free'])
    expect(offer(rain)).toEqual(['100 red packets', '5000 EUR'])
    expect(offer(waves), 'all waves').toEqual(['150 red packets', '5600 EUR'])
    expect(stockText(voice, { ...coupon, stock: -1 })).toBe('Unlimited')
  })

  it('stands in its settings, with nothing that it does not have', () => {
    const names = (sale: Sale) => settingsOf(voice, sale).map(([name]) => name)
    expect(names(goods)).toEqual(expect.arrayContaining(['Price', 'Limit per person']))
    expect(names(coupon)).toEqual(expect.arrayContaining(['Stock', 'Limit per person', 'Valid until']))
    expect(names(coupon)).not.toContain('Valid from')
    const there = Object.fromEntries(settingsOf(voice, { ...coupon, timeZone: 'Asia/Tokyo' }))
    expect(there['Valid until']).toMatch(/ \(.+ GMT\+9\)$/)
    expect(names(rain)).toEqual(expect.arrayContaining(['Number of red packets', 'Total amount']))
    expect(names(rain)).not.toEqual(expect.arrayContaining(['Price']))
    expect(Object.fromEntries(settingsOf(voice, waves))).toMatchObject({
      Type: 'Red packets',
      'Number of red packets': '150',
      'Total amount': '5600 EUR',
    })
  })
})

describe('what a sale no longer lets change', () => {
  const shelved = (kind: SaleKind): Sale =>
    ({ ...{ goods, coupon, 'red-packet': rain }[kind], warmed: true }) satisfies Sale

  const published = (['goods', 'coupon'] as const).map(shelved)
  const rains = [shelved('red-packet')]
  const opened = [{ ...shelved('coupon'), epoch: 1 }]

  it.each<[string, Parameters<typeof lockOf>[0][], (Sale | undefined)[], ReturnType<typeof lockOf>]>([
    ['not the id of a new one', ['saleId'], [undefined], undefined],
    ['the id once it is saved', ['saleId'], [goods], 'form.locked'],
    ['not the stock of a draft', ['stock'], [goods], undefined],
    ['not the packets of a draft', ['packets.count'], [rain], undefined],
    ['the stock of goods and coupons that are published', ['stock'], published, 'form.onShelf'],
    ['not windows and currency of these', ['windows', 'currency'], published, undefined],
    ['not the databases of a draft', ['shards'], [goods], undefined],
    ['the databases of a stock that is published', ['shards'], published, 'form.locked'],
    ['the databases of an open sale', ['shards'], published.map((sale) => ({ ...sale, epoch: 1 })), 'form.locked'],
    [
      'all that says what published packets hold (P1)',
      ['packets.count', 'packets.totalAmount', 'windows', 'currency'],
      rains,
      'red-packet.form.onShelf',
    ],
    ['not the title of these', ['title'], rains, undefined],
    ['what shoppers were promised', ['coupons.validUntil', 'limitPerShopper'], opened, 'form.locked'],
    ['not the throttle of an open sale', ['throttle.perIp.limit'], opened, undefined],
  ])('is %s', (_, names, sales, lock) => {
    for (const sale of sales) for (const name of names) expect(lockOf(name, sale), name).toBe(lock)
  })
})
