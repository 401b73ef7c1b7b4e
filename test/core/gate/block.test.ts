import { describe, expect, it } from 'vitest'
import { blockField, parseBlock, parseBlockField } from '../../../core/gate/block.ts'

describe('an entry of the block list (R8)', () => {
  it.each([
    ['shopper', 'ann|7', 'shopper ann|7'],
    ['ip', '203.0.113.7', 'ip 203.0.113.7'],
    ['session-key', 'key-1', 'session-key key-1'],
    ['shop-key', 'till-1', 'shop-key till-1'],
    ['ip', '10.1.2.3/8', 'ip 10.0.0.0/8'],
    ['ip', '2001:DB8:0:0::1/64', 'ip 2001:db8::/64'],
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
