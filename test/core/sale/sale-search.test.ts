import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { isEmptySearch, matcherFor, type SaleSearch, salesQuery } from '../../../core/sale/sale-search.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'

const now = 1_000_000_000
const mug = aSale({
  ...{ saleId: saleIdOf('mug-2026'), title: 'Stoneware Mug', startsAt: now - 10, endsAt: now + 10 },
  translations: { en: { title: 'Handmade mug' }, 'zh-CN': { title: '手工陶杯' } },
})

const finds = (search: SaleSearch, sale: Sale = mug) => matcherFor(search, now)(sale)

describe('a search for sales', () => {
  it.each([
    'mug',
    'MUG',
    'mug-2026',
    '2026',
    'stone',
    'handmade',
    '陶杯',
    'mug stoneware',
    ' mug ',
    '',
    'ＭＵＧ',
    'm\u00adug\ufe0f',
    '٢٠٢٦',
  ])('finds words of the title in any language and of the id: %j', (find) => expect(finds({ find })).toBe(true))

  it.each(['lamp', 'mug lamp', '杯陶', 'mug\u0000', '..%2f', '%', '*', 'undefined', '🍵'])(
    'takes every other text as it is, and finds nothing: %j',
    (find) => expect(finds({ find })).toBe(false),
  )

  it('does not join the words of two texts', () => {
    expect(finds({ find: '2026stoneware' })).toBe(false)
    expect(finds({ find: 'mughandmade' })).toBe(false)
  })

  it('distinguishes kinds', () => {
    expect(finds({ kind: 'goods' })).toBe(true)
    expect(finds({ kind: 'coupon' })).toBe(false)
    expect(finds({ find: 'mug', kind: 'coupon' })).toBe(false)
  })

  const late = { startsAt: now + 100, endsAt: now + 200 }
  it.each([
    ['live', {}],
    ['paused', { flag: 'paused' }],
    ['ended', { flag: 'closed' }],
    ['ended', { startsAt: 1, endsAt: 2 }],
    ['scheduled', { ...late, flag: 'on', epoch: 1 }],
    ['waiting', { ...late, flag: 'off', epoch: 0, warmed: true }],
    ['waiting', { ...late, flag: 'off', epoch: 0, warmed: false }],
    ['waiting', { flag: 'off', epoch: 0, warmed: true }],
  ] as const)('knows a sale as %s by its state at that moment: %j', (state, changes) => {
    const sale = { ...mug, ...changes }
    for (const asked of ['waiting', 'scheduled', 'live', 'paused', 'ended'] as const) {
      expect(finds({ state: asked }, sale), asked).toBe(asked === state)
    }
  })

  const day = 86_400_000
  it.each([
    [true, { flag: 'paused' }],
    [true, { startsAt: now + day - 1, endsAt: now + 9 * day, flag: 'on', epoch: 1 }],
    [false, { startsAt: now + day, endsAt: now + 9 * day, flag: 'on', epoch: 1 }],
    [true, { startsAt: now - 9 * day, endsAt: now - day + 1 }],
    [false, { startsAt: now - 9 * day, endsAt: now - day }],
  ] as const)('is near (%s) while it sells or is paused, and a day before and after: %j', (isNear, changes) => {
    expect(finds({ state: 'near' }, { ...mug, ...changes })).toBe(isNear)
  })

  it('is empty without a word, a kind and a state, and its query leaves out what is absent', () => {
    expect([{}, { find: '  ' }].map(isEmptySearch)).toEqual([true, true])
    const asking: SaleSearch[] = [{ find: 'x' }, { kind: 'goods' }, { state: 'live' }]
    expect(asking.map(isEmptySearch)).toEqual([false, false, false])
    expect(salesQuery({ find: '', after: undefined, archived: false })).toEqual({})
    expect(salesQuery({ find: 'a b', kind: 'goods', state: 'live', archived: true, after: '5.mug' })).toEqual({
      ...{ find: 'a b', kind: 'goods', state: 'live', archived: 'true', after: '5.mug' },
    })
  })
})
