/** What the console says and allows of a sale, by its kind. */
import { describe, expect, it } from 'vitest'
import type { SaleKind } from '../../../core/sale/kinds.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { lockOf } from '../../../static/client/console/form/fields.ts'
import { keyFor } from '../../../static/client/console/lib/kind-words.ts'
import { moneyText, stockText } from '../../../static/client/console/sale/facts.tsx'
import { settingsOf } from '../../../static/client/console/sale/setting-words.ts'
import { consoleMessages } from '../../../static/messages/catalogues.ts'
import { kindKeys } from '../../../static/messages/message-keys.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'
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

  it('is nothing of a new one, and only the id before the stock is on the shelf', () => {
    expect(lockOf('saleId', undefined)).toBeUndefined()
    expect(lockOf('saleId', goods)).toBe('form.locked')
    expect(lockOf('packets.count', rain)).toBeUndefined()
    expect(lockOf('stock', goods)).toBeUndefined()
  })

  it('is the stock of goods and coupons on the shelf, and not their windows', () => {
    for (const kind of ['goods', 'coupon'] as const) {
      expect(lockOf('stock', shelved(kind))).toBe('form.onShelf')
      expect(lockOf('windows', shelved(kind))).toBeUndefined()
      expect(lockOf('currency', shelved(kind))).toBeUndefined()
    }
  })

  it('is the databases of a stock as soon as it is published', () => {
    expect(lockOf('shards', goods)).toBeUndefined()
    for (const kind of ['goods', 'coupon'] as const) {
      expect(lockOf('shards', shelved(kind))).toBe('form.locked')
      expect(lockOf('shards', { ...shelved(kind), epoch: 1 })).toBe('form.locked')
    }
  })

  it('is everything that says what packets on the shelf hold (P1)', () => {
    for (const name of ['packets.count', 'packets.totalAmount', 'windows', 'currency'] as const) {
      expect(lockOf(name, shelved('red-packet')), name).toBe('red-packet.form.onShelf')
    }
    expect(lockOf('title', shelved('red-packet'))).toBeUndefined()
  })

  it('is all under which shoppers hold promises, once the sale was opened', () => {
    const opened = { ...shelved('coupon'), epoch: 1 }
    expect(lockOf('coupons.validUntil', opened)).toBe('form.locked')
    expect(lockOf('limitPerShopper', opened)).toBe('form.locked')
    expect(lockOf('throttle.perIp.limit', opened)).toBeUndefined()
  })
})
