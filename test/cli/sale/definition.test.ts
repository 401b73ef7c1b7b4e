import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleDefinition, newDefinition, readAmount, readWhole, saleEditFrom } from '../../../cli/sale/definition.ts'
import { readTime, showTime } from '../../../cli/sale/time.ts'
import { saleKinds } from '../../../core/sale/kinds.ts'
import { saleDefinition } from '../../../core/sale/sale.ts'
import { newFolder } from '../../folders.ts'
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

  it('is one by the clocks of the sale without an offset, and never by those of the machine', () => {
    const berlin = (text: string) => readTime(text, now, 'Europe/Berlin')
    expect(berlin('2026-10-24T20:00')).toBe(Date.parse('2026-10-24T18:00:00Z'))
    expect(berlin('2026-10-26T20:00:05')).toBe(Date.parse('2026-10-26T19:00:05Z'))
    expect(berlin('2026-10-24T20:00-04:00')).toBe(Date.parse('2026-10-25T00:00:00Z'))
    expect(() => berlin('2026-10-25T02:30')).toThrow('twice in Europe/Berlin: add its offset, +02:00 or +01:00')
    expect(() => berlin('2026-03-29T02:30')).toThrow('the clocks of Europe/Berlin may skip it')
    const flags = { starts: '2026-11-01T09:00', ends: '2026-11-01T10:00' }
    const sale = aSale({ timeZone: 'America/New_York' })
    expect(saleEditFrom(undefined, flags, sale, now).startsAt).toBe(Date.parse('2026-11-01T14:00:00Z'))
    expect(() => saleEditFrom(undefined, flags, aSale(), now)).toThrow('only a sale with a timeZone needs no offset')
  })

  it('is shown with the offset of the sale', () => {
    expect(showTime(Date.parse('2026-11-01T14:00:00.250Z'), 'America/New_York')).toBe('2026-11-01 09:00:00 -05:00')
    expect(showTime(0, 'Asia/Kolkata')).toBe('1970-01-01 05:30:00 +05:30')
  })

  it.each(['2026-12-01T12:00:00', '2026-12-01', 'noon', '90s', '-5m', '2026-02-30T12:00Z', '', '5'])(
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

describe('a definition from a file and options', () => {
  const folder = newFolder('sale')

  /** A file with these fields of the API. */
  function fileOf(fields: unknown): string {
    const file = path.join(folder, 'sale.json')
    writeFileSync(file, JSON.stringify(fields))
    return file
  }

  it.each([
    ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16, as PowerShell writes it', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 of the other byte order', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('is read with %s', (_, encode) => {
    const example = { ...exampleDefinition('goods', now), title: '青花瓷杯' }
    const file = path.join(folder, 'encoded.json')
    writeFileSync(file, encode(JSON.stringify(example)))
    expect(newDefinition(file, {}, now)).toMatchObject(example)
  })

  it.each([
    ['an old code page', Buffer.from('{"title":"J\u00f6rg"}', 'latin1')],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le')],
  ])('in %s is refused with the encodings that are read', (_, bytes) => {
    const file = path.join(folder, 'encoded.json')
    writeFileSync(file, bytes)
    expect(() => newDefinition(file, {}, now)).toThrow(
      `${file} is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8`,
    )
  })

  it.each(saleKinds)('takes the example of %s as it is', (kind) => {
    const example = exampleDefinition(kind, now)
    expect(newDefinition(fileOf(example), {}, now)).toMatchObject(example)
    expect(saleDefinition.parse(example)).toMatchObject({ kind, startsAt: now + 86_400_000 })
  })

  it('prefers options over the file', () => {
    const file = fileOf(exampleDefinition('goods', now))
    const options = {
      id: 'mugs',
      title: 'Mug',
      price: '0.10',
      currency: 'CNY',
      stock: '20',
      starts: '+1m',
      ends: '+1h',
    }
    expect(newDefinition(file, { ...options, limit: '3' }, now)).toMatchObject({
      ...{ saleId: 'mugs', kind: 'goods', title: 'Mug', price: 10, currency: 'CNY', stock: 20 },
      ...{
        startsAt: now + 60_000,
        endsAt: now + 3_600_000,
        limitPerShopper: 3,
      },
      description: 'Ten of them.',
    })
  })

  it('needs no file: goods, one unit for each shopper', () => {
    const text = { title: 'Mug', description: 'Blue.', picture: '/assets/pictures/mug.svg A mug' }
    const flags = { id: 'mugs', ...text, price: '1', currency: 'EUR', stock: '5', starts: '+1m', ends: '+1h' }
    expect(newDefinition(undefined, flags, now)).toMatchObject({
      ...{ kind: 'goods', limitPerShopper: 1, maxPerOrder: 1, price: 100 },
      pictures: [{ src: '/assets/pictures/mug.svg', alt: 'A mug' }],
    })
    expect(() => newDefinition(undefined, { ...flags, picture: '/a.svg' }, now)).toThrow('"/a.svg" is not a picture')
  })

  it('names every fault by its path', () => {
    const file = fileOf({
      ...exampleDefinition('goods', now),
      title: 5,
      templateOf: 'mug',
      throttle: { perIp: { limit: 'x' } },
    })
    expect(() => newDefinition(file, {}, now)).toThrow(
      [
        'title must be a string',
        'throttle.perIp.limit must be a whole number',
        'throttle.perIp.windowSeconds must be a whole number',
        'templateOf is not a known field',
      ].join('\n'),
    )
    expect(() => saleEditFrom(fileOf({ stock: '5' }), {}, aSale(), now)).toThrow('stock must be a whole number')
  })

  it('is a change of the given fields alone, in the currency of the sale', () => {
    const sale = aSale({ currency: 'JPY' })
    expect(
      saleEditFrom(undefined, { price: '250', origins: 'https://a.example, https://b.example' }, sale, now),
    ).toEqual({
      ...{ price: 250, allowedOrigins: ['https://a.example', 'https://b.example'] },
    })
    expect(() => saleEditFrom(undefined, { price: '2.50' }, sale, now)).toThrow('more decimals than JPY')
    const throttle = { perIp: { limit: 7, windowSeconds: 60 } }
    expect(saleEditFrom(fileOf({ throttle, listPrice: null }), {}, sale, now)).toEqual({ throttle, listPrice: null })
  })

  it('reads the number of red packets and their amount; either one alone keeps the other (P1)', () => {
    const rain = exampleDefinition('red-packet', now)
    const file = fileOf(rain)
    expect(newDefinition(file, { stock: '10', total: '50.00' }, now)).toMatchObject({
      packets: { count: 10, totalAmount: 5000 },
    })
    const sale = aSale({ kind: 'red-packet', currency: 'JPY', packets: { count: 10, totalAmount: 5000 } })
    expect(saleEditFrom(undefined, { total: '300' }, sale, now)).toEqual({ packets: { count: 10, totalAmount: 300 } })
  })

  it('is one JSON object', () => {
    expect(() => newDefinition(fileOf([]), {}, now)).toThrow('one JSON object')
  })

  it('has whole numbers only', () => {
    expect(readWhole('-10')).toBe(-10)
    expect(() => readWhole('1.5')).toThrow('not a whole number')
    expect(() => readWhole('ten')).toThrow('not a whole number')
  })
})
