/** The rules of each market. docs/compliance.md names the law of each, and these tests. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../../checks/markdown.ts'
import type { Brand, LegalPurpose } from '../../../core/brand.ts'
import {
  lackInMarket,
  type Market,
  marketRules,
  markets,
  withdrawalDaysOf,
  withdrawalExceptions,
  wrongReduction,
} from '../../../core/sale/market.ts'
import { wrongPrize } from '../../../core/sale/market-prize.ts'
import { isTotalOpen, saysDutyToPay } from '../../../static/client/orders/bill.ts'
import { ordersMessages } from '../../../static/messages/catalogues.ts'
import { words } from '../../../static/messages/text.ts'
import { orderWith } from '../../static/orders/order.ts'

const sameEu = ['EU', 'DE', 'AT', 'FR'] as const
const withButton = [...sameEu, 'UK'] as const

const billed = (market: Market) => ({
  ...orderWith(),
  bill: { market, goods: 3980, delivery: 0, total: 3980 },
})

describe('the order button', () => {
  it.each(withButton)('has only words that say the duty to pay, in %s', (market) => {
    expect(saysDutyToPay(billed(market))).toBe(true)
  })

  it.each([
    ['en', 'Order with obligation to pay'],
    ['de', 'zahlungspflichtig bestellen'],
    ['fr', 'commande avec obligation de paiement'],
  ])('has in %s the words of the law, in each of them', (language, text) => {
    expect(words(ordersMessages['bill.order'], language)).toBe(text)
  })

  it.each(['US', 'CN', 'other'] as const)('has the usual words in %s', (market) => {
    expect(saysDutyToPay(billed(market))).toBe(false)
  })

  it('orders nothing while the address is missing that the total depends on', () => {
    expect(saysDutyToPay({ ...billed('DE'), delivery: 'missing' })).toBe(false)
  })

  it('waits for the total with the delivery to an address that was stored just now', () => {
    const stored = { ...billed('DE'), delivery: 'stored' } as const
    expect(isTotalOpen(stored)).toBe(false)
    expect(isTotalOpen({ ...stored, bill: { ...stored.bill, delivery: null } })).toBe(true)
  })
})

describe('the rules of a market', () => {
  it.each([
    ...withButton.map((market) => [market, ['goods', 'total', 'delivery', 'term']] as const),
    ['US', ['total', 'delivery']] as const,
    ['CN', ['goods', 'total', 'delivery']] as const,
    ['other', []] as const,
  ])('say what stands above the button in %s', (market, lines) => {
    expect(marketRules[market].orderLines).toEqual(lines)
  })

  it.each([
    ...withButton.map((market) => [market, 14] as const),
    ['CN', 7] as const,
    ['US', undefined] as const,
    ['other', undefined] as const,
  ])('say how long goods can be sent back in %s', (market, days) => {
    expect(withdrawalDaysOf({ market, withdrawalException: 'none' })).toBe(days)
  })

  it('say within which time goods are dispatched in the US', () => {
    expect(marketRules.US.shipWithinDays).toBe(30)
  })
})

describe('the right to withdraw', () => {
  it.each(['custom', 'perishable', 'press', 'dated', 'digital'] as const)(
    'is missing from the start for goods that are %s',
    (withdrawalException) => {
      for (const market of markets) expect(withdrawalDaysOf({ market, withdrawalException }), market).toBeUndefined()
    },
  )

  it.each(['hygiene', 'media', 'mixed'] as const)(
    'stays until the shopper ends it for goods that are %s',
    (withdrawalException) => {
      expect(withdrawalDaysOf({ market: 'DE', withdrawalException })).toBe(14)
    },
  )
})

const seller = { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' }
const brandWith = (purposes: readonly LegalPurpose[], change: Brand = { seller }): Brand => ({
  links: purposes.map((purpose) => ({ label: { en: purpose }, href: `/${purpose}`, for: purpose })),
  ...change,
})
const whole = brandWith(['imprint', 'terms', 'privacy', 'withdrawal'])
const taxed = { price: 1000, taxPercent: 19 }

describe('a sale that lacks what its market asks for', () => {
  it.each(markets)('has everything in %s with a tax, a seller and all links', (market) => {
    expect(lackInMarket({ ...taxed, market }, whole)).toBeUndefined()
  })

  it.each([...withButton, 'CN'] as const)('needs the tax that its price includes in %s', (market) => {
    const lack = { reason: 'market-tax', field: 'taxPercent', values: { market } }
    expect(lackInMarket({ price: 1000, market }, whole)).toEqual(lack)
    expect(lackInMarket({ price: 1000, taxPercent: 0, market }, whole)).toBeUndefined()
  })

  it.each([...withButton, 'CN'] as const)('needs a shop that names who sells in %s', (market) => {
    const brand = { links: whole.links }
    expect(lackInMarket({ ...taxed, market }, brand)).toMatchObject({
      reason: 'market-seller',
      field: 'brand.seller',
    })
  })

  it.each([
    ...sameEu.map((market) => [market, ['imprint', 'terms', 'privacy', 'withdrawal']] as const),
    ['UK', ['terms', 'privacy', 'withdrawal']] as const,
    ['US', ['terms', 'privacy']] as const,
    ['CN', ['imprint', 'terms', 'privacy']] as const,
  ])('needs each of its links in %s', (market, purposes) => {
    for (const purpose of purposes) {
      const brand = brandWith(purposes.filter((other) => other !== purpose))
      expect(lackInMarket({ ...taxed, market }, brand)).toEqual({
        ...{ reason: 'market-link', field: 'brand.links' },
        values: { market, purpose },
      })
    }
    expect(lackInMarket({ ...taxed, market }, brandWith(purposes))).toBeUndefined()
  })

  it.each([
    ...withButton.map(
      (market) => [market, ['custom', 'perishable', 'press', 'dated', 'hygiene', 'media', 'mixed']] as const,
    ),
    ['CN', ['custom', 'perishable', 'press', 'digital', 'media']] as const,
    ['US', []] as const,
    ['other', []] as const,
  ])('has exceptions of its own, and refuses the others, in %s', (market, own) => {
    const lack = { reason: 'market-exception', field: 'withdrawalException', values: { market } }
    const refused = withdrawalExceptions.filter(
      (withdrawalException) => lackInMarket({ ...taxed, market, withdrawalException }, whole) !== undefined,
    )
    expect(new Set(withdrawalExceptions.filter((one) => !refused.includes(one)))).toEqual(new Set(own))
    for (const withdrawalException of refused)
      expect(lackInMarket({ ...taxed, market, withdrawalException }, whole)).toEqual(lack)
  })

  it.each([...sameEu.map((market) => [market, 30] as const), ['CN', 7] as const])(
    'needs in %s the lowest price of %i days for a struck-through one, which may not be above it',
    (market, days) => {
      const lack = { reason: 'market-list-price', field: 'listPrice', values: { market, days } }
      for (const prices of [{ listPrice: 2000 }, { listPrice: 2000, lowestPrice: 1999 }]) {
        expect(wrongReduction({ market, ...prices })).toEqual(lack)
        expect(lackInMarket({ ...taxed, ...prices, market }, whole)).toEqual(lack)
      }
      expect(wrongReduction({ market, listPrice: 2000, lowestPrice: 2000 })).toBeUndefined()
    },
  )

  it.each(['other', 'UK', 'US'] as const)('may have any struck-through price in %s', (market) => {
    expect(wrongReduction({ market, listPrice: 2000 })).toBeUndefined()
  })

  it('is never one that costs nothing', () => {
    expect(lackInMarket({ price: 0, market: 'DE' }, {})).toBeUndefined()
  })

  it('needs the value of a free unit that is drawn in CN, at most 50,000 yuan', () => {
    const lack = {
      reason: 'market-prize',
      field: 'draw.prizeValue',
      values: { market: 'CN', most: '50000.00 CNY' },
    }
    const drawn = (prizeValue?: number, currency = 'CNY', price = 0) =>
      wrongPrize({ price, currency, market: 'CN', draw: { prizeValue } })
    expect(drawn()).toEqual(lack)
    expect(drawn(5_000_000)).toBeUndefined()
    expect(drawn(5_000_001)).toEqual(lack)
    expect(drawn(1, 'EUR')).toEqual(lack)
    // The price says what a unit is worth that winners pay for.
    expect(drawn(undefined, 'CNY', 1000)).toBeUndefined()
    expect(drawn(5_000_001, 'CNY', 1000)).toEqual(lack)
    const free = { price: 0, currency: 'CNY' }
    expect(wrongPrize({ ...free, market: 'CN' }), 'without a draw').toBeUndefined()
    for (const market of markets.filter((one) => one !== 'CN'))
      expect(wrongPrize({ ...free, market, draw: {} }), market).toBeUndefined()
  })
})

describe('docs/compliance.md', () => {
  const page = readFileSync('docs/compliance.md', 'utf8')
  const [, table = ''] = page.split('\n## Rules\n')
  const rows = table.split('\n\n', 1).flatMap((text) => text.split('\n').slice(2).map(cellsOf))
  const named = (cell = '') => markets.filter((market) => new RegExp(`\\b${market}\\b`).test(cell))
  const fields = [...new Set(markets.flatMap((market) => Object.keys(marketRules[market])))]
  const isRule = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

  it.each(fields)('has the rule %s with each of its markets, the law and a test', (field) => {
    const ofRule = rows.filter(([, , , built = '']) => new RegExp(`\`${field}[.\`]`).test(built))
    const having = markets.filter((market) => isRule(new Map(Object.entries(marketRules[market])).get(field)))
    expect(new Set(ofRule.flatMap(([, cell]) => named(cell)))).toEqual(new Set(having))
    for (const cells of ofRule) expect(cells.filter((cell) => cell !== '')).toHaveLength(5)
  })
})
