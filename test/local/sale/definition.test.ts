import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAmount } from '../../../local/sale/amount.ts'
import { currencyOf, newDefinition, readDefinition, readWhole } from '../../../local/sale/definition.ts'
import { readTime } from '../../../local/sale/time.ts'

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
    'refuses %j and shows what it takes',
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
  ])('refuses %j %s and says why (S5)', (text, currency, reason) => {
    expect(() => readAmount(text, currency)).toThrow(reason)
  })
})

describe('a definition from flags and a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sale-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('lets flags win over the file and turns its times into epoch ms', () => {
    const file = path.join(folder, 'sale.json')
    writeFileSync(file, JSON.stringify({ title: 'Mug', stock: 10, startsAt: '+1m', endsAt: now + 5 }))
    expect(readDefinition({ file, stock: 20 }, now)).toEqual({
      title: 'Mug',
      stock: 20,
      startsAt: now + 60_000,
      endsAt: now + 5,
    })
  })

  it('gives only what was said, so that an edit changes nothing else', () => {
    expect(readDefinition({ ends: '+1h' }, now)).toEqual({ endsAt: now + 3_600_000 })
  })

  it('leaves one unit for each shopper unless file or flags say more', () => {
    expect(newDefinition('mugs', {}, now)).toEqual({
      saleId: 'mugs',
      kind: 'goods',
      limitPerShopper: 1,
      maxPerOrder: 1,
    })
    const file = path.join(folder, 'limits.json')
    writeFileSync(file, JSON.stringify({ limitPerShopper: 5, currency: 'EUR', price: 990 }))
    expect(newDefinition('mugs', { file, maxPerOrder: 2 }, now)).toMatchObject({
      limitPerShopper: 5,
      maxPerOrder: 2,
      price: 990,
    })
    expect(readDefinition({ file, price: '9.90' }, now)).toMatchObject({ price: 990 })
    expect(currencyOf({ file })).toBe('EUR')
  })

  it('reads a throttle as requests per seconds', () => {
    expect(readDefinition({ throttle: '5/60' }, now)).toEqual({
      throttle: { perShopper: { limit: 5, windowSeconds: 60 } },
    })
    expect(() => readDefinition({ throttle: 'five' }, now)).toThrow('5/60')
  })

  it('refuses a file that is not one object', () => {
    const file = path.join(folder, 'list.json')
    writeFileSync(file, '[]')
    expect(() => readDefinition({ file }, now)).toThrow('one JSON object')
  })

  it('takes whole numbers only', () => {
    expect(readWhole('-10')).toBe(-10)
    expect(() => readWhole('1.5')).toThrow('not a whole number')
    expect(() => readWhole('ten')).toThrow('not a whole number')
  })
})
