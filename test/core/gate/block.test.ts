import { describe, expect, it } from 'vitest'
import { blockField, networkBlock, parseBlock, parseBlockField } from '../../../core/gate/block.ts'
import { readBlockFile } from '../../../core/gate/block-file.ts'

describe('an entry of the block list (R8)', () => {
  it.each([
    ['shopper', 'ann|7', 'shopper ann|7'],
    ['ip', '203.0.113.7', 'ip 203.0.113.7'],
    ['session-key', 'key-1', 'session-key key-1'],
    ['shop-key', 'till-1', 'shop-key till-1'],
    ['ip', '10.1.2.3/8', 'ip 10.0.0.0/8'],
    ['ip', '2001:DB8:0:0::1/64', 'ip 2001:db8::/64'],
    ['shopper', '\u202aann|7\ufe0f', 'shopper ann|7'],
    ['ip', '２０３.0.113.7\u200b', 'ip 203.0.113.7'],
    ['session-key', ' key-1\u3164', 'session-key key-1'],
  ])('of %s %s is the field %s, and is read back from it', (kind, value, field) => {
    const block = parseBlock(kind, value)
    expect(block && blockField(block)).toBe(field)
    expect(parseBlockField(field)).toEqual(block)
  })

  it('is the same for every spelling of a range, so that it can be removed again', () => {
    const spellings = ['2001:db8::/32', '2001:0DB8::1/32', '2001:db8:ffff::/32', '2001:db8:0:0:0:0:1.2.3.4/32']
    expect(new Set(spellings.map((value) => parseBlock('ip', value)?.value))).toEqual(new Set(['2001:db8::/32']))
  })

  it.each([
    ['shopper', ''],
    ['shopper', 'a b'],
    ['ip', ''],
    ['ip', 'ann'],
    ['ip', '10.0.0.0/33'],
    ['country', 'de'],
    ['session-key', ''],
    ['session-key', 'a/b'],
    ['shop-key', 'Till'],
    ['shop-key', `till.${'k'.repeat(43)}`],
    ['', '10.0.0.0'],
  ])('is invalid for %j %j', (kind, value) => {
    expect(parseBlock(kind, value)).toBeUndefined()
  })

  it.each(['', 'shopper', 'ip', 'ip 10.0.0.0 /8', 'shopper ann bob', 'ann'])('is invalid in the field %j', (field) => {
    expect(parseBlockField(field)).toBeUndefined()
  })
})

it.each([
  ['2001:db8:1:2::a', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3::/80', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::/64', undefined],
  ['2001:db8::/32', undefined],
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
])('beside %s a block of the whole network of its customer is proposed: %s', (value, network) => {
  const block = parseBlock('ip', value)
  expect(block && networkBlock(block)?.value).toBe(network)
})

const now = Date.UTC(2026, 10, 20)
const read = (text: string) => readBlockFile(new TextEncoder().encode(text), now)

describe('a file of blocks', () => {
  it('has entries in their canonical form, with reason and end', () => {
    expect(
      read('Value,KIND,reason,until,note\n10.1.2.3/16,IP,"Bots, many",2026-11-21T08:00+08:00,x\nann,shopper,,,\n'),
    ).toEqual({
      ok: true,
      ignored: ['note'],
      refused: [],
      entries: [
        { kind: 'ip', value: '10.1.0.0/16', reason: 'Bots, many', until: Date.UTC(2026, 10, 21) },
        { kind: 'shopper', value: 'ann' },
      ],
    })
  })

  it('names each line that cannot be imported', () => {
    const lines = [
      'planet,earth,,',
      'ip,10.0.0.0/7,,',
      'ip,10.0.0.1,,',
      'ip,10.0.0.1/32,,',
      `shopper,ann,${'x'.repeat(101)},`,
      'shopper,ben,,2026-11-21T08:00',
      'shopper,cem,,2026-11-19T08:00Z',
      'shopper,dee,,2027-02-30T08:00Z',
    ]
    const file = read(['kind,value,reason,until', ...lines].join('\n'))
    expect(file.ok && file.refused.map(({ line, code }) => [line, code])).toEqual([
      [2, 'invalid'],
      [3, 'wide'],
      [5, 'duplicate'],
      [6, 'reason'],
      [7, 'until'],
      [8, 'until'],
      [9, 'until'],
    ])
    expect(file.ok && file.entries).toHaveLength(1)
  })

  const rounded = (...ids: string[]) => {
    const file = read(`kind,value\n${ids.map((id) => `shopper,"${id}"\n`).join('')}`)
    return file.ok ? file.refused.map(({ text, code }) => [text, code]) : file
  }

  it.each([
    ['an exponent', '1.08204E+20'],
    ['an exponent behind a decimal comma', '1,08204E+20'],
    ['an exponent as programs write it', '1.0820426803331137e+20'],
    ['zeros behind 15 digits', '108204268033311000000'],
    ['three zeros behind 15 digits', '340434161094042000'],
  ])('names a line whose id a spreadsheet gave %s, beside whole ones', (_, id) => {
    expect(rounded('108204268033311374519', id, '340434161094042557')).toEqual([[id, 'rounded']])
  })

  it('takes ids with one or two zeros behind 15 digits where the column has a whole one of that length', () => {
    expect(rounded('1234567890123450', '12345678901234500')).toHaveLength(2)
    expect(rounded('1234567890123450', '12345678901234567')).toEqual([['1234567890123450', 'rounded']])
    expect(rounded('1234567890123450', '1234567890123451')).toEqual([])
  })

  it.each(['123456789012000', '1E5', '5e-10', '00340434161094042000', 'a1000000000000000', '1.08204E+20x'])(
    'takes the id %s, which no spreadsheet makes of another one',
    (id) => expect(rounded(id)).toEqual([]),
  )

  it('without a needed column is refused whole', () => {
    expect(read('kind\nip\n')).toEqual({ ok: false, fault: { kind: 'missing-column', column: 'value' } })
  })
})
